"""The register of a class: the columns of its gradebook, and what became of each student's work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Literal

from autograde.kit.exercise import Exercise
from autograde.register.results import Result
from autograde.teacher.full_name import full_name
from autograde.teacher.questions import HandGradedQuestion
from bilingual import Text

State = Literal["graded", "failed", "ungraded", "absent"]


@dataclass(frozen=True)
class Column:
    """One column of the gradebook: an exercise, or a question that a teacher grades, or neither."""

    name: str
    points: float
    exercise: Exercise | None
    question: HandGradedQuestion | None = None

    @property
    def title(self) -> Text:
        """Return the title of the exercise or question, or its name if the course has no title."""
        task = self.exercise or self.question
        return task.title if task else Text(en=self.name, zh=self.name)


@dataclass(frozen=True)
class Row:
    """One student. score: before the late penalty; `total`: after it, as nbgrader exports it.

    due: the student's own deadline, None without one. extended: whether it is later than the
    class's. seconds_late: by the gradebook. days_late: days begun after the grace period. again:
    whether newer work waits to be graded.
    """

    student: str
    last_name: str = ""
    first_name: str = ""
    state: State = "absent"
    handed_in: datetime | None = None
    due: datetime | None = None
    extended: bool = False
    seconds_late: float = 0.0
    days_late: int = 0
    score: float = 0.0
    penalty: float = 0.0
    results: tuple[Result, ...] = ()
    problem: Text | None = None
    again: bool = False

    @property
    def name(self) -> str:
        """Return the full name; in East Asian scripts the family name comes first."""
        return full_name(self.last_name, self.first_name)

    @property
    def total(self) -> float:
        """Return the points after the late penalty, as nbgrader's export has them."""
        return max(0.0, self.score - self.penalty)

    @property
    def waiting_points(self) -> float:
        """Return the most that answers can earn which a teacher has yet to grade."""
        return sum(result.points for result in self.results if result.has_no_points_yet)

    def result(self, column: str) -> Result | None:
        """Return the result in one column of the gradebook, None if there is no grade."""
        return next((one for one in self.results if one.exercise == column), None)


@dataclass(frozen=True)
class Register:
    """A class and one assignment; rows: sorted by student. zone: for showing times."""

    assignment: str
    due: datetime | None
    max_score: float
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    zone: tzinfo = UTC
    pseudonymous: bool = False

    def in_state(self, *states: State) -> list[Row]:
        """Return the rows of students whose work is in one of these states."""
        return [row for row in self.rows if row.state in states]

    @property
    def submitted(self) -> list[Row]:
        """Return the rows that the gradebook has a submission for, graded or not."""
        return self.in_state("graded", "failed")

    @property
    def again(self) -> list[str]:
        """Return the students who handed in again and still have their earlier work's points."""
        return [row.student for row in self.rows if row.again]

    def under(self, name: Callable[[str], str]) -> Register:
        """Return the register under pseudonyms, sorted by them: the order betrays nobody.

        Names, submission times and extensions are left out. So are error messages, which can
        contain a name, and seconds of lateness, which with the deadline give the submission time.
        """
        rows = [replace(_blind(row), student=name(row.student)) for row in self.rows]
        rows.sort(key=lambda row: row.student)
        return replace(self, rows=tuple(rows), pseudonymous=True)


def _blind(row: Row) -> Row:
    results = [replace(one, finding=one.finding and one.finding.blind()) for one in row.results]
    nameless = replace(row, last_name="", first_name="")
    timeless = replace(nameless, handed_in=None, due=None, extended=False, seconds_late=0.0)
    return replace(timeless, results=tuple(results))
