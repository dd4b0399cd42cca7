"""`HeatMap`: a table of numbers as colours, row 0 at the top, as a matrix is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Limits, Panel, Ticks, array, freeze, set_labels, set_ticks
from posenc_viz.panel import span as limits_of
from posenc_viz.panel import ticks as tick_pairs
from posenc_viz.style import MARK, SEQUENTIAL, SMALL


@dataclass(frozen=True, eq=False)
class HeatMap(Panel):
    """Colours for `values` of shape (rows, columns), with a colour bar.

    limits: the values at both ends of the colours (default: the least and greatest finite value;
        give them in `explore`, so that a colour means the same at every setting).
    highlight_rows: the indices of rows to frame.
    x_ticks, y_ticks: {column or row: label}, or one label each; default: the indices.
    square: make cells square, if both axes have the same unit: an image, tokens.
    colours: a matplotlib colour map; "RdBu_r" with symmetric limits suits signed values.
    Values that are not finite (a masked score, -inf) are left white.

    Example:
        >>> HeatMap([[0.0, 1.0], [1.0, 0.0]], "channel", "position", "a table").values.shape
        (2, 2)
    """

    values: Any
    x: Label
    y: Label
    title: Label
    limits: Limits | None = None
    highlight_rows: Sequence[int] = ()
    x_ticks: Ticks | None = None
    y_ticks: Ticks | None = None
    colour_label: Label | None = None
    colours: str = SEQUENTIAL
    square: bool = False

    def __post_init__(self) -> None:
        """Copy the values; ValueError if there is no such row to frame."""
        freeze(self, values=array(self.values, 2))
        if not {*self.highlight_rows} <= {*range(len(self.values))}:
            end = len(self.values) - 1
            raise ValueError(f"highlight_rows must be 0 to {end}, got {self.highlight_rows}")

    def frame(self) -> Frame:
        """Return shape, labels, limits and ticks."""
        return (
            self.values.shape,
            *(readable(label) for label in (self.x, self.y, self.colour_label or "")),
            limits_of(self.values, self.limits),
            self._whole(),
            tick_pairs(self.x_ticks),
            tick_pairs(self.y_ticks),
            len(self.highlight_rows),
            self.square,
            self.colours,
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw the table and its colour bar."""
        low, high = limits_of(self.values, self.limits)
        colours = matplotlib.colormaps[self.colours]
        looks = {"aspect": "equal" if self.square else "auto", "interpolation": "nearest"}
        image = axes.imshow(self.values, colours, vmin=low, vmax=high, **looks)
        for axis, ticks in ((axes.xaxis, self.x_ticks), (axes.yaxis, self.y_ticks)):
            axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
            set_ticks(axis, ticks)
        set_labels(axes, self.x, self.y)
        beside = axes.inset_axes((1.04, 0, 0.05, 1))  # as high as the table, whatever its shape
        bar = axes.figure.colorbar(image, cax=beside)
        if self._whole():
            bar.locator = MaxNLocator(nbins=6, integer=True)
        bar.set_label(readable(self.colour_label or ""), fontsize=SMALL)
        width = self.values.shape[1]
        box = partial(Rectangle, (-0.5, 0), width, 1, fill=False, edgecolor=MARK, linewidth=2.5)
        artists = [image, *(axes.add_patch(box()) for _ in self.highlight_rows)]
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Set the colours and the framed rows."""
        image, *boxes = artists
        image.set_data(self.values)
        for box, row in zip(boxes, self.highlight_rows, strict=True):
            box.set_y(row - 0.5)

    def _whole(self) -> bool:
        """Return whether all values are whole numbers; the bar's ticks then are too."""
        return np.array_equal(self.values, np.round(self.values), equal_nan=True)
