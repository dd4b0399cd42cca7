"""When work is late, and what that costs, by the clock of the class.

A day of lateness ends where the deadline's own time of day comes round again in the class's time
zone, whether the clocks were changed in between or not. Moments here carry their time zone; the
gradebook's, which are in UTC without saying so, become such by `of_gradebook`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

DAY = timedelta(days=1)
# what the gradebook holds for a platform's "late" without a time: it has to be something after the
# deadline there, and no file that says when it came says it to just this microsecond
LEAST = timedelta(seconds=1, microseconds=1)

Base = Literal["maximum", "points"]
Extension = datetime | float  # a moment, or days


@dataclass(frozen=True)
class LatePolicy:
    """What late work loses: a share for each day begun.

    per_day: that share, of the chapter's `maximum` or of the `points` earned. grace: how long a day
    goes on before the next one begins, the day of the deadline among them. floor: the share of the
    maximum below which lateness takes no points.
    """

    per_day: float
    of: Base = "maximum"
    grace: timedelta = timedelta(0)
    floor: float = 0.0

    def penalty(self, days: int, score: float, most: float) -> float:
        """Return the points that so many days cost a student who earned `score` of `most`."""
        return max(0.0, min(self.uncut(days, score, most), score - self.floor * most))

    def uncut(self, days: int, score: float, most: float) -> float:
        """Return what the days alone cost; the floor may leave a student more."""
        return days * self.per_day * (most if self.of == "maximum" else score)


NOTHING_COUNTS = LatePolicy(per_day=1.0, of="points")


@dataclass(frozen=True)
class Lateness:
    """When one submission came, and when it was due.

    extended: whether only this one was due then, by an extension. days: those begun after the
    deadline, none within the grace. untimed: that the platform said late and no time, so that
    `handed_in` is the least after the deadline.
    """

    handed_in: datetime
    due: datetime
    extended: bool
    days: int
    untimed: bool = False

    @property
    def is_late(self) -> bool:
        """Return whether it came after the deadline, be it within the grace."""
        return self.handed_in > self.due


def is_stand_in(moment: datetime) -> bool:
    """Return whether a moment of the gradebook is `LEAST` after a deadline, of now or before."""
    return moment.microsecond == LEAST.microseconds


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
    """Return the same for people, to the minute."""
    return local(moment, zone).strftime("%Y-%m-%d %H:%M")


def extended(due: datetime, extension: Extension, zone: tzinfo) -> datetime:
    """Return the deadline of a student with an extension: a moment, or days by the clock."""
    if isinstance(extension, datetime):
        return extension.astimezone(UTC)
    return _later(due, extension, zone)


def days_late(due: datetime, handed_in: datetime, zone: tzinfo, grace: timedelta) -> int:
    """Return how many days were begun after the deadline, each one's end put off by the grace."""
    due, handed_in = due.astimezone(UTC), handed_in.astimezone(UTC)  # else Python goes by clocks
    if handed_in - due <= grace:
        return 0
    moment = handed_in - grace
    days = max(0, (moment - due) // DAY - 1)  # a change of clocks moves an end by hours, not a day
    while _later(due, days, zone) < moment:
        days += 1
    return days


def _later(due: datetime, days: float, zone: tzinfo) -> datetime:
    """Return the moment so many days later by the clocks of a zone; 0 days later is `due` itself.

    Of a time of day that comes twice it is the first one, one that is left out counts as if the
    clocks had not been changed yet (PEP 495).
    """
    local = due.astimezone(zone) + timedelta(days=days)  # in one zone Python adds by the clock
    return local.astimezone(UTC) if days else due.astimezone(UTC)
