"""When a question comes back: after 1, 3, 7 and 21 days, then as FSRS computes.

A question answered wrong comes back the next day, and waits less after that. Each question has a
small file in the reader's own data folder: answers to other questions are safe from a second
notebook, and a damaged file counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from fsrs import Card, Rating, Scheduler

from autograde.notebook.store import keep, load, names
from bilingual import Text

A_DAY = 10  # questions, a minute each
DAYS = (1, 3, 7, 21)
# the first step follows a wrong answer, the others follow right ones
STEPS = tuple(timedelta(days=days) for days in (DAYS[0], *DAYS))
SCHEDULER = Scheduler(learning_steps=STEPS, relearning_steps=STEPS[:1], enable_fuzzing=False)


def card(name: str) -> Card | None:
    """Return a question's card; None if it was never asked, or if FSRS could not schedule it."""
    try:
        before = Card.from_dict(load("reviews", name))
        SCHEDULER.review_card(before, Rating.Good, before.due)  # raises if anything is missing
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        return None
    return before


def keep_answer(name: str, now: datetime, *, right: bool) -> Text | None:
    """Note that a question was answered; return a sentence if it could not be kept.

    now: with its time zone. A question not due was answered in another cell: that answer counts.
    """
    moment = now.astimezone(UTC)
    before = card(name) or Card(card_id=0, due=moment)
    if not is_due(before, now):
        return None
    rating = Rating.Good if right else Rating.Again
    answered, _ = SCHEDULER.review_card(before, rating, moment)
    return keep("reviews", name, dict(answered.to_dict()))


def is_due(before: Card, now: datetime) -> bool:
    """Return whether a question is due today or overdue."""
    return before.due.astimezone(now.tzinfo).date() <= now.date()


def due_count(candidates: Iterable[str], now: datetime) -> int:
    """Return how many candidates are due today: at most `A_DAY`, less those answered today.

    A card stays when an update removes its question: only questions that exist are candidates.
    """
    left = max(A_DAY - answered_today(now), 0)
    return min(left, sum(is_due(one, now) for one in _cards(candidates)))


def answered_today(now: datetime) -> int:
    """Return how many questions were answered on the day of `now`."""
    times = [one.last_review for one in _cards(names("reviews")) if one.last_review]
    return sum(time.astimezone(now.tzinfo).date() == now.date() for time in times)


def _cards(of: Iterable[str]) -> list[Card]:
    return [one for one in map(card, of) if one]
