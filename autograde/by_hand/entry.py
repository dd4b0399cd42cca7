"""Save points and a comment in the gradebook, as formgrader does."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from nbgrader.api import Comment, Grade, Gradebook, MissingEntry
from sqlalchemy import text

from autograde.by_hand.answers import StudentAnswer, Version, read_answer
from autograde.by_hand.notebooks import GradedNotebooks
from autograde.pages.limits import TEXT
from bilingual import Text

NO_NUMBER = Text(
    en="Not saved: points must be a number from 0 to {most}, got “{given}”.",
    zh="未保存：分数应为0到{most}之间的数，而不是“{given}”。",
)
TOO_LONG = Text(
    en="Not saved: a comment has at most {most} characters, this one has {given}.",
    zh="未保存：评语最多{most}个字符，这条有{given}个。",
)
GONE = Text(
    en="Not saved: this answer is no longer there. Load the page again.",
    zh="未保存：这个回答已经不在了。请重新载入本页。",
)
OTHER_WORDS = Text(
    en="Not saved: another answer has been handed in. Load the page again.",
    zh="未保存：这位学生又交了一次，回答变了。请重新载入本页。",
)
NO_COMMENT = Text(
    en="Not saved: the gradebook has no comment for this cell. Empty the comment, then save.",
    zh="未保存：成绩库里这个单元格不能有评语。请清空评语再保存。",
)
DIGITS = re.compile(r"\d+\.?\d*|\.\d+")
SHOWN = 30  # characters of what was typed


class Refused(Exception):
    """Nothing was saved; the message says why."""

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(str(message))
        self.message = message


class Changed(Exception):
    """Nothing was saved: the gradebook is no longer as the teacher saw it."""

    def __init__(self, answer: StudentAnswer) -> None:
        """Keep what the gradebook has now."""
        super().__init__(answer.grade)
        self.answer = answer


@dataclass(frozen=True)
class Entry:
    """What a teacher typed beside equal answers.

    question: its name. grades: nbgrader's ids. version: of the answers that the teacher saw.
    """

    question: str
    grades: tuple[str, ...]
    version: Version
    points: str
    comment: str


def read_entry(question: str, body: bytes) -> Entry:
    """Return what the page's script sends; ValueError for anything else."""
    try:
        sent = json.loads(body)
        version = Version(sent["answer_digest"], sent["entry_digest"])
        entry = Entry(question, tuple(sent["grades"]), version, sent["points"], sent["comment"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"not an entry: {error!r}") from error
    texts = (*entry.grades, *version, entry.points, entry.comment)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("an entry is made of text")
    return entry


def save(notebooks: GradedNotebooks, gradebook: Gradebook, entry: Entry) -> StudentAnswer:
    """Write an entry for all of its answers, or for none; return the first as it is now.

    Raises `Refused` for points or a comment that cannot be saved, or an answer that is gone or has
    changed; `Changed` if something else was entered since the teacher looked.
    """
    if gradebook.engine.dialect.name == "sqlite":
        # so that nobody writes between our reading and our writing
        gradebook.db.execute(text("BEGIN IMMEDIATE"))
    answers = [_read_grade(notebooks, gradebook, entry.question, one) for one in entry.grades]
    if not answers:
        raise Refused(GONE)
    for grade, answer, comment in answers:
        points = points_of(entry.points, grade.max_score)
        remark = comment_of(entry.comment)
        if answer.version.answer_digest != entry.version.answer_digest:
            raise Refused(OTHER_WORDS)
        if answer.version.entry_digest != entry.version.entry_digest:
            raise Changed(answer)
        # as in nbgrader's formgrader/apihandlers.py, GradeHandler and CommentHandler
        grade.manual_score = points
        grade.needs_manual_grade = points is None and grade.auto_score is None
        if comment:
            comment.manual_comment = remark
        elif remark:
            raise Refused(NO_COMMENT)
    gradebook.db.commit()
    return _read_grade(notebooks, gradebook, entry.question, entry.grades[0])[1]


def points_of(field: str, most: float) -> float | None:
    """Return the points that were typed, None if empty; `Refused` unless they are from 0 to most.

    A comma counts as a decimal point: keyboards differ.
    """
    if not field.strip():
        return None
    number = field.strip().replace(",", ".").replace("，", ".")
    points = float(number) if DIGITS.fullmatch(number) else math.inf
    if points > most:
        raise Refused(NO_NUMBER.format(most=f"{most:g}", given=field[:SHOWN]))
    return points


def comment_of(field: str) -> str | None:
    """Return the comment, None if empty; `Refused` if feedback would not show it whole."""
    if len(field) > TEXT:
        raise Refused(TOO_LONG.format(most=TEXT, given=len(field)))
    return field.strip() or None


def _read_grade(
    notebooks: GradedNotebooks, gradebook: Gradebook, question: str, grade_id: str
) -> tuple[Grade, StudentAnswer, Comment | None]:
    try:
        grade = gradebook.find_grade_by_id(grade_id)
    except MissingEntry:
        raise Refused(GONE) from None
    names = (notebooks.chapter, notebooks.chapter, question)
    ours = (grade.assignment.name, grade.notebook.name, grade.name) == names
    answer = read_answer(notebooks, grade) if ours else None
    if answer is None:
        raise Refused(GONE)
    return grade, *answer
