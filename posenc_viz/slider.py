"""`Range`: a slider between two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from numbers import Integral

import ipywidgets as widgets

from posenc_viz.control import Control


@dataclass(frozen=True)
class Range(Control):
    """A slider from lo to hi, both reached; over whole numbers when all its numbers are ints.

    value: where it starts (default lo). log: steps are equal ratios (lo > 0), `step` is then in
    powers of ten. The last step is a short one where `step` does not divide the range.
    """

    lo: float
    hi: float
    step: float | None = None
    value: float | None = None
    log: bool = False

    def __post_init__(self) -> None:
        """Refuse what no slider can show."""
        if not self.lo < self.hi or (self.log and self.lo <= 0):
            raise ValueError(f"a slider needs lo < hi (lo > 0 when log): {self.lo}, {self.hi}")
        if self.step is not None and not self.step > 0:
            raise ValueError(f"a step is a positive number, got {self.step}")
        if not self.lo <= self.start <= self.hi:
            raise ValueError(f"start {self.start} is not between {self.lo} and {self.hi}")

    @property
    def start(self) -> float:
        """Where the slider starts."""
        return self.lo if self.value is None else self.value

    @property
    def ends(self) -> tuple[float, float]:
        """The least and greatest setting."""
        return self.lo, self.hi

    @property
    def whole(self) -> bool:
        """Whether it moves over whole numbers."""
        numbers = (self.lo, self.hi, self.start, self.step or 1)
        return not self.log and all(isinstance(number, Integral) for number in numbers)

    def widget(self) -> widgets.Widget:
        """Make the slider."""
        common = {"value": self.start, "min": self.lo, "max": self.hi}
        if self.log:
            common |= {"min": log10(self.lo), "max": log10(self.hi)}
            return widgets.FloatLogSlider(**common, step=self.step or 0.05)
        if self.whole:
            return widgets.IntSlider(**common, step=self.step or 1)
        return widgets.FloatSlider(**common, step=self.step or (self.hi - self.lo) / 100)

    def reaches(self, setting: float) -> bool:
        """Return whether the slider is long enough and, over whole numbers, stops there."""
        on_a_step = not self.whole or (setting - self.lo) % (self.step or 1) == 0
        return (on_a_step and self.lo <= setting <= self.hi) or setting == self.hi

    def read(self, raw: float) -> float:
        """Return the number, held inside the range (10 ** log10(lo) can fall just outside)."""
        return min(max(raw, self.lo), self.hi)
