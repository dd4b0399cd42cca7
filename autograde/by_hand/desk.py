"""A teacher's desk: which chapter, how its page is shown, the state of an answer."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from nbgrader.apps import NbGraderAPI

from autograde.by_hand import words
from autograde.by_hand.answers import StudentAnswer
from autograde.by_hand.notebooks import GradedNotebooks
from autograde.grading.diagnosis import UNSOLVED, Cell, Diagnosis
from autograde.pages.feedback.findings import course_exercise
from autograde.pages.marking import Marking, points
from autograde.pages.marks import SIGNS, WORDS, mark
from autograde.teacher.course_folder import cells_by_name, notebook_of
from autograde.teacher.questions import HandGradedQuestion, questions
from bilingual import Language, Text

Group = list[StudentAnswer]  # equal in what they say and in what was entered for them


@dataclass(frozen=True)
class Desk:
    """A teacher's choices.

    names: whether students' names are shown. order: a secret that draws the order if they are not.
    """

    api: NbGraderAPI
    chapter: str
    language: Language
    names: bool
    order: bytes

    @cached_property
    def notebooks(self) -> GradedNotebooks:
        """Return the class's graded notebooks, read once for all pages of this desk."""
        return GradedNotebooks(self.api.coursedir, self.chapter)

    def marking(self) -> Marking:
        """Return what writes sentences in the page's languages."""
        return Marking(self.language)

    def grouped(self, answers: Iterable[StudentAnswer]) -> list[Group]:
        """Return groups of equal answers, by name or in an order drawn; blank ones come last."""
        groups: dict[tuple[str, str], Group] = {}
        for answer in sorted(answers, key=self._order_key):
            groups.setdefault(answer.version, []).append(answer)
        return sorted(groups.values(), key=lambda group: group[0].blank)

    def _order_key(self, answer: StudentAnswer) -> tuple[str | bytes, ...]:
        if self.names:
            return answer.name, answer.student
        # not the same order for every question
        text = f"{answer.question}/{answer.student}".encode()
        return (hmac.digest(self.order, text, "sha256"),)

    def questions(self, names: Iterable[str]) -> dict[str, HandGradedQuestion]:
        """Return written questions as the course has them, and exercises with their solutions."""
        folders = self.api.coursedir
        by_name = questions(folders, self.chapter)
        exercises = [name for name in names if name not in by_name]
        path = notebook_of(folders, folders.source_directory, ".", self.chapter)
        cells = (cells_by_name(path) or {}) if exercises else {}
        return by_name | {name: _exercise(name, cells.get(f"{name}-answer")) for name in exercises}

    def state(self, answer: StudentAnswer, most: float) -> dict[str, str]:
        """Return the state of an answer: its mark, a sentence, and its version."""
        score = answer.points if answer.points is not None else answer.automatic or 0.0
        unsolved = Diagnosis("unsolved", UNSOLVED) if answer.blank else None
        sign = mark(score, most, unsolved, waiting=answer.needs_teacher)
        text = words.STATE.format(score=points(score), most=points(most))
        if answer.needs_teacher:
            again = words.LOOK_AGAIN.format(score=points(score))
            text = WORDS[sign] if answer.points is None else again
        sentence = f"{SIGNS[sign]} {self.marking().plain(text)}"
        return {"mark": sign, "state": sentence, **answer.version._asdict()}


def _exercise(name: str, solution: Cell | None) -> HandGradedQuestion:
    exercise = course_exercise(name)
    code = f"```python\n{''.join(solution['source'])}\n```" if solution else ""
    title = exercise.title if exercise else Text(en=name, zh=name)
    task = exercise.task if exercise else title
    return HandGradedQuestion(title, task, Text(en=code, zh=code) if code else words.NO_KEY)
