"""The notebook as sections: exercises, written answers, and the cells between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from nbformat import NotebookNode

from autograde.grading.diagnosis import UNSOLVED, Diagnosis, diagnose_cells
from autograde.grading.rebuild import RESTORED
from autograde.kit.exercise import Exercise
from autograde.pages.feedback.findings import Findings, course_exercise, findings
from autograde.pages.marks import Mark, mark
from autograde.register.results import NO_RESPONSE
from autograde.teacher.questions import HandGradedQuestion
from bilingual import Language

NONE: Mapping[str, HandGradedQuestion] = MappingProxyType({})


@dataclass(frozen=True)
class GradedSection:
    """One entry of nbgrader's score table, with the cells that belong to it.

    exercise: None for an answer graded by hand, and for a check that the course does not know.
    question: what a teacher grades, None if the course does not know it.
    answer: the cell with the answer, None if it is missing. check: the cell that checks it, None if
    the answer itself is graded.
    """

    name: str
    score: float
    points: float
    exercise: Exercise | None
    findings: Findings
    answer: NotebookNode | None
    check: NotebookNode | None
    question: HandGradedQuestion | None = None

    @property
    def mark(self) -> Mark:
        """Return the mark of the exercise or question."""
        unanswered = Diagnosis("unsolved", UNSOLVED)
        checked = diagnose_cells(self.check, self.answer) if self.check else None
        diagnosis = unanswered if self.unanswered else checked
        return mark(self.score, self.points, diagnosis, waiting=self.waiting)

    @property
    def waiting(self) -> bool:
        """Return whether it has no points until a teacher gives some."""
        return bool(_nbgrader(self.check or self.answer).get("waiting"))

    @property
    def comment(self) -> str:
        """Return the teacher's comment, empty if there is none."""
        text = _nbgrader(self.answer).get("comment") if self.answer else None
        return text if isinstance(text, str) else ""

    @property
    def restored(self) -> bool:
        """Return whether the submission lacked the answer, shown here as it was released."""
        return bool(self.answer and self.answer.metadata.get(RESTORED))

    @property
    def unanswered(self) -> bool:
        """Return whether nbgrader found the answer as it was released."""
        return self.comment == NO_RESPONSE


@dataclass
class UngradedSection:
    """Cells that are not graded, and where they stand in the notebook, counted from 1."""

    first: int
    last: int
    cells: list[NotebookNode] = field(default_factory=list)


Section = GradedSection | UngradedSection


def sections(
    notebook: NotebookNode, language: Language, questions: Mapping[str, HandGradedQuestion] = NONE
) -> list[Section]:
    """Return the notebook's sections; prose in the other language is left out.

    questions: those that a teacher grades, by name.
    """
    answers = {_name(cell): cell for cell in notebook.cells if _nbgrader(cell).get("solution")}
    checked_answers = [f"{_name(cell)}-answer" for cell in notebook.cells if _is_check(cell)]
    parts: list[Section] = []
    for number, cell in enumerate(notebook.cells, start=1):
        if _is_check(cell):
            parts.append(_checked(cell, answers.get(f"{_name(cell)}-answer")))
        elif _is_graded(cell):
            parts.append(_by_hand(cell, questions.get(_name(cell))))
        elif _name(cell) not in checked_answers:
            if not parts or isinstance(parts[-1], GradedSection):
                parts.append(UngradedSection(number, number))
            parts[-1].cells += [cell] if _is_in(cell, language) else []
            parts[-1].last = number
    return [one for one in parts if isinstance(one, GradedSection) or one.cells]


def _nbgrader(cell: NotebookNode) -> dict[str, Any]:
    return cell.metadata.get("nbgrader", {})


def _name(cell: NotebookNode) -> str | None:
    return _nbgrader(cell).get("grade_id")


def _is_graded(cell: NotebookNode) -> bool:
    return bool(_nbgrader(cell).get("grade") or _nbgrader(cell).get("task"))


def _is_check(cell: NotebookNode) -> bool:
    graded = _is_graded(cell) and not _nbgrader(cell).get("solution")
    return cell.cell_type == "code" and graded


def _is_in(cell: NotebookNode, language: Language) -> bool:
    other = {"zh": "en", "en": "zh"}.get(language)
    prose = cell.cell_type == "markdown"
    return not (prose and cell.source.lstrip().startswith(f'<div lang="{other}">'))


def _checked(check: NotebookNode, answer: NotebookNode | None) -> GradedSection:
    exercise = course_exercise(_name(check))
    reasons = findings(exercise, check) if exercise else Findings()
    return GradedSection(_name(check), *_points(check), exercise, reasons, answer, check)


def _by_hand(cell: NotebookNode, question: HandGradedQuestion | None) -> GradedSection:
    return GradedSection(_name(cell), *_points(cell), None, Findings(), cell, None, question)


def _points(cell: NotebookNode) -> tuple[float, float]:
    record = _nbgrader(cell)
    return float(record.get("score") or 0), float(record.get("points") or 0)
