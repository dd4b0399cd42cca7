"""`Pace`: whether `show` keeps up with a hand that drags a slider."""

from __future__ import annotations

from collections import deque

LIMIT = 0.15  # seconds; beyond it a drag shows fewer than seven pictures a second


class Pace:
    """Goes by the faster of the last two calls: after a fast call, one slow call does not count."""

    def __init__(self) -> None:
        """Start without measurements, which counts as fast."""
        self._last: deque[float] = deque(maxlen=2)

    def note(self, seconds: float) -> None:
        """Add the time of the latest call."""
        self._last.append(seconds)

    @property
    def slow(self) -> bool:
        """Whether the last two calls, or the only one so far, took longer than the limit."""
        return bool(self._last) and min(self._last) > LIMIT
