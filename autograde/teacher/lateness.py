"""When work is late, and what that costs, by the clock of the class.

A day of lateness ends when clocks in the class's time zone show the deadline's time of day again,
even if they were changed in between. Moments here carry their time zone; the gradebook's are in UTC
without one, which `of_gradebook` adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

DAY = timedelta(days=1)
# If a platform marks work late without a time, the gradebook gets the deadline plus this span.
# `handed_in/timestamp.py` drops just this microsecond from the time of a submission.
UNKNOWN_DELAY = timedelta(seconds=1, microseconds=1)

Base = Literal["maximum", "points"]
Extension = datetime | float  # a moment, or days


@dataclass(frozen=True)
class LatePolicy:
    """What late work loses: a share for each day begun.

    per_day: that share, of the chapter's `maximum` or of the `points` earned. grace: the grace
    period, added to the deadline and to each later end of day. floor: the share of the maximum
    below which lateness takes no points.
    """

    per_day: float
    of: Base = "maximum"
    grace: timedelta = timedelta(0)
    floor: float = 0.0

    def penalty(self, days: int, score: float, most: float) -> float:
        """Return the points that so many days cost a student who earned `score` of `most`."""
        return max(0.0, min(self.uncut(days, score, most), score - self.floor * most))

    def uncut(self, days: int, score: float, most: float) -> float:
        """Return the points that the days cost before the floor is applied."""
        return days * self.per_day * (most if self.of == "maximum" else score)


NOTHING_COUNTS = LatePolicy(per_day=1.0, of="points")


@dataclass(frozen=True)
class Lateness:
    """When one submission came, and when it was due.

    extended: whether the student has an extension, until `due`. days: begun after the deadline, 0
    within the grace period. untimed: whether the platform marked it late without a time, so that
    `handed_in` is `UNKNOWN_DELAY` after the deadline.
    """

    handed_in: datetime
    due: datetime
    extended: bool
    days: int
    untimed: bool = False

    @property
    def is_late(self) -> bool:
        """Return whether it came after the deadline, even within the grace period."""
        return self.handed_in > self.due


def is_stand_in(moment: datetime) -> bool:
    """Return whether a gradebook's time is unknown: `UNKNOWN_DELAY` after some deadline."""
    return moment.microsecond == UNKNOWN_DELAY.microseconds


def of_gradebook(moment: datetime) -> datetime:
    """Return a moment of nbgrader's gradebook with its zone."""
    return moment.replace(tzinfo=UTC)


def to_gradebook(moment: datetime) -> datetime:
    """Return a moment as the gradebook keeps it."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def local(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment as the clocks of a zone show it."""
    return moment.astimezone(zone).replace(tzinfo=None)


def clock(moment: datetime, zone: tzinfo) -> str:
    """Return a moment as text for people: the zone's clock time, to the minute."""
    return local(moment, zone).strftime("%Y-%m-%d %H:%M")


def extended(due: datetime, extension: Extension, zone: tzinfo) -> datetime:
    """Return the deadline of a student with an extension: a moment, or days by the clock."""
    if isinstance(extension, datetime):
        return extension.astimezone(UTC)
    return _later(due, extension, zone)


def days_late(due: datetime, handed_in: datetime, zone: tzinfo, grace: timedelta) -> int:
    """Return how many days were begun after the deadline, each extended by the grace period."""
    # within one zone Python would subtract clock times, not moments
    due, handed_in = due.astimezone(UTC), handed_in.astimezone(UTC)
    if handed_in - due <= grace:
        return 0
    moment = handed_in - grace
    days = max(0, (moment - due) // DAY - 1)  # a change of clocks moves an end by hours, not a day
    while _later(due, days, zone) < moment:
        days += 1
    return days


def _later(due: datetime, days: float, zone: tzinfo) -> datetime:
    """Return the moment `days` later by the clocks of a zone; for 0 days, `due` itself.

    A time of day that comes twice is the first of the two; a skipped one counts as if the clocks
    had not been changed yet (PEP 495).
    """
    local = due.astimezone(zone) + timedelta(days=days)  # in one zone Python adds by the clock
    return local.astimezone(UTC) if days else due.astimezone(UTC)
