"""What is to be done with a download: which of a student's files counts, and when it came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from hashlib import sha256
from types import MappingProxyType

from autograde.collecting.class_list import ClassList
from autograde.collecting.downloads import ARCHIVE, NOTEBOOK, Download, Upload
from autograde.collecting.limits import Allowance, DoesNotCount
from autograde.collecting.platforms import Mark, recognised
from autograde.collecting.whose import (
    NOT_CHAPTER,
    Candidate,
    LeftOut,
    Sorter,
    not_of_chapter,
    problem_of,
)
from autograde.grading.cells import GB18030, encoding_of
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import LEAST, LatePolicy
from autograde.teacher.problem import PARSED
from bilingual import Text, listed

TRIES = 3  # of a student's notebooks, each of which may cost all that one may
SOME = 3  # names, to show what lies there instead

EMPTY = Text(
    en="There is no notebook in downloaded/{chapter}/archive{files}: put the platform's download "
    "there, as it came.",
    zh="downloaded/{chapter}/archive里没有notebook{files}：请把平台的下载原样放进去。",
)
INSTEAD = Text(
    en=", nor in an archive there, only {names}",
    zh="，其中的压缩包里也没有，只有{names}",
)
UNTRIED = Text(
    en="skipped, like all earlier ones: three later ones cannot be read",
    zh="这份和更早的都略过：后来的三份都读不了",
)
ACCOUNTS = Text(
    en="several accounts go by {student}'s name: {accounts}",
    zh="有几个账号都用{student}的名字：{accounts}",
)


@dataclass(frozen=True)
class InTime:
    """Where a notebook is that was in time; problem: why it cannot be graded, if it cannot."""

    place: str
    problem: Text | None = None


@dataclass(frozen=True)
class Notebook:
    """What counts for a student, and its hash; time and late are None where nothing tells them.

    mark: what the platform wrote. late: `LEAST` where it says late there and no time. is_from_file:
    that `time` is what stood in timestamp.txt beside the same file, as the platform gives none.
    is_from_future: whether the platform gives a time that has not come yet, which is ignored.
    is_gb18030: whether it is read as such, not being UTF.
    problem: why it cannot be graded. in_time: of the earlier ones, where this one is late, the
    latest that was not.
    """

    student: str
    mark: Mark
    upload: Upload
    digest: str
    time: datetime | None
    late: timedelta | None
    earlier: tuple[str, ...]
    extended_to: datetime | None = None
    is_renamed: bool = False
    is_from_future: bool = False
    is_gb18030: bool = False
    problem: Text | None = None
    in_time: InTime | None = None
    is_from_file: bool = False


@dataclass(frozen=True)
class Clock:
    """When the class's work is due, when a single student's is, and what time it is now."""

    class_due: datetime | None
    extension: datetime | None
    now: datetime

    @property
    def due(self) -> datetime | None:
        """Return when this student's work is due."""
        return self.extension or self.class_due


@dataclass
class Plan:
    """A class, and what is to be done with its download.

    platform: None where no notebook and no archive can be read. zone: the class's, if it is set.
    late: what late work loses, None for nothing. due: for those without an extension. grade_ids: of
    the chapter's cells, none where it was not released.
    """

    chapter: str
    platform: str | None
    students: ClassList
    notebooks: dict[str, Notebook] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    zone: tzinfo | None = None
    late: LatePolicy | None = None
    due: datetime | None = None
    grade_ids: Collection[str] = ()

    def problem(self, content: bytes) -> Text | None:
        """Return why what a file holds cannot be graded; None if it can, as far as cells tell."""
        return problem_of(content, self.chapter, self.grade_ids)

    def is_late(self, late: timedelta | None) -> bool:
        """Return whether so much is beyond the grace; Canvas keeps back how much it is."""
        grace = self.late.grace if self.late else timedelta(0)
        return late is not None and (late > grace or late == LEAST)

    @property
    def missing(self) -> list[str]:
        """Return the students of the class list of whom no file counts."""
        return [student for student in self.students.names if student not in self.notebooks]

    @property
    def untimed(self) -> list[Notebook]:
        """Return the notebooks of which nothing says when they came, or that they came late."""
        return [one for one in self.notebooks.values() if one.time is one.late is None]


def make_plan(
    download: Download,
    chapter: str,
    students: ClassList,
    *,
    platform: str | None,
    due: datetime | None,
    now: datetime,
    extensions: Mapping[str, datetime] = MappingProxyType({}),
    zone: tzinfo | None = None,
    late: LatePolicy | None = None,
    grade_ids: Collection[str] = (),
    earlier_times: Mapping[tuple[str, str], datetime] = MappingProxyType({}),
) -> Plan:
    """Return the plan for a download; `platform` is recognised if it is None.

    due: for those without an extension. extensions: until when the others have time. zone: of
    times in names, None for this machine's. late: what late work loses. grade_ids: of the chapter's
    cells. earlier_times: by student and hash, of what was collected before. Raises `CannotBegin`
    where there is nothing to collect, or files of several platforms.
    """
    work = [one.parts for one in download.uploads if one.suffix in (NOTEBOOK, ARCHIVE)]
    if not (work or download.unreadable):
        names = [ascii(one.name) for one in download.uploads[:SOME]]
        files = INSTEAD.format(names=listed(names)) if names else ""
        raise CannotBegin(EMPTY.format(chapter=chapter, files=files))
    platform = platform or recognised(work, chapter, students)
    plan = Plan(chapter, platform, students, zone=zone, late=late, due=due, grade_ids=grade_ids)
    plan.left_out += [LeftOut(name, why) for name, why in download.unreadable]
    candidates: dict[str, list[Candidate]] = defaultdict(list)
    sorter = Sorter(plan.platform, chapter, students, zone)
    for upload in download.uploads:
        for one in sorter.sort(upload):
            if isinstance(one, LeftOut):
                plan.left_out.append(one)
            else:
                candidates[one.student].append(one)
    for student, several in sorted(candidates.items()):
        of_chapter = _of_chapter(plan, several)
        latest_first = sorted(of_chapter, key=lambda one: one.order, reverse=True)
        clock = Clock(due, extensions.get(student), now)
        _choose(plan, student, latest_first, clock, earlier_times)
    return plan


def _of_chapter(plan: Plan, several: list[Candidate]) -> list[Candidate]:
    """Return a student's notebooks of the chapter: by name, or the only one by its cells."""
    by_name = [one for one in several if not one.is_renamed]
    if len(several) == 1 and not by_name:
        why = not_of_chapter(several[0].upload, plan.chapter, plan.grade_ids)
    else:
        why = NOT_CHAPTER.format(chapter=plan.chapter)
    if why is None:
        return several
    others = [one for one in several if one.is_renamed]
    plan.left_out += [LeftOut(one.upload.name, why, one.student) for one in others]
    return by_name


def _choose(
    plan: Plan,
    student: str,
    latest_first: list[Candidate],
    clock: Clock,
    earlier_times: Mapping[tuple[str, str], datetime],
) -> None:
    """Take the latest that can be read; nothing where several accounts have the student's name."""
    accounts = {one.mark.account for one in latest_first}
    if len(accounts) > 1:
        why = ACCOUNTS.format(student=student, accounts=listed(sorted(accounts)))
        plan.left_out += [LeftOut(one.upload.name, why, student) for one in latest_first]
        return
    for place, one in enumerate(latest_first):
        if place == TRIES:
            plan.left_out += [LeftOut(one.upload.name, UNTRIED, student)]
            return
        try:
            content = one.upload.content(Allowance())
        except DoesNotCount as error:
            plan.left_out.append(LeftOut(one.upload.name, error.why, student))
            continue
        digest = sha256(content).hexdigest()
        time, late = _when(one, clock, earlier_times.get((student, digest)))
        earlier = latest_first[place + 1 :]
        timed = [one for one in earlier if one.time or plan.platform == "canvas"]  # it says LATE
        in_time = [one for one in timed if not plan.is_late(_when(one, clock, None)[1])]
        plan.notebooks[student] = Notebook(
            student,
            one.mark,
            one.upload,
            digest,
            time,
            late,
            earlier=_names(earlier),
            extended_to=clock.extension,
            is_renamed=one.is_renamed,
            is_from_future=one.time is not None and one.time > clock.now,
            is_gb18030=len(content) <= PARSED and encoding_of(content) == GB18030,
            problem=plan.problem(content),
            in_time=_in_time(plan, in_time[0]) if in_time and plan.is_late(late) else None,
            is_from_file=time is not None and time != one.time,
        )
        return


def _in_time(plan: Plan, one: Candidate) -> InTime:
    try:
        problem = plan.problem(one.upload.content(Allowance()))
    except DoesNotCount as error:
        problem = error.why
    return InTime(one.upload.name, problem)


def _names(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(one.upload.name for one in candidates)


def _when(
    one: Candidate, clock: Clock, earlier_time: datetime | None
) -> tuple[datetime | None, timedelta | None]:
    """Return when it was handed in and how late that was: by the platform, else as before."""
    time = one.time
    if time is None or time > clock.now:
        time = earlier_time
    if time is None and one.mark.marked_late:
        return None, timedelta(0) if clock.extension else LEAST
    if time is None:
        return None, None
    return time, max(time - clock.due, timedelta(0)) if clock.due else None
