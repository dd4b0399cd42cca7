"""`Matrix`: a small matrix with its numbers written out, and tokens at its rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Limits, Panel, array, freeze, set_labels, span, tilt
from posenc_viz.style import ON_COLOUR, SEQUENTIAL, SMALL, columns, ink

LARGEST = 12  # rows or columns; beyond this the numbers touch, and a HeatMap is better


@dataclass(frozen=True, eq=False)
class Matrix(Panel):
    """The numbers of `values`, shape (rows, columns), each in its cell, on a colour.

    rows, columns: a label for each (tokens, say). Their order may change from one setting to the
        next: a permutation needs no new frame.
    limits: the values at both ends of the colours; default: those of the data.
    decimals: how many are written. x, y: names of the axes.
    Raises ValueError for more than 12 rows or columns, or labels that do not fit `values`.

    Example:
        >>> weights = Matrix([[0.9, 0.1]], ["query"], ["rat", "cat"], "weights", limits=(0, 1))
        >>> weights.values.tolist()
        [[0.9, 0.1]]
    """

    values: Any
    rows: Sequence[Label]
    columns: Sequence[Label]
    title: Label
    x: Label = ""
    y: Label = ""
    limits: Limits | None = None
    decimals: int = 2
    colours: str = SEQUENTIAL

    def __post_init__(self) -> None:
        """Copy the values, check the labels."""
        values = array(self.values, 2)
        freeze(self, values=values, rows=tuple(self.rows), columns=tuple(self.columns))
        if values.shape != (len(self.rows), len(self.columns)):
            labels = (len(self.rows), len(self.columns))
            raise ValueError(f"values have shape {values.shape}, the labels ask for {labels}")
        if max(values.shape) > LARGEST:
            raise ValueError(f"at most {LARGEST} rows and columns, got {values.shape}: use HeatMap")

    def frame(self) -> Frame:
        """Return shape, limits, names, and the *set* of labels: their order may change."""
        return (
            self.values.shape,
            tuple(sorted(map(readable, self.rows))),
            tuple(sorted(map(readable, self.columns))),
            *(readable(name) for name in (self.x, self.y)),
            span(self.values, self.limits),
            self.colours,
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw colours, numbers and labels; the labels are plain text, so that they can move."""
        height, width = self.values.shape
        image = axes.imshow(
            self.values,
            matplotlib.colormaps[self.colours],
            Normalize(*span(self.values, self.limits)),
            aspect="auto",
            interpolation="nearest",
        )
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        set_labels(axes, self.x, self.y)
        longest_row = max(columns(readable(label)) for label in self.rows)
        axes.xaxis.labelpad = 2 * SMALL
        axes.yaxis.labelpad = (0.6 * longest_row + 1) * SMALL
        below = axes.get_xaxis_transform()
        beside = axes.get_yaxis_transform()
        looks = {"va": "top", "transform": below, **tilt(axes, self.columns)}
        under = [axes.text(i, -0.02, "", **looks) for i in range(width)]
        left = [
            axes.text(-0.02, i, "", va="center", ha="right", transform=beside)
            for i in range(height)
        ]
        cells = [
            axes.text(column, row, "", ha="center", va="center", gid=ON_COLOUR)
            for row in range(height)
            for column in range(width)
        ]
        artists = [image, *under, *left, *cells]
        for words in artists[1:]:
            words.set_fontsize(SMALL)
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Set colours, labels and numbers; numbers are white on dark colours."""
        image, *words = artists
        image.set_data(self.values)
        numbers = [number(value, self.decimals) for value in self.values.flat]
        labels = map(readable, (*self.columns, *self.rows))
        for text, label in zip(words, [*labels, *numbers], strict=True):
            text.set_text(label)
        finite = np.ma.masked_invalid(self.values)  # other values are left white
        colours = image.cmap(image.norm(finite)).reshape(-1, 4)
        for text, rgba in zip(words[-self.values.size :], colours, strict=True):
            text.set_color(ink(rgba))


def number(value: float, decimals: int) -> str:
    """Return the text of a cell with this value."""
    if np.isnan(value):
        return "·"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{round(value, decimals) + 0.0:.{decimals}f}"  # + 0.0: never "-0.00"
