"""Where a teacher grades: which chapter, how its page is shown, what an answer came to."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from nbgrader.apps import NbGraderAPI

from autograde.by_hand import words
from autograde.by_hand.answers import Answer
from autograde.grading.diagnosis import UNSOLVED, Diagnosis
from autograde.pages.feedback.findings import course_exercise
from autograde.pages.feedback.page import points
from autograde.pages.marking import Marking
from autograde.pages.marks import SIGNS, WORDS, mark
from autograde.teacher.course_folder import notebook_of
from autograde.teacher.questions import Question, questions
from autograde.teacher.results import cells_by_name
from bilingual import Language, Text

Group = list[Answer]  # equal in what they say and in what was entered for them


@dataclass(frozen=True)
class Desk:
    """A teacher's choices.

    names: students' names are shown. order: a secret that draws the order where they are not.
    """

    api: NbGraderAPI
    chapter: str
    language: Language
    names: bool
    order: bytes

    def marking(self) -> Marking:
        """Return what writes sentences in the page's languages."""
        return Marking(self.language)

    def grouped(self, answers: Iterable[Answer]) -> list[Group]:
        """Return equal answers together, in an order that tells nothing; the blank come last."""
        groups: dict[tuple[str, str], Group] = {}
        for answer in sorted(answers, key=self._place):
            groups.setdefault(answer.version, []).append(answer)
        return sorted(groups.values(), key=lambda group: group[0].blank)

    def _place(self, answer: Answer) -> tuple[str | bytes, ...]:
        if self.names:
            return answer.name, answer.student
        # not the same order for every question
        text = f"{answer.question}/{answer.student}".encode()
        return (hmac.digest(self.order, text, "sha256"),)

    def question(self, name: str) -> Question:
        """Return a written question as the course has it, or an exercise with its solution."""
        course = self.api.coursedir
        question = questions(course, self.chapter).get(name)
        if question:
            return question
        exercise = course_exercise(name)
        path = notebook_of(course, course.source_directory, ".", self.chapter)
        solution = (cells_by_name(path) or {}).get(f"{name}-answer")
        code = f"```python\n{''.join(solution['source'])}\n```" if solution else ""
        title = exercise.title if exercise else Text(en=name, zh=name)
        task = exercise.task if exercise else title
        return Question(title, task, Text(en=code, zh=code) if code else words.NO_KEY)

    def state(self, answer: Answer, most: float) -> dict[str, str]:
        """Return what an answer came to: its mark, a sentence, and its version."""
        score = answer.points if answer.points is not None else answer.automatic or 0.0
        unsolved = Diagnosis("unsolved", UNSOLVED) if answer.blank else None
        sign = mark(score, most, unsolved, waiting=answer.waiting)
        text = words.STATE.format(score=points(score), most=points(most))
        if answer.waiting:
            again = words.LOOK_AGAIN.format(score=points(score))
            text = WORDS[sign] if answer.points is None else again
        sentence = f"{SIGNS[sign]} {self.marking().plain(text)}"
        return {"mark": sign, "state": sentence, **answer.version._asdict()}
