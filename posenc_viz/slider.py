"""`Range`: a slider between two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from numbers import Integral

import ipywidgets as widgets

from posenc_viz.control import Control


@dataclass(frozen=True)
class Range(Control):
    """A slider from lo to hi, both reached; over whole numbers when all its numbers are ints.

    value: where it starts (default lo). log: steps are equal ratios (lo > 0), `step` is then in
    powers of ten. If `step` does not divide the range, the last step is shorter.
    """

    lo: float
    hi: float
    step: float | None = None
    value: float | None = None
    log: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError if no slider can show these numbers."""
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

    @property
    def stride(self) -> float:
        """How far one step goes: `step`, or its default; in powers of ten when log."""
        if self.step is not None:
            return self.step
        if self.log:
            return 0.05
        return 1 if self.whole else (self.hi - self.lo) / 100

    @property
    def stops(self) -> tuple[float, ...]:
        """Every setting at which the slider stops, in order; `hi` is always one."""
        if self.whole:
            return (*range(self.lo, self.hi, self.stride), self.hi)
        length = log10(self.hi) - log10(self.lo) if self.log else self.hi - self.lo
        steps = range(ceil(length / self.stride - 1e-6))  # (1.1 - 0.2) / 0.3 is 3.0000000000000004
        if self.log:
            below = (self.lo * 10 ** (self.stride * n) for n in steps)
        else:
            below = (self.lo + self.stride * n for n in steps)
        return (*(self.read(_short(setting)) for setting in below), self.hi)

    def widget(self) -> widgets.Widget:
        """Make the slider."""
        common = {"value": self.start, "min": self.lo, "max": self.hi}
        if self.log:
            common |= {"min": log10(self.lo), "max": log10(self.hi)}
            return widgets.FloatLogSlider(**common, step=self.stride)
        kind = widgets.IntSlider if self.whole else widgets.FloatSlider
        return kind(**common, step=self.stride)

    def reaches(self, setting: float) -> bool:
        """Return whether the setting is in range and, over whole numbers, is a stop."""
        on_a_step = not self.whole or (setting - self.lo) % self.stride == 0
        return (on_a_step and self.lo <= setting <= self.hi) or setting == self.hi

    def read(self, raw: float) -> float:
        """Return the number, held inside the range (10 ** log10(lo) can fall just outside)."""
        return min(max(raw, self.lo), self.hi)


def _short(number: float) -> float:
    return float(f"{number:.10g}")  # 0.30000000000000004 is 0.3 to a reader
