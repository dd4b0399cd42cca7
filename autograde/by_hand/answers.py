"""A class's answers to the questions of a chapter, and their points so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.apps import NbGraderAPI
from sqlalchemy.orm import joinedload, selectinload

from autograde.by_hand.notebooks import GradedNotebooks
from autograde.register.results import NO_RESPONSE, order_key, released_order
from autograde.teacher.full_name import full_name


class Version(NamedTuple):
    """The answer that a teacher saw, and what was entered for it, each as a digest."""

    answer_digest: str
    entry_digest: str


@dataclass(frozen=True)
class StudentAnswer:
    """One student's answer to one question.

    grade: nbgrader's id of its points. question: its name. cell: as the graded notebook has it.
    automatic: the grader's points, None without any. points, comment: those given by hand.
    needs_teacher: whether a teacher has yet to grade it. blank: whether it is as it was released.
    """

    grade: str
    question: str
    student: str
    name: str
    cell: dict[str, Any]
    automatic: float | None
    points: float | None
    comment: str
    needs_teacher: bool
    blank: bool

    @property
    def source(self) -> str:
        """Return what the student wrote."""
        return "".join(self.cell["source"])

    @property
    def version(self) -> Version:
        """Return the digests of the answer and of what was entered for it."""
        entry = (self.automatic, self.points, self.comment, self.needs_teacher, self.blank)
        answer = (self.source.strip(), self.cell.get("attachments"))
        return Version(_digest(answer), _digest(entry))


def question_names(api: NbGraderAPI, gradebook: Gradebook, chapter: str) -> list[str]:
    """Return the names of the questions that a teacher grades, in the chapter's order.

    These are the written questions, and exercises graded again since they got points by hand.
    """
    notebook = gradebook.find_notebook(chapter, chapter)
    questions = {cell.name for cell in [*notebook.solution_cells, *notebook.task_cells]}
    waiting = gradebook.db.query(Grade).filter(Grade.needs_manual_grade)
    again = {grade.cell_id for grade in waiting.filter(Grade.manual_score.is_not(None))}
    cells: list[BaseCell] = [*notebook.grade_cells, *notebook.task_cells]
    cells = [cell for cell in cells if cell.name in questions or cell.id in again]
    return [cell.name for cell in sorted(cells, key=order_key(released_order(api, chapter)))]


def read_answers(
    notebooks: GradedNotebooks, gradebook: Gradebook, names: Iterable[str]
) -> dict[str, list[StudentAnswer]]:
    """Return the class's answers by the name of the question."""
    answers: dict[str, list[StudentAnswer]] = {name: [] for name in names}
    for notebook in _submissions(gradebook, notebooks.chapter):
        cells = notebooks.cells(notebook.student.id)
        comments = {comment.name: comment for comment in notebook.comments}
        for grade in notebook.grades:
            cell = _answer_cell(cells, grade.name)
            if grade.name in answers and cell:
                answers[grade.name].append(_answer(grade, _comment(comments, grade.name), cell))
    return answers


def read_answer(
    notebooks: GradedNotebooks, grade: Grade
) -> tuple[StudentAnswer, Comment | None] | None:
    """Return a grade's answer and the gradebook's comment on it; None if the answer is gone."""
    cell = _answer_cell(notebooks.cells(grade.student.id), grade.name)
    comment = _comment({one.name: one for one in grade.notebook.comments}, grade.name)
    return (_answer(grade, comment, cell), comment) if cell else None


def _submissions(gradebook: Gradebook, chapter: str) -> list[SubmittedNotebook]:
    """Return the class's notebooks, loaded in a few queries, not in four per student."""
    to_student = joinedload(SubmittedNotebook.assignment).joinedload(SubmittedAssignment.student)
    grades, comments = map(selectinload, (SubmittedNotebook.grades, SubmittedNotebook.comments))
    ours = SubmittedNotebook.notebook == gradebook.find_notebook(chapter, chapter)
    submitted = gradebook.db.query(SubmittedNotebook).filter(ours)
    return list(submitted.options(to_student, grades, comments))


def _answer_cell(cells: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Return the cell with the answer: an exercise's own, or the one that is itself graded."""
    return cells.get(f"{name}-answer") or cells.get(name)


def _comment(comments: dict[str, Comment], name: str) -> Comment | None:
    return comments.get(f"{name}-answer") or comments.get(name)


def _answer(grade: Grade, comment: Comment | None, cell: dict[str, Any]) -> StudentAnswer:
    student = grade.student
    return StudentAnswer(
        grade=grade.id,
        question=grade.name,
        student=student.id,
        name=full_name(student.last_name or "", student.first_name or ""),
        cell=cell,
        automatic=grade.auto_score,
        points=grade.manual_score,
        comment=(comment.manual_comment or "") if comment else "",
        needs_teacher=grade.needs_manual_grade,
        blank=bool(comment and comment.auto_comment == NO_RESPONSE),
    )


def _digest(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
