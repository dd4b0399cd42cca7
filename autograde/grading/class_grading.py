"""`python -m autograde grade CHAPTER`: a class graded side by side, saved by one writer."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nbgrader.apps import NbGraderAPI

from autograde.grading.journal import Journal
from autograde.grading.limits import LOG
from autograde.grading.options import SubmittedNotebook, new_seed
from autograde.grading.regrade import stored_seed
from autograde.grading.save import GradebookWriter
from autograde.grading.submission import grade_submission
from autograde.grading.submissions import GradeError, chapter_record, submissions, take_in
from autograde.handed_in.files import NotGradable, Submission, no_access
from autograde.teacher.errors import first_line
from confined.failures import PermanentError

LOOK_AHEAD = 16  # submissions that wait for a process, or to be saved
TWICE = "the process that graded it died, and so did the next one, which graded nothing else"


class Graders(Protocol):
    """An executor that grades submissions and knows how many it grades at a time."""

    @property
    def workers(self) -> int:
        """Return how many submissions it grades at a time."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have one of its processes call `fn`."""


@dataclass(frozen=True)
class Graded:
    """The result of grading one submission; the file `log` holds the reason if it failed.

    graders_fault: the grader failed, not the submission; an earlier grade stands.
    """

    student: str
    success: bool
    log: Path
    graders_fault: bool = False


@dataclass(frozen=True)
class Begun:
    """A submission that a process of the pool is grading."""

    student: str
    submission: Submission
    fingerprint: str
    seed: int
    text: Future[str]


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
        """Find the submissions.

        only: of these students; empty: of all. again: also those graded before, with new inputs.
        repeat: also those graded before; an unchanged submission gets its previous inputs.
        With neither, one graded with other point values is regraded with its previous inputs.
        Raises `CannotBegin`: no such assignment, no submission, or another `grade` at work on it.
        """
        self.api, self.chapter = api, chapter
        self.record = chapter_record(api, chapter)
        self.submitted = submissions(api, chapter, only)
        settings = SubmittedNotebook(config=api.config)
        self.options, self.seed = settings.options(), settings.seed
        self.root = Path(api.coursedir.root)
        self.source = self.root / api.coursedir.source_directory / chapter
        self.journal = Journal(self.root, chapter)
        self.writer = GradebookWriter(api, chapter)
        same = [who for who, what in self.submitted.items() if self.journal.has(who, what)]
        self.outdated = [one for one in same if self.journal.is_outdated(one, self.record.points)]
        # an answer's prints can reveal its inputs: a changed answer always gets new ones
        same_inputs = same if repeat else [] if again else self.outdated
        self.seeds = {one: self._stored_seed(one) for one in same_inputs}
        with api.gradebook as gradebook:  # a teacher may have started a new gradebook
            students = {one.student_id for one in gradebook.assignment_submissions(chapter)}
        up_to_date = students.intersection(same).difference(self.outdated)
        graded = {one for one in up_to_date if self.writer.path(one).exists()}
        self.waiting = [one for one in self.submitted if again or repeat or one not in graded]

    def grade(self, executor: Graders, students: Sequence[str]) -> Iterator[Graded]:
        """Grade these students' submissions in `executor`; yield each when it is saved.

        Raises `GradeError` if nothing can be graded until a teacher fixes something.
        """
        waiting = deque(students)
        begun: dict[Future[str], Begun] = {}
        with self.writer:
            while waiting or begun:
                if waiting and len(begun) < executor.workers + LOOK_AHEAD:
                    started = self._begin(executor, waiting.popleft())
                    if isinstance(started, Graded):
                        yield started
                    else:
                        begun[started.text] = started
                else:
                    wait(begun, return_when=FIRST_COMPLETED)
                    first = begun.pop(next(text for text in begun if text.done()))
                    yield self._finish(executor, first, begun)

    def _begin(self, executor: Graders, student: str) -> Begun | Graded:
        try:
            submission, before = take_in(self.submitted[student], self.source)
        except NotGradable as error:
            return self._failed(student, str(error))
        seed = self._seed(student)
        return Begun(student, submission, before, seed, self._submit(executor, submission, seed))

    def _submit(self, executor: Graders, submission: Submission, seed: int) -> Future[str]:
        return executor.submit(grade_submission, submission, self.record, seed, self.options)

    def _finish(self, executor: Graders, begun: Begun, others: Collection[Future[str]]) -> Graded:
        try:
            text = self._text(executor, begun, others)
        except NotGradable as error:
            return self._failed(begun.student, str(error))
        except BrokenExecutor:
            return self._failed(begun.student, TWICE)
        except PermanentError as error:  # every other submission would fail too
            raise GradeError(str(error)) from error
        except Exception as error:  # it goes to the log, and the others are still graded
            reason = f"{first_line(error)}\n{traceback.format_exc()[-LOG:]}"
            return self._failed(begun.student, reason, graders_fault=True)
        try:
            self.writer.save(begun.student, begun.submission, text)
        except PermissionError as error:  # its folder in autograded/ is another user's
            return self._failed(begun.student, str(no_access(error)))
        self.journal.add(begun.student, begun.fingerprint, begun.seed, self.record.points)
        self._log(begun.student).unlink(missing_ok=True)
        return Graded(begun.student, True, self._log(begun.student))

    def _text(self, executor: Graders, begun: Begun, others: Collection[Future[str]]) -> str:
        try:
            return begun.text.result()
        except BrokenExecutor:  # a process died, because of this submission or of another
            wait(others)  # retry it alone: a second death is its own fault
            return self._submit(executor, begun.submission, begun.seed).result()

    def _failed(self, student: str, reason: str, *, graders_fault: bool = False) -> Graded:
        if not (graders_fault and self.writer.path(student).exists()):
            self._without_grade(student)
        log = self._log(student)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"{reason}\n", encoding="utf-8", errors="backslashreplace")
        return Graded(student, False, log, graders_fault)

    def _without_grade(self, student: str) -> None:
        if os.path.isdir(self.submitted[student]):  # False if this user may not look there
            self.writer.enter(student)
        with contextlib.suppress(PermissionError):
            self.writer.remove(student)

    def _log(self, student: str) -> Path:
        return self.root / "grading" / "logs" / self.chapter / f"{student}.log"

    def _seed(self, student: str) -> int:
        stored = self.seeds.get(student)
        return new_seed(self.seed) if stored is None else stored

    def _stored_seed(self, student: str) -> int | None:
        stored = stored_seed(self.writer.path(student))  # None if a regrade was cut short
        return self.journal.seeds.get(student) if stored is None else stored
