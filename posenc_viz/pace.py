"""`Pace`: whether `show` keeps up with a hand that drags a slider."""

from __future__ import annotations

from collections import deque

LIMIT = 0.15  # seconds; beyond it a drag shows fewer than seven pictures a second


class Pace:
    """Goes by the faster of the last two calls: one slow call does not count."""

    def __init__(self) -> None:
        """Begin with nothing measured, which counts as fast."""
        self._last: deque[float] = deque(maxlen=2)

    def note(self, seconds: float) -> None:
        """Add what the latest call took."""
        self._last.append(seconds)

    @property
    def slow(self) -> bool:
        """Whether every one of the last two calls took longer than the limit."""
        return bool(self._last) and min(self._last) > LIMIT
