"""Which settings of a slider figure are sampled: a grid small enough to be loaded with a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import log10, prod
from typing import Any

from posenc_viz import Choice, Explorer, Range
from posenc_viz.control import Control
from posenc_viz.explorer import Settings

FRAMES = 72  # of a figure: 8 × 9 for two sliders
MOST = 7  # times as many, before a slider is left with its ends and a choice loses options
STOPS = 25  # of one slider
FEWEST = 3


@dataclass(frozen=True)
class Axis:
    """A control, and the settings of it that are sampled, in order."""

    name: str
    control: Control
    stops: tuple[Any, ...]

    @property
    def names(self) -> list[str]:
        """Return what the reader calls each stop."""
        if isinstance(self.control, Choice):
            names = {self.control.read(index): name for name, index in self.control.pairs()}
            return [names[stop] for stop in self.stops]
        return [f"{stop:.4g}" if isinstance(stop, float) else str(stop) for stop in self.stops]


def grid(explorer: Explorer, frames: int = FRAMES) -> list[Axis]:
    """Return an axis for each control; their product has at most `frames` settings, or few stops.

    Starts, ends and what the tries set are always among the stops. Choices lose options only when
    the sliders have nothing left but these.
    """
    fixed = [explorer.start, *(settings for _, settings in explorer.tries)]
    needed = {name: {setting[name] for setting in fixed} for name in explorer.controls}
    counts = {name: min(len(reached(c)), STOPS) for name, c in explorer.controls.items()}
    while (total := prod(counts.values())) > frames:
        sliders = {n: c for n, c in counts.items() if isinstance(explorer.controls[n], Range)}
        long = {name: count for name, count in sliders.items() if count > FEWEST}
        if not long and total > MOST * frames:
            long = {name: count for name, count in sliders.items() if count > 2}
            long = long or {name: count for name, count in counts.items() if count > FEWEST}
        if not long:
            break
        counts[max(long, key=long.__getitem__)] -= 1
    return [
        Axis(name, control, thinned(reached(control), counts[name], needed[name]))
        for name, control in explorer.controls.items()
    ]


def reached(control: Control) -> list[Any]:
    """Return every setting that the control can make, in order."""
    if not isinstance(control, Range):
        return list(control.ends)
    lo, hi = control.ends
    if control.whole:
        return list(range(lo, hi + 1, control.step or 1))
    if control.log:
        step = control.step or 0.05
        count = round((log10(hi) - log10(lo)) / step)
        return [control.read(_short(lo * 10 ** (step * n))) for n in range(count + 1)]
    step = control.step or (hi - lo) / 100
    return [control.read(_short(lo + step * n)) for n in range(round((hi - lo) / step) + 1)]


def _short(number: float) -> float:
    return float(f"{number:.10g}")  # 0.30000000000000004 is 0.3 to a reader


def thinned(stops: list[Any], count: int, needed: set[Any]) -> tuple[Any, ...]:
    """Return about `count` of `stops`, evenly spaced, with both ends and what is `needed`."""
    if len(stops) <= count:
        return tuple(stops)
    extra = needed - {stops[0], stops[-1]}
    even = max(count - len(extra), 2)
    thin = {stops[round(n * (len(stops) - 1) / (even - 1))] for n in range(even)} | needed
    in_order = stops if thin <= set(stops) else sorted(thin)  # a start may lie between two steps
    return tuple(stop for stop in in_order if stop in thin)


def settings(axes: list[Axis]) -> Iterator[Settings]:
    """Yield the settings of all frames, in the order of their numbers: the last axis runs."""
    for values in product(*(axis.stops for axis in axes)):
        yield dict(zip((axis.name for axis in axes), values, strict=True))
