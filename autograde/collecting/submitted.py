"""The folder `submitted/`, written as planned. Nothing in it is deleted or written over: what no
longer belongs is moved to `set_aside/CHAPTER/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from autograde.collecting.limits import Allowance
from autograde.collecting.plan import Notebook, Plan
from autograde.collecting.set_aside import ASIDE, free_place, set_aside
from autograde.grading import timestamp
from autograde.grading.paths import is_plain
from autograde.teacher.errors import CannotBegin
from autograde.teacher.lateness import of_gradebook, to_gradebook
from bilingual import Text
from bilingual.files import write_whole

RECORD = "collected.json"  # beside the downloads: which file `submitted/STUDENT` came from

NOT_LISTED = Text(en="not on the class list", zh="不在班级名单上")
NOT_THEIRS = Text(
    en="it came from a file that is now another's, or left out",
    zh="它所来自的文件如今归别人或被略过",
)
ANOTHER = Text(en="another one takes its place", zh="已换成另一份")
CHANGED = Text(
    en="{file} has changed since it was looked at: collect again",
    zh="{file}在检查之后变了：请重新收",
)
NO_RECORD = Text(
    en="{path} is not what collect wrote there ({why}): move it away, and collect again.",
    zh="{path}不是collect写的内容（{why}）：请把它移走，再重新收。",
)


@dataclass(frozen=True)
class Move:
    """A folder that goes aside: its name in `submitted/`, and why.

    in_time: where it goes, if it was in time and a late one takes its place.
    """

    student: str
    why: Text
    in_time: str = ""


@dataclass(frozen=True)
class Changes:
    """What becomes of `submitted/`.

    aside: moved there. earlier: of students who are not in this download, left as they are.
    new: written.
    """

    aside: list[Move]
    earlier: list[str]
    new: list[Notebook]


@dataclass(frozen=True)
class Submitted:
    """The submissions of one chapter in a course's folder."""

    root: Path
    chapter: str

    def changes(self, plan: Plan, files: Iterable[str]) -> Changes:
        """Return what a plan changes; `files` are the paths of the download."""
        record, here = self._record(), set(files)
        aside, earlier = [], []
        for student in self.students():
            if student in plan.notebooks:
                if not self._holds(plan.notebooks[student]):
                    aside.append(Move(student, ANOTHER, self._in_time(plan, student)))
            elif student not in plan.students.names:
                aside.append(Move(student, NOT_LISTED))
            elif record.get(student) in here:
                aside.append(Move(student, NOT_THEIRS))
            else:
                earlier.append(student)
        new = [one for one in plan.notebooks.values() if not self._holds(one)]
        return Changes(aside, earlier, new)

    def apply(self, plan: Plan, changes: Changes) -> None:
        """Move aside, write, and keep a record of what came from where."""
        for move in changes.aside:
            set_aside(self._folder(move.student), self._aside, move.student)
        for one in changes.new:
            self._write(one)
        earlier = {who: path for who, path in self._record().items() if who in changes.earlier}
        record = earlier | {who: one.upload.path for who, one in plan.notebooks.items()}
        text = json.dumps(record, ensure_ascii=False, indent=1)
        write_whole(self.root / "downloaded" / self.chapter / RECORD, text.encode("utf-8"))

    def students(self) -> list[str]:
        """Return whose folders there are, whatever they are called."""
        folders = (self.root / "submitted").iterdir() if (self.root / "submitted").is_dir() else ()
        return sorted(one.name for one in folders if (one / self.chapter).is_dir())

    def earlier_times(self) -> dict[tuple[str, str], datetime]:
        """Return when what lies there was handed in, by student and hash, as far as it says so."""
        times = {who: timestamp.handed_in_at(self._folder(who)) for who in self.students()}
        return {
            (who, digest): of_gradebook(time)
            for who, time in times.items()
            if time and (digest := self._digest(who))
        }

    @property
    def _aside(self) -> Path:
        return self.root / ASIDE / self.chapter

    def _in_time(self, plan: Plan, student: str) -> str:
        """Return where what lies there goes, if it was in time and other, late work comes."""
        one, time = plan.notebooks[student], timestamp.handed_in_at(self._folder(student))
        if not plan.is_late(one.late) or self._digest(student) in ("", one.digest):
            return ""
        # without a time nobody is late
        if time and (one.time is None or plan.is_late(of_gradebook(time) - one.time + one.late)):
            return ""
        return free_place(self._aside, student).relative_to(self.root).as_posix()

    def _record(self) -> dict[str, str]:
        path = self.root / "downloaded" / self.chapter / RECORD
        try:
            record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            return {str(who): str(source) for who, source in record.items()}
        except (ValueError, AttributeError) as error:
            raise CannotBegin(NO_RECORD.format(path=path, why=error)) from error

    def _folder(self, student: str) -> Path:
        return self.root / "submitted" / student / self.chapter

    def _holds(self, notebook: Notebook) -> bool:
        """Return whether just this notebook, handed in at this time, lies there."""
        # both as grading reads them: a teacher may write one by hand, in whatever encoding
        time = timestamp.handed_in_at(self._folder(notebook.student))
        expected = timestamp.moment(_stamp(notebook))
        return time == expected and self._digest(notebook.student) == notebook.digest

    def _digest(self, student: str) -> str:
        """Return the hash of a student's notebook, nothing where none lies there."""
        path = self._folder(student) / f"{self.chapter}.ipynb"
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


def _stamp(notebook: Notebook) -> str:
    """Return what nbgrader reads as the time of a submission; it compares with UTC."""
    return f"{to_gradebook(notebook.time)} UTC" if notebook.time else ""
