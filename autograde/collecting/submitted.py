"""The folder `submitted/`, written as planned. Nothing in it is deleted or written over: what no
longer belongs is moved to `set_aside/CHAPTER/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from autograde.collecting.by_hand import marks_by_hand
from autograde.collecting.downloads import Upload
from autograde.collecting.limits import Allowance
from autograde.collecting.plan import InTime, Notebook, Plan
from autograde.collecting.platforms import Mark
from autograde.collecting.set_aside import ASIDE, free_place, set_aside
from autograde.grading import timestamp
from autograde.grading.paths import is_plain
from autograde.teacher.collected import Collected, read_collected, write_collected
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import of_gradebook, to_gradebook
from bilingual import Text

NOT_LISTED = Text(en="not on the class list", zh="不在班级名单上")
NOT_THEIRS = Text(
    en="it came from a file that is now another's, or left out",
    zh="它所来自的文件如今归别人或被略过",
)
ANOTHER = Text(en="another one takes its place", zh="已换成另一份")
OTHER_TIME = Text(
    en="the same notebook; its time goes from {earlier} to {time}",
    zh="同一份notebook，时间由{earlier}改为{time}",
)
NO_TIME = Text(en="none", zh="无")
CHANGED = Text(
    en="{file} has changed since it was looked at: collect again",
    zh="{file}在检查之后变了：请重新收",
)


@dataclass(frozen=True)
class Move:
    """A folder that goes aside: its name in `submitted/`, and why.

    in_time: where it goes, if it was in time and a late one takes its place.
    """

    student: str
    why: Text
    in_time: InTime | None = None


@dataclass(frozen=True)
class Changes:
    """What becomes of `submitted/`.

    aside: moved there. earlier: of students who are not in this download, left as they are.
    never_late: those of `earlier` without a known time. new: written. record: what is noted of
    `earlier`.
    """

    aside: list[Move]
    earlier: list[str]
    new: list[Notebook]
    never_late: list[str] = field(default_factory=list)
    record: Mapping[str, Collected] = field(default_factory=dict)


@dataclass(frozen=True)
class Submitted:
    """The submissions of one chapter in a course's folder."""

    root: Path
    chapter: str

    def changes(self, plan: Plan, uploads: Collection[Upload]) -> Changes:
        """Return what a plan changes; `uploads` are the files of the download."""
        record, here = read_collected(self.root, self.chapter), {one.path for one in uploads}
        late_students = {who for who, one in record.items() if one.marked_late}
        aside, earlier = [], []
        for student in self.students():
            if student in plan.notebooks:
                if not self._holds(plan.notebooks[student]):
                    why = self._why_aside(plan, student)
                    aside.append(Move(student, why, self._in_time(plan, student, late_students)))
            elif student not in plan.students.names:
                aside.append(Move(student, NOT_LISTED))
            elif student in record and record[student].source in here:
                aside.append(Move(student, NOT_THEIRS))
            else:
                earlier.append(student)
        new = [one for one in plan.notebooks.values() if not self._holds(one)]
        entries = {who: record[who] for who in earlier if who in record}
        by_hand = [who for who in earlier if who not in entries or not entries[who].source]
        marks = marks_by_hand(plan, uploads, {who: self._digest(who) for who in by_hand})
        entries |= {who: _collected(plan, mark) for who, mark in marks.items()}
        late = {who for who, one in entries.items() if one.marked_late}
        never_late = [who for who in earlier if not (self._time(who) or who in late)]
        return Changes(aside, earlier, new, never_late, entries)

    def apply(self, plan: Plan, changes: Changes) -> None:
        """Move aside, keep a record of what comes from where, and write."""
        for move in changes.aside:
            set_aside(self._folder(move.student), self._aside, move.student)
        new = {
            who: _collected(plan, one.mark, one.upload.path) for who, one in plan.notebooks.items()
        }
        # first: a notebook without its entry would never be late
        write_collected(self.root, self.chapter, {**changes.record, **new})
        for one in changes.new:
            self._write(one)

    def students(self) -> list[str]:
        """Return whose folders there are, whatever they are called."""
        folders = (self.root / "submitted").iterdir() if (self.root / "submitted").is_dir() else ()
        return sorted(one.name for one in folders if (one / self.chapter).is_dir())

    def earlier_times(self) -> dict[tuple[str, str], datetime]:
        """Return when what lies there was handed in, by student and hash, as far as it says so."""
        times = {who: self._time(who) for who in self.students()}
        return {
            (who, digest): time
            for who, time in times.items()
            if time and (digest := self._digest(who))
        }

    @property
    def _aside(self) -> Path:
        return self.root / ASIDE / self.chapter

    def _in_time(self, plan: Plan, student: str, late_students: Collection[str]) -> InTime | None:
        """Return where what lies there goes, if it was in time and other, late work comes."""
        one, time = plan.notebooks[student], self._time(student)
        if not plan.is_late(one.late) or self._digest(student) in ("", one.digest):
            return None
        due = one.extended_to or plan.due
        if plan.is_late(time - due) if time and due else student in late_students:
            return None
        place = free_place(self._aside, student).relative_to(self.root).as_posix()
        return InTime(place, plan.problem(self._path(student).read_bytes()))

    def _why_aside(self, plan: Plan, student: str) -> Text:
        """Return why what lies there goes: another notebook comes, or another time alone."""
        one, time = plan.notebooks[student], self._time(student)
        if self._digest(student) != one.digest:
            return ANOTHER
        earlier, later = (
            moment.astimezone(plan.zone).strftime("%Y-%m-%d %H:%M:%S") if moment else NO_TIME
            for moment in (time, one.time)
        )
        return OTHER_TIME.format(earlier=earlier, time=later)

    def _time(self, student: str) -> datetime | None:
        """Return when what lies there was handed in, as far as it says so."""
        time = timestamp.handed_in_at(self._folder(student))
        return time and of_gradebook(time)

    def _folder(self, student: str) -> Path:
        return self.root / "submitted" / student / self.chapter

    def _path(self, student: str) -> Path:
        return self._folder(student) / f"{self.chapter}.ipynb"

    def _holds(self, notebook: Notebook) -> bool:
        """Return whether just this notebook, handed in at this time, lies there."""
        # both as grading reads them: a teacher may write one by hand, in whatever encoding
        time = timestamp.handed_in_at(self._folder(notebook.student))
        expected = timestamp.moment(_stamp(notebook))
        return time == expected and self._digest(notebook.student) == notebook.digest

    def _digest(self, student: str) -> str:
        """Return the hash of a student's notebook, nothing where none lies there."""
        path = self._path(student)
        plain = path.exists() and is_plain(path)
        return sha256(path.read_bytes()).hexdigest() if plain else ""

    def _write(self, notebook: Notebook) -> None:
        content = notebook.upload.content(Allowance())
        if sha256(content).hexdigest() != notebook.digest:
            raise CannotBegin(CHANGED.format(file=ascii(notebook.upload.name)))
        folder = self._folder(notebook.student)
        unfinished = folder.with_name(f".{self.chapter}.part")
        rmtree(unfinished, ignore_errors=True)  # of one that was killed
        unfinished.mkdir(parents=True)
        (unfinished / f"{self.chapter}.ipynb").write_bytes(content)
        if stamp := _stamp(notebook):
            (unfinished / timestamp.NAME).write_text(stamp, encoding="utf-8")
        unfinished.rename(folder)


def _collected(plan: Plan, mark: Mark, source: str = "") -> Collected:
    return Collected(source, plan.platform, mark.prefix, mark.marked_late)


def _stamp(notebook: Notebook) -> str:
    """Return what nbgrader reads as the time of a submission; it compares with UTC."""
    return f"{to_gradebook(notebook.time)} UTC" if notebook.time else ""
