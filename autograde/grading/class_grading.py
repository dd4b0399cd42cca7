"""`python -m autograde grade CHAPTER`: nbgrader's autograde for a class, judged side by side."""

from __future__ import annotations

import functools
import warnings
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import nbformat
import nbgrader.api
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.utils import capture_log, temp_attrs
from sqlalchemy import Engine
from traitlets import Any
from traitlets.config import Config

from autograde.grading.ahead import Ahead
from autograde.grading.files import beside, remove_links
from autograde.grading.journal import Journal
from autograde.grading.rebuild import rebuild, without_format_warnings
from autograde.grading.regrade import stored_seed
from autograde.grading.submissions import GradeError as GradeError
from autograde.grading.submissions import chapter_record, submissions
from autograde.nbgrader.autograde import BYTES, SubmittedNotebook

LOOK_AHEAD = 8  # submissions that are begun before their turn


@dataclass(frozen=True)
class Graded:
    """What became of one submission; what nbgrader said lies in the file `log`."""

    student: str
    success: bool
    log: Path


class ClassGrading:
    """The submissions of a chapter that wait to be graded."""

    def __init__(
        self,
        api: NbGraderAPI,
        chapter: str,
        *,
        only: Collection[str] = (),
        again: bool = False,
        repeat: bool = False,
    ) -> None:
        """Find them.

        only: these students', if any are named. again: those too that have been graded, with new
        inputs; repeat: with the inputs of the last time.
        Raises `GradeError` when there is no such assignment or no submission.
        """
        self.api, self.chapter = api, chapter
        # nbgrader makes nine engines for each submission: each compiles its SQL anew, and looks
        # for every table
        self.engine = functools.cache(nbgrader.api.create_engine)
        self.record = chapter_record(api, chapter)
        self.submitted = submissions(api, chapter, only)
        settings = SubmittedNotebook(config=api.config)  # a parent hands on nothing
        self.options, self.seed = settings.options(), settings.seed
        root = Path(api.coursedir.root)
        self.journal = Journal(root, chapter)
        self.logs = root / "grading" / "logs" / chapter
        self.seeds = {one: self._stored_seed(one) for one in self.submitted} if repeat else {}
        self.waiting = [
            student
            for student, folder in self.submitted.items()
            if again or repeat or not self.journal.is_done(student, folder)
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
                seed = stored_seed(self._graded(student))
                self.journal.add(student, self.submitted[student], seed)
            yield done

    def _begin(self, ahead: Ahead, student: str) -> str:
        folder = self.submitted[student]
        path = folder / f"{self.chapter}.ipynb"
        try:
            remove_links(folder)
            if path.stat().st_size > BYTES:
                return ""
            with without_format_warnings():
                submitted = nbformat.read(path, as_version=4)
            cells = rebuild(submitted, self.record)
            return ahead.begin(cells, self._beside(folder), self._seed(student))
        except Exception:  # whatever is wrong with the file, nbgrader's own run says it and logs it
            return ""

    def _seed(self, student: str) -> int | None:
        known = self.seeds.get(student)
        return self.seed if known is None else known

    def _stored_seed(self, student: str) -> int | None:
        kept = stored_seed(self._graded(student))  # gone, if a regrade was cut short
        return self.journal.seeds.get(student) if kept is None else kept

    def _graded(self, student: str) -> Path:
        folder = self.api.coursedir.format_path(
            self.api.coursedir.autograded_directory, student, self.chapter
        )
        return Path(folder) / f"{self.chapter}.ipynb"

    def _beside(self, folder: Path) -> dict[str, bytes]:
        # nbgrader puts the course's own files over the student's
        source = Path(self.api.coursedir.root) / self.api.coursedir.source_directory / self.chapter
        return {**beside(folder), **beside(source)}

    def _save(self, ahead: Ahead, student: str) -> Graded:
        class BegunNotebook(SubmittedNotebook):
            judge = Any(ahead)

        with (
            temp_attrs(self.api.coursedir, assignment_id=self.chapter, student_id=student),
            temp_attrs(nbgrader.api, create_engine=self.engine),
            temp_attrs(nbgrader.api.Base.metadata, create_all=_made_before),
        ):
            step = Autograde(coursedir=self.api.coursedir, parent=self.api)
            step.update_config(Config(BegunNotebook={"seed": self._seed(student)}))
            step.exporter_class = BegunNotebook  # after the configuration, which names another
            step.force = True
            with warnings.catch_warnings():  # nbgrader's of SQLAlchemy: not a teacher's to mend
                warnings.simplefilter("ignore")
                said = capture_log(step)
        log = self.logs / f"{student}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        words = said.get("log", "") + said.get("error", "")
        # names of files are bytes
        log.write_text(words, encoding="utf-8", errors="backslashreplace")
        return Graded(student, said["success"], log)


def _made_before(bind: Engine) -> None:
    """Stand for making the tables of the gradebook: `chapter_record` has read them."""
