"""`review()`: ten minutes a day with what was learned before, each question when it is due."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from IPython.display import display
from ipywidgets import HTML, VBox

from autograde.kit.question import Option, Question
from autograde.notebook.quiz import cards, listing, questionnaire, status
from autograde.notebook.review_questions import Reviewed, met
from autograde.notebook.review_schedule import (
    A_DAY,
    DAYS,
    answered_today,
    card,
    is_due,
    keep_answer,
)
from bilingual import Text, listed

INVITATION = Text(
    en="Review, questions for today: {total}. Run this cell to answer.",
    zh="今天复习{total}题。运行本单元格即可作答。",
)
NOTHING_MET = Text(
    en="Nothing to review yet: solve an exercise or begin a self-test, then come back tomorrow.",
    zh="还没有可以复习的内容：先做一道练习或一份自测，明天再来。",
)
NOTHING_DUE = Text(
    en="Nothing is due today. The next question comes back on {date}.",
    zh="今天没有该复习的题，下一题{date}再出现。",
)
DONE_TODAY = Text(en="Enough for today. Come back tomorrow.", zh="今天到此为止，明天再来。")
WAITS = listed(map(str, DAYS))
SCORE = Text(
    en="Answered: {done} / {total}, {right} right at once. What was wrong comes back tomorrow, the "
    "rest after {days} days.",
    zh="已答{done} / {total}，一次答对{right}。答错的明天再出现，其余的隔{days}天再出现。",
)


@dataclass
class Item:
    """A question of today, and whether the first answer to it was right; None until then."""

    name: str
    question: Question
    right: bool | None = None


def review() -> None:
    """Ask the questions due today on quizzes and exercises met before, ten a day at most.

    The first option pressed counts and is kept at once; the others still explain themselves.
    """
    now = datetime.now().astimezone()
    candidates = met()
    items = todays(candidates, now)
    if not items:
        print(_why_nothing(candidates, now))
        return
    questions = tuple(one.question for one in items)
    faces = panel(items)._repr_mimebundle_()
    display({**faces, "text/plain": listing(questions, INVITATION)}, raw=True)


def todays(candidates: list[Reviewed], now: datetime) -> list[Item]:
    """Return the questions of a day: the longest overdue first, then ones never asked.

    The date seeds the draw: a second call on that day draws the same.
    """
    left = A_DAY - answered_today(now)
    draws = {one.name: random.Random(f"{now.date()} {one.name}") for one in candidates}
    schedule = {one.name: card(one.name) for one in candidates}
    due = [one for one in candidates if (at := schedule[one.name]) and is_due(at, now)]
    due.sort(key=lambda candidate: schedule[candidate.name].due)
    new = [one for one in candidates if schedule[one.name] is None]
    new.sort(key=lambda candidate: draws[candidate.name].random())
    selection: list[Item] = []
    for candidate in [*due, *new]:
        if len(selection) >= left:
            break
        question = candidate.question(draws[candidate.name].randrange(2**31))
        if question:
            selection.append(Item(candidate.name, question))
    return selection


def _why_nothing(candidates: list[Reviewed], now: datetime) -> Text:
    if answered_today(now):
        return DONE_TODAY
    schedule = filter(None, (card(one.name) for one in candidates))
    later = [at.due.astimezone(now.tzinfo) for at in schedule if not is_due(at, now)]
    return NOTHING_DUE.format(date=min(later).date()) if later else NOTHING_MET


def panel(items: list[Item]) -> VBox:
    """Return the questions with their buttons; first answers are kept."""
    score = HTML()

    def show_score(problem: Text | None = None) -> None:
        done = [one for one in items if one.right is not None]
        right = sum(one.right for one in done)
        text = SCORE.format(done=len(done), total=len(items), right=right, days=WAITS)
        score.value = status(text, problem)

    def pressed(question: Question, option: Option) -> None:
        item = next(item for item in items if item.question is question)
        if item.right is None:
            item.right = option.right
            now = datetime.now().astimezone()
            show_score(keep_answer(item.name, now, right=option.right))

    show_score()
    return questionnaire([*cards([one.question for one in items], pressed), score])
