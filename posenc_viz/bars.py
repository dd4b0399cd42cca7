"""`Bars`: one bar for each of a few named values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Limits, Panel, array, freeze, set_labels, set_ticks, span, ticks
from posenc_viz.style import COLOURS

MANY_STEPS = 5  # on a longer axis, ticks between whole numbers are of no use


@dataclass(frozen=True, eq=False)
class Bars(Panel):
    """Bars of heights `values`, shape (bars,), each with its label under it.

    limits: the ends of the value axis; default: those of the data and zero.

    Example:
        >>> Bars([3, -1], ["rat", "cat"], "token", "score", "scores").values.tolist()
        [3.0, -1.0]
    """

    values: Any
    labels: Sequence[Label]
    x: Label
    y: Label
    title: Label
    limits: Limits | None = None

    def __post_init__(self) -> None:
        """Copy the values, check the labels."""
        freeze(self, values=array(self.values, 1), labels=tuple(self.labels))
        if len(self.labels) != len(self.values):
            raise ValueError(f"{len(self.values)} bars, but {len(self.labels)} labels")

    def frame(self) -> Frame:
        """Return labels and limits."""
        return (readable(self.x), readable(self.y), ticks(self.labels), self._span())

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw the bars on a line at zero."""
        bars = axes.bar(np.arange(len(self.values)), self.values, color=COLOURS[0], width=0.7)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_ylim(self._span())
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=np.ptp(self._span()) > MANY_STEPS))
        set_ticks(axes.xaxis, self.labels)
        set_labels(axes, self.x, self.y)
        return list(bars)

    def update(self, artists: Sequence[Artist]) -> None:
        """Set the heights."""
        for bar, value in zip(artists, self.values, strict=True):
            bar.set_height(value)

    def _span(self) -> Limits:
        return span(np.append(self.values, 0.0), self.limits, margin=0.05)
