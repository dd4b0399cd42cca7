"""Which settings of a slider figure are sampled: a grid fine enough to drag a control smoothly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from posenc_viz import Choice, Explorer, Range
from posenc_viz.control import Control
from posenc_viz.explorer import Settings

STOPS = 25  # of a slider, at least, unless it has fewer settings
FRAMES = 1000  # settings of a figure: up to here a slider gets more stops


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
        return [_name(stop).replace("-", "−") for stop in self.stops]


def grid(explorer: Explorer, stops: int = STOPS) -> list[Axis]:
    """Return an axis for each control: every option of a choice, at least `stops` of a slider.

    While all settings together stay below `FRAMES`, a slider has more stops, up to all of its own.
    With `stops` below `STOPS`, for a quick look, a choice has no more options than that either.
    Starts, ends and what the tries set are always among them.
    """
    fixed = [explorer.start, *(settings for _, settings in explorer.tries)]
    needed = {name: {setting[name] for setting in fixed} for name in explorer.controls}
    own = {name: len(reached(control)) for name, control in explorer.controls.items()}
    sliders = [name for name, c in explorer.controls.items() if isinstance(c, Range)]
    limited = sliders if stops >= STOPS else [*own]
    counts = own | {name: min(own[name], stops) for name in limited}
    for name in sliders if stops >= STOPS else []:
        room = FRAMES * counts[name] // prod(counts.values())
        counts[name] = max(counts[name], min(own[name], room))
    return [
        Axis(name, control, thinned(reached(control), counts[name], needed[name]))
        for name, control in explorer.controls.items()
    ]


def reached(control: Control) -> list[Any]:
    """Return every setting that the control can make, in order."""
    return list(control.stops if isinstance(control, Range) else control.ends)


def _name(stop: float) -> str:
    """Return a number as a reader writes it: 19950 and not 1.995e+04."""
    if not isinstance(stop, float):
        return str(stop)
    return f"{float(f'{stop:.4g}'):.0f}" if abs(stop) >= 1e4 else f"{stop:.4g}"


def thinned(stops: list[Any], count: int, needed: set[Any]) -> tuple[Any, ...]:
    """Return `count` of `stops`, about evenly spaced, with both ends and all that is `needed`.

    A start, or what a try sets, may lie between two stops.
    """
    always = needed | {stops[0], stops[-1]}
    rest = [stop for stop in stops if stop not in always]
    more = len(rest) if len(stops) <= count else max(count - len(always), 0)
    selection = always | {rest[(2 * n + 1) * len(rest) // (2 * more)] for n in range(more)}
    between = selection - set(stops)  # only a slider can have some; options keep their order
    return tuple(sorted(selection) if between else (stop for stop in stops if stop in selection))


def settings(axes: list[Axis]) -> Iterator[Settings]:
    """Yield the settings of all frames in order of their numbers; the last axis runs fastest."""
    for values in product(*(axis.stops for axis in axes)):
        yield dict(zip((axis.name for axis in axes), values, strict=True))
