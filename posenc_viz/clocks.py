"""`Clocks`: angles as clock hands on unit circles, one circle for each frequency.

A hand starts at twelve and turns clockwise, as on a clock: at angle a it points to (sin a, cos a),
the order of the two numbers in a sinusoidal table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Panel, freeze, rows
from posenc_viz.style import COLOURS, LINES, MARKERS, QUIET, SMALL

PITCH = 2.5  # from centre to centre, in radii
PER_ROW, IN_HALF = 8, 4  # clocks beside one another, in a whole figure and in half of one
HALF = 6.0  # inches


@dataclass(frozen=True, eq=False)
class Clocks(Panel):
    """Hands at `angles` (radians), shape (clocks,) or (hands, clocks).

    labels: one under each clock. hands: the name of each hand, for a legend.

    Example:
        >>> step = Clocks([[0, 0], [1.0, 0.1]], ["fast", "slow"], "a step", ["before", "after"])
        >>> step.angles.shape  # (hands, clocks)
        (2, 2)
    """

    angles: Any
    labels: Sequence[Label]
    title: Label
    hands: Sequence[Label] = ()

    def __post_init__(self) -> None:
        """Copy the angles as (hands, clocks), check the labels."""
        angles = rows(self.angles)
        freeze(self, angles=angles, labels=tuple(self.labels), hands=tuple(self.hands))
        if len(self.labels) != angles.shape[1] or len(self.hands) not in (0, len(angles)):
            counts = (len(self.hands), len(self.labels))
            raise ValueError(f"angles have shape {angles.shape}, (hands, labels) are {counts}")
        if len(angles) > len(COLOURS):
            raise ValueError(f"{len(COLOURS)} hands can be told apart, got {len(angles)}")

    @property
    def height(self) -> int:
        """Return less for a single row, which is as high as one of its clocks."""
        return super().height if len(self.labels) > PER_ROW else 270

    def frame(self) -> Frame:
        """Return how many hands and clocks there are, and their names."""
        return self.angles.shape, tuple(map(readable, (*self.labels, *self.hands)))

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw circles and labels, then the hands."""
        centres = self._centres(axes)
        for (x, y), label in zip(centres, self.labels, strict=True):
            axes.add_patch(Circle((x, y), 1.0, fill=False, edgecolor=QUIET))
            axes.plot([x, x], [y + 0.86, y + 1], color=QUIET)  # twelve
            axes.text(x, y - 1.1, readable(label), ha="center", va="top", fontsize=SMALL)
        hands = [
            axes.plot(
                *self._strokes(axes, number),
                color=COLOURS[number],
                linestyle=LINES[number],
                marker=MARKERS[number],
                markevery=slice(1, None, 3),  # at the tip of each hand
                linewidth=2.5,
            )[0]
            for number in range(len(self.angles))
        ]
        axes.set(xlim=(-1.3, centres[:, 0].max() + 1.3), ylim=(centres[:, 1].min() - 1.7, 1.3))
        axes.set_aspect("equal")
        axes.set_axis_off()
        if self.hands:
            names = map(readable, self.hands)
            axes.legend(
                hands,
                names,
                loc="upper center",
                bbox_to_anchor=(0.5, 0.0),
                ncols=len(hands),
                fontsize=SMALL,
            )
        return list(hands)

    def update(self, artists: Sequence[Artist]) -> None:
        """Turn the hands."""
        for number, hand in enumerate(artists):
            hand.set_data(*self._strokes(hand.axes, number))

    def _centres(self, axes: Axes) -> np.ndarray:
        wide = axes.get_subplotspec().get_position(axes.figure).width * axes.figure.get_figwidth()
        row, column = np.divmod(np.arange(len(self.labels)), PER_ROW if wide > HALF else IN_HALF)
        return np.stack([PITCH * column, -1.25 * PITCH * row], axis=1)  # (clocks, 2)

    def _strokes(self, axes: Axes, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y of centre, tip and a gap for each clock: shape (3 · clocks,)."""
        angles = self.angles[number]
        x, y = self._centres(axes).T
        gap = np.full_like(x, np.nan)
        along = np.stack([x, x + np.sin(angles), gap], axis=1)
        up = np.stack([y, y + np.cos(angles), gap], axis=1)
        return along.ravel(), up.ravel()
