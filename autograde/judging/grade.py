"""`python -m autograde grade CHAPTER`: nbgrader's autograde for a class, judged side by side."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.utils import capture_log, temp_attrs
from traitlets import Any
from traitlets.config import PyFileConfigLoader

from autograde.judging.ahead import Ahead
from autograde.judging.files import beside, remove_links
from autograde.judging.journal import Journal
from autograde.judging.nbgrader_steps import BYTES, SubmittedNotebook
from autograde.judging.rebuild import rebuild
from autograde.judging.record import Record, read_record
from bilingual import Text

LOOK_AHEAD = 8  # submissions that are begun before their turn

NO_ASSIGNMENT = Text(
    en="The gradebook has no {chapter}: run `nbgrader generate_assignment {chapter}` first.",
    zh="成绩库里没有{chapter}：请先运行`nbgrader generate_assignment {chapter}`。",
)
NOTHING = Text(
    en="There is no submission of {chapter} in {folder}.",
    zh="{folder}里没有{chapter}的提交。",
)


class GradeError(Exception):
    """Grading cannot begin; the message says what to do."""


@dataclass(frozen=True)
class Graded:
    """What became of one submission; what nbgrader said lies in the file `log`."""

    student: str
    success: bool
    log: Path


class ClassGrading:
    """The submissions of a chapter that wait to be graded."""

    def __init__(self, api: NbGraderAPI, chapter: str, *, again: bool = False) -> None:
        """Find them; `again` takes those too that have been graded.

        Raises `GradeError` when there is no such assignment or no submission.
        """
        self.api, self.chapter = api, chapter
        self.record = _record(api, chapter)
        root = Path(api.coursedir.root)
        folder = root / api.coursedir.submitted_directory
        students = sorted(path.parent.name for path in folder.glob(f"*/{chapter}") if path.is_dir())
        if not students:
            raise GradeError(str(NOTHING.format(chapter=chapter, folder=folder)))
        self.options = SubmittedNotebook(config=api.config).options()  # a parent hands on nothing
        self.journal = Journal(root, chapter)
        self.logs = root / "grading" / "logs" / chapter
        self.submitted = {student: folder / student / chapter for student in students}
        self.waiting = [
            student
            for student in students
            if again or not self.journal.is_done(student, self.submitted[student])
        ]

    def grade(self, executor: Executor, students: Sequence[str]) -> Iterator[Graded]:
        """Grade these students' submissions, judged by `executor`; yield each when it is saved."""
        ahead = Ahead(executor, self.options)
        coming, keys = deque(students), {}
        for student in students:
            while coming and len(ahead.begun) < LOOK_AHEAD:
                begun = coming.popleft()
                keys[begun] = self._begin(ahead, begun)
            done = self._save(ahead, student)
            ahead.forget(keys.pop(student))
            if done.success:
                self.journal.add(student, self.submitted[student])
            yield done

    def _begin(self, ahead: Ahead, student: str) -> str:
        folder = self.submitted[student]
        path = folder / f"{self.chapter}.ipynb"
        try:
            remove_links(folder)
            if path.stat().st_size > BYTES:
                return ""
            cells = rebuild(nbformat.read(path, as_version=4), self.record)
            return ahead.begin(cells, self._beside(folder))
        except Exception:  # whatever is wrong with the file, nbgrader's own run says it and logs it
            return ""

    def _beside(self, folder: Path) -> dict[str, bytes]:
        # nbgrader puts the course's own files over the student's
        source = Path(self.api.coursedir.root) / self.api.coursedir.source_directory / self.chapter
        return {**beside(folder), **beside(source)}

    def _save(self, ahead: Ahead, student: str) -> Graded:
        class BegunNotebook(SubmittedNotebook):
            judge = Any(ahead)

        with temp_attrs(self.api.coursedir, assignment_id=self.chapter, student_id=student):
            step = Autograde(coursedir=self.api.coursedir, parent=self.api)
            step.exporter_class = BegunNotebook
            step.force = True
            with warnings.catch_warnings():  # nbgrader's of SQLAlchemy: not a teacher's to mend
                warnings.simplefilter("ignore")
                said = capture_log(step)
        log = self.logs / f"{student}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        words = said.get("log", "") + said.get("error", "")
        log.write_text(
            words, encoding="utf-8", errors="backslashreplace"
        )  # names of files are bytes
        return Graded(student, said["success"], log)


def _record(api: NbGraderAPI, chapter: str) -> Record:
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        try:
            return read_record(gradebook, chapter, chapter)
        except MissingEntry as error:
            raise GradeError(str(NO_ASSIGNMENT.format(chapter=chapter))) from error


def course_api(folder: Path) -> NbGraderAPI:
    """Return nbgrader as it is set up for the course in `folder`."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.setdefault("root", str(folder.resolve()))  # not where Python was started
    return NbGraderAPI(config=config)
