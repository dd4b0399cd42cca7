"""`Plane`: arrows in a plane: a pair of channels that turns, phasors that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch
from matplotlib.patheffects import withStroke

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Panel, array, freeze, set_labels
from posenc_viz.style import COLOURS, LARGE, LINES, QUIET

ARC = 0.28  # radius of the arc between two arrows, in radii of the plane
HALO = withStroke(linewidth=3, foreground="white")  # a name stays legible on a guide


@dataclass(frozen=True, eq=False)
class Arrow:
    """An arrow to `tip` from `tail`, both (x, y), with its name at the tip ("" for none).

    Example:
        >>> Arrow((0.0, 1.0), "q").tail.tolist()
        [0.0, 0.0]
    """

    tip: Any
    label: Label = ""
    tail: Any = (0.0, 0.0)

    def __post_init__(self) -> None:
        """Copy both ends; ValueError if one is not a point."""
        freeze(self, tip=array(self.tip, 1), tail=array(self.tail, 1))
        if self.tip.shape != (2,) or self.tail.shape != (2,):
            raise ValueError(f"points are (x, y): shapes {self.tip.shape}, {self.tail.shape}")


@dataclass(frozen=True, eq=False)
class Plane(Panel):
    """Up to seven `arrows` in the square that reaches `radius` from the origin.

    Joined tail to tip, they show a sum: the score of a head as the sum of its pairs' phasors.
    circles: radii of guides around the origin, on which a turned pair stays.
    between: the indices of two arrows from the origin; an arc joins their directions, from the
        first to the second, the shorter way.

    Example:
        >>> query, key = Arrow((1.0, 0.0), "q"), Arrow((0.0, 1.0), "k")
        >>> turn = Plane([query, key], 1.2, "a", "b", "q and k", circles=[1], between=(0, 1))
        >>> turn.angle()  # radians, anticlockwise
        1.5707963267948966
    """

    arrows: Sequence[Arrow]
    radius: float
    x: Label
    y: Label
    title: Label
    circles: Sequence[float] = ()
    between: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Copy the lists; ValueError if there are no arrows, too many, or not those of the arc."""
        freeze(self, arrows=tuple(self.arrows), circles=tuple(map(float, self.circles)))
        if not 0 < len(self.arrows) <= len(COLOURS):
            raise ValueError(f"1 to {len(COLOURS)} arrows can be told apart: {len(self.arrows)}")
        if not {*(self.between or ())} <= {*range(len(self.arrows))}:
            raise ValueError(f"between must name two of {len(self.arrows)}, got {self.between}")

    def angle(self) -> float:
        """Return the angle `between` the two arrows, in (-π, π]."""
        first, second = self._joined()
        return float(np.angle(np.exp(1j * (second - first))))

    def frame(self) -> Frame:
        """Return labels, radius, guides, and what each arrow is called."""
        names = tuple(readable(arrow.label) for arrow in self.arrows)
        fixed = (self.radius, self.circles, self.between)
        return (readable(self.x), readable(self.y), *fixed, names)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw guides, then the arc, the arrows and their names."""
        reach = (-self.radius, self.radius)
        axes.set(xlim=reach, ylim=reach)
        axes.set_aspect("equal")
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.axvline(0, color=QUIET, linewidth=0.8)
        for radius in self.circles:
            axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor=QUIET, linestyle=":"))
        set_labels(axes, self.x, self.y)
        artists: list[Artist] = []
        if self.between:
            artists += axes.plot([], [], color="black", linewidth=1.2)
        for number in range(len(self.arrows)):
            looks = {"color": COLOURS[number], "linestyle": LINES[number], "linewidth": 2.5}
            ends = {"arrowstyle": "-|>", "mutation_scale": 18, "shrinkA": 0, "shrinkB": 0}
            artists.append(axes.add_patch(FancyArrowPatch((0, 0), (1, 0), **ends, **looks)))
        for number in range(len(self.arrows)):
            looks = {"color": COLOURS[number], "fontsize": LARGE, "path_effects": [HALO]}
            artists.append(axes.text(0, 0, "", ha="center", va="center", **looks))
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Move the arc, the arrows and their names, which stand on the left of the tips."""
        count = len(self.arrows)
        for curve in artists[: -2 * count]:
            curve.set_data(*self._arc())
        for shape, arrow in zip(artists[-2 * count : -count], self.arrows, strict=True):
            shape.set_positions(arrow.tail, arrow.tip)
        for words, arrow in zip(artists[-count:], self.arrows, strict=True):
            length = np.hypot(*(arrow.tip - arrow.tail))
            along, up = (arrow.tip - arrow.tail) / length if length else (1.0, 0.0)
            words.set_position(arrow.tip + 0.12 * self.radius * np.array([-up, along]))
            words.set_text(readable(arrow.label))

    def _joined(self) -> tuple[float, float]:
        if self.between is None:
            raise ValueError("between= names no two arrows")
        first, second = (self.arrows[i].tip for i in self.between)
        return float(np.arctan2(*first[::-1])), float(np.arctan2(*second[::-1]))

    def _arc(self) -> tuple[np.ndarray, np.ndarray]:
        at = self._joined()[0] + np.linspace(0, self.angle(), 40)
        return ARC * self.radius * np.cos(at), ARC * self.radius * np.sin(at)
