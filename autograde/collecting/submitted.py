"""The folder `submitted/`, written as planned. Nothing in it is deleted or written over: what no
longer belongs is moved to `set_aside/CHAPTER/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from autograde.collecting.copied_in import marks_of_copies
from autograde.collecting.downloads import Upload
from autograde.collecting.limits import Allowance, DoesNotCount
from autograde.collecting.plan import InTime, Notebook, Plan
from autograde.collecting.platforms import Mark
from autograde.collecting.set_aside import ASIDE, free_path, set_aside
from autograde.handed_in import timestamp
from autograde.handed_in.escaped import escaped
from autograde.handed_in.paths import is_plain
from autograde.teacher.collected import Collected, read_collected, write_collected
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import of_gradebook, to_gradebook
from bilingual import Text

NOT_LISTED = Text(en="not on the class list", zh="不在班级名单上")
NOT_THEIRS = Text(
    en="it came from a file that is now another student's, or left out",
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
    """A folder to set aside: its name in `submitted/`, and why.

    in_time: its new path, if its notebook was in time and a late one replaces it.
    """

    student: str
    why: Text
    in_time: InTime | None = None


@dataclass(frozen=True)
class Changes:
    """What becomes of `submitted/`.

    aside: folders to set aside. earlier: students without a notebook in this download, whose
    folders stay. never_late: those of `earlier` with no time and no late mark. new: notebooks to
    write. record: the entries of `earlier`.
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
        copied_in = [who for who in earlier if who not in entries or not entries[who].source]
        marks = marks_of_copies(plan, uploads, {who: self._digest(who) for who in copied_in})
        entries |= {who: _collected(plan, mark) for who, mark in marks.items()}
        late_earlier = {who for who, one in entries.items() if one.marked_late}
        never_late = [who for who in earlier if not (self._time(who) or who in late_earlier)]
        return Changes(aside, earlier, new, never_late, entries)

    def apply(self, plan: Plan, changes: Changes) -> None:
        """Write new notebooks and the record of where each came from; only then move any folder.

        Raises `CannotBegin` for a file that has changed since it was planned.
        """
        aside = [move.student for move in changes.aside]
        new = [one.student for one in changes.new]
        entries = {
            student: _collected(plan, notebook.mark, notebook.upload.path)
            for student, notebook in plan.notebooks.items()
        }
        try:
            for notebook in changes.new:
                self._write_unfinished(notebook)
            # before they are moved: a notebook without its entry would never be late
            write_collected(self.root, self.chapter, {**changes.record, **entries})
            for student in dict.fromkeys((*aside, *new)):
                if student in aside:
                    set_aside(self._folder(student), self._aside, student)
                if student in new:
                    self._unfinished(student).rename(self._folder(student))
        finally:
            for student in new:
                rmtree(self._unfinished(student), ignore_errors=True)

    def students(self) -> list[str]:
        """Return the names of the students' folders, whether or not they are student ids."""
        folders = (self.root / "submitted").iterdir() if (self.root / "submitted").is_dir() else ()
        return sorted(one.name for one in folders if (one / self.chapter).is_dir())

    def earlier_times(self) -> dict[tuple[str, str], datetime]:
        """Return when the notebooks there were handed in, by student and hash, if known."""
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
        """Return the new path of a notebook that was in time, if a late one replaces it."""
        notebook, time = plan.notebooks[student], self._time(student)
        if not plan.is_late(notebook.delay) or self._digest(student) in ("", notebook.digest):
            return None
        due = notebook.extended_to or plan.due
        if plan.is_late(time - due) if time and due else student in late_students:
            return None
        path = free_path(self._aside, student).relative_to(self.root).as_posix()
        return InTime(path, plan.problem(self._path(student).read_bytes()))

    def _why_aside(self, plan: Plan, student: str) -> Text:
        """Return why a folder is replaced: by another notebook, or the same at another time."""
        notebook, time = plan.notebooks[student], self._time(student)
        if self._digest(student) != notebook.digest:
            return ANOTHER
        earlier, later = (
            moment.astimezone(plan.zone).strftime("%Y-%m-%d %H:%M:%S") if moment else NO_TIME
            for moment in (time, notebook.time)
        )
        return OTHER_TIME.format(earlier=earlier, time=later)

    def _time(self, student: str) -> datetime | None:
        """Return when the notebook there was handed in, None if unknown."""
        time = timestamp.handed_in_at(self._folder(student))
        return time and of_gradebook(time)

    def _folder(self, student: str) -> Path:
        return self.root / "submitted" / student / self.chapter

    def _path(self, student: str) -> Path:
        return self._folder(student) / f"{self.chapter}.ipynb"

    def _holds(self, notebook: Notebook) -> bool:
        """Return whether exactly this notebook, handed in at this time, is already there."""
        # read times as grading does: a teacher may write timestamp.txt by hand, in any encoding
        time = timestamp.handed_in_at(self._folder(notebook.student))
        expected = timestamp.moment(_stamp(notebook))
        return time == expected and self._digest(notebook.student) == notebook.digest

    def _digest(self, student: str) -> str:
        """Return the hash of a student's notebook, an empty text if there is no plain file."""
        path = self._path(student)
        plain = path.exists() and is_plain(path)
        return sha256(path.read_bytes()).hexdigest() if plain else ""

    def _unfinished(self, student: str) -> Path:
        return self._folder(student).with_name(f".{self.chapter}.part")

    def _write_unfinished(self, notebook: Notebook) -> None:
        content = _content(notebook)
        unfinished = self._unfinished(notebook.student)
        rmtree(unfinished, ignore_errors=True)  # of a run that was killed
        unfinished.mkdir(parents=True)
        (unfinished / f"{self.chapter}.ipynb").write_bytes(content)
        if stamp := _stamp(notebook):
            (unfinished / timestamp.NAME).write_text(stamp, encoding="utf-8")


def _content(notebook: Notebook) -> bytes:
    with suppress(DoesNotCount):  # it has grown, or its archive has changed
        content = notebook.upload.content(Allowance())
        if sha256(content).hexdigest() == notebook.digest:
            return content
    raise CannotBegin(CHANGED.format(file=escaped(notebook.upload.name)))


def _collected(plan: Plan, mark: Mark, source: str = "") -> Collected:
    return Collected(source, plan.platform, mark.prefix, mark.marked_late)


def _stamp(notebook: Notebook) -> str:
    """Return what nbgrader reads as the time of a submission; it compares with UTC."""
    return f"{to_gradebook(notebook.time)} UTC" if notebook.time else ""
