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
    PACKED,
    Candidate,
    LeftOut,
    Sorter,
    not_of_chapter,
    problem_of,
)
from autograde.handed_in.cells import GB18030, encoding_of
from autograde.handed_in.escaped import escaped
from autograde.handed_in.problem import PARSED
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import UNKNOWN_DELAY, LatePolicy
from bilingual import Text, listed

TRIES = 3  # notebooks of one student that are read; each may cost a whole allowance
SOME = 3  # names, to show what lies there instead

EMPTY = Text(
    en="There is no notebook in downloaded/{chapter}/archive{files}: put the platform's download "
    "there, as it came.{unpack}",
    zh="downloaded/{chapter}/archive里没有notebook{files}：请把平台的下载原样放进去。{unpack}",
)
UNPACK = Text(en=" Unpack .rar, .7z and the like first.", zh="其中的.rar、.7z等请先解压。")
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

    path: str
    problem: Text | None = None


@dataclass(frozen=True)
class Notebook:
    """The notebook that counts for a student, and its hash.

    mark: what the platform wrote. time, delay (after the deadline): None if unknown; the delay is
    `UNKNOWN_DELAY` if the platform says late and gives no time. in_time: if this notebook is late,
    the student's latest earlier one that was in time. is_from_file: whether `time` comes from a
    timestamp.txt beside the same file, because the platform gives no time. is_from_future: whether
    the platform gives a time that has not come yet, which is ignored. is_gb18030: whether the
    notebook is read as GB18030. problem: why it cannot be graded.
    """

    student: str
    mark: Mark
    upload: Upload
    digest: str
    time: datetime | None
    delay: timedelta | None
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

    platform: None if no notebook and no archive can be read. zone: the class's, if it is set.
    late_policy: what late work loses, None for nothing. due: for students without an extension.
    grade_ids: of the chapter's cells, empty if the chapter was not released.
    """

    chapter: str
    platform: str | None
    students: ClassList
    notebooks: dict[str, Notebook] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    zone: tzinfo | None = None
    late_policy: LatePolicy | None = None
    due: datetime | None = None
    grade_ids: Collection[str] = ()

    def problem(self, content: bytes) -> Text | None:
        """Return why a file's content cannot be graded; None if it can, as far as cells tell."""
        return problem_of(content, self.chapter, self.grade_ids)

    def is_late(self, delay: timedelta | None) -> bool:
        """Return whether a delay exceeds the grace period; `UNKNOWN_DELAY` always does."""
        grace = self.late_policy.grace if self.late_policy else timedelta(0)
        return delay is not None and (delay > grace or delay == UNKNOWN_DELAY)

    @property
    def missing(self) -> list[str]:
        """Return the students of the class list without a file that counts."""
        return [student for student in self.students.names if student not in self.notebooks]

    @property
    def untimed(self) -> list[Notebook]:
        """Return the notebooks without a time that nothing marks late."""
        return [one for one in self.notebooks.values() if one.time is one.delay is None]


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
    late_policy: LatePolicy | None = None,
    grade_ids: Collection[str] = (),
    earlier_times: Mapping[tuple[str, str], datetime] = MappingProxyType({}),
) -> Plan:
    """Return the plan for a download; `platform` is recognised if it is None.

    due: for students without an extension. extensions: the deadlines of the others. zone: of times
    in names, None for this machine's. late_policy: what late work loses. grade_ids: of the
    chapter's cells. earlier_times: of notebooks collected before, by student and hash. Raises
    `CannotBegin` if there is nothing to collect, or files of several platforms.
    """
    work = [one.parts for one in download.uploads if one.suffix in (NOTEBOOK, ARCHIVE)]
    if not (work or download.unreadable):
        names = [escaped(one.name) for one in download.uploads[:SOME]]
        files = INSTEAD.format(names=listed(names)) if names else ""
        unpack = UNPACK if any(one.suffix in PACKED for one in download.uploads) else ""
        raise CannotBegin(EMPTY.format(chapter=chapter, files=files, unpack=unpack))
    platform = platform or recognised(work, chapter, students)
    plan = Plan(
        chapter,
        platform,
        students,
        zone=zone,
        late_policy=late_policy,
        due=due,
        grade_ids=grade_ids,
    )
    plan.left_out += [LeftOut(name, why) for name, why in download.unreadable]
    candidates: dict[str, list[Candidate]] = defaultdict(list)
    sorter = Sorter(plan.platform, chapter, students, zone)
    for upload in download.uploads:
        for candidate in sorter.sort(upload):
            if isinstance(candidate, LeftOut):
                plan.left_out.append(candidate)
            else:
                candidates[candidate.student].append(candidate)
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
    """Choose the latest notebook that can be read; none if several accounts have the name."""
    accounts = {one.mark.account for one in latest_first}
    if len(accounts) > 1:
        why = ACCOUNTS.format(student=student, accounts=listed(sorted(accounts)))
        plan.left_out += [LeftOut(one.upload.name, why, student) for one in latest_first]
        return
    for index, candidate in enumerate(latest_first):
        if index == TRIES:
            plan.left_out.append(LeftOut(candidate.upload.name, UNTRIED, student))
            return
        try:
            content = candidate.upload.content(Allowance())
        except DoesNotCount as error:
            plan.left_out.append(LeftOut(candidate.upload.name, error.why, student))
            continue
        earlier = latest_first[index + 1 :]
        plan.notebooks[student] = _notebook(plan, candidate, content, earlier, clock, earlier_times)
        return


def _notebook(
    plan: Plan,
    candidate: Candidate,
    content: bytes,
    earlier: Sequence[Candidate],
    clock: Clock,
    earlier_times: Mapping[tuple[str, str], datetime],
) -> Notebook:
    digest = sha256(content).hexdigest()
    time, delay = _when(candidate, clock, earlier_times.get((candidate.student, digest)))
    return Notebook(
        candidate.student,
        candidate.mark,
        candidate.upload,
        digest,
        time,
        delay,
        earlier=tuple(one.upload.name for one in earlier),
        extended_to=clock.extension,
        is_renamed=candidate.is_renamed,
        is_from_future=candidate.time is not None and candidate.time > clock.now,
        is_gb18030=len(content) <= PARSED and encoding_of(content) == GB18030,
        problem=plan.problem(content),
        in_time=_in_time(plan, earlier, clock) if plan.is_late(delay) else None,
        is_from_file=time is not None and time != candidate.time,
    )


def _in_time(plan: Plan, earlier: Sequence[Candidate], clock: Clock) -> InTime | None:
    """Return a student's latest earlier notebook that was in time, if there is one."""
    for candidate in earlier:
        has_time = candidate.time or plan.platform == "canvas"  # Canvas says LATE
        if has_time and not plan.is_late(_when(candidate, clock, None)[1]):
            try:
                problem = plan.problem(candidate.upload.content(Allowance()))
            except DoesNotCount as error:
                problem = error.why
            return InTime(candidate.upload.name, problem)
    return None


def _when(
    candidate: Candidate, clock: Clock, earlier_time: datetime | None
) -> tuple[datetime | None, timedelta | None]:
    """Return when a notebook was handed in, by the platform or else as before, and its delay."""
    time = candidate.time
    if time is None or time > clock.now:
        time = earlier_time
    if time is None and candidate.mark.marked_late:
        return None, timedelta(0) if clock.extension else UNKNOWN_DELAY
    if time is None:
        return None, None
    return time, max(time - clock.due, timedelta(0)) if clock.due else None
