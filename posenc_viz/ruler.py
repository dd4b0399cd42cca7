"""`Ruler`: the bucket of each distance, as strips that are cut where a bucket ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Panel, freeze, rows, set_labels
from posenc_viz.style import MARK, ON_COLOUR, SEQUENTIAL, SMALL, ink, letters

Run = tuple[int, int, float]  # first place, one past the last, bucket
WIDEST = 1.5  # points: width of a cut, which is also at most 0.3 of a place


@dataclass(frozen=True, eq=False)
class Ruler(Panel):
    """The bucket of each place: `buckets` of shape (places,), or (strips, places).

    strips: a name for each strip. first: the distance at the first place; the next is one more.
    mark: a distance to point at. A bucket's number is written if there is room for it.

    Example:
        >>> Ruler([0, 1, 2, 2, 3, 3, 3], "distance", "buckets").runs()
        [[(0, 1, 0.0), (1, 2, 1.0), (2, 4, 2.0), (4, 7, 3.0)]]
    """

    buckets: Any
    x: Label
    title: Label
    strips: Sequence[Label] = ("",)
    first: int = 0
    mark: int | None = None

    def __post_init__(self) -> None:
        """Copy the buckets as (strips, places); ValueError if names or mark do not fit."""
        freeze(self, buckets=rows(self.buckets), strips=tuple(self.strips))
        if len(self.strips) != len(self.buckets):
            raise ValueError(f"{len(self.buckets)} strips, but {len(self.strips)} names")
        last = self.first + self.buckets.shape[1] - 1
        if self.mark is not None and not self.first <= self.mark <= last:
            raise ValueError(f"mark must be {self.first} to {last}, got {self.mark}")

    def runs(self) -> list[list[Run]]:
        """Return for each strip the stretches of places that share a bucket."""
        strips = []
        for row in self.buckets:
            cuts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
            strips.append([(start, end, float(row[start])) for start, end in pairwise(cuts)])
        return strips

    def frame(self) -> Frame:
        """Return shape, labels, range of buckets, and how many stretches each strip has."""
        return (
            self.buckets.shape,
            self.first,
            self.mark is None,
            *(readable(label) for label in (self.x, *self.strips)),
            (float(self.buckets.min()), float(self.buckets.max())),
            tuple(map(len, self.runs())),
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw the strips, then cuts, numbers and the mark, which move."""
        strips, places = self.buckets.shape
        extent = (self.first - 0.5, self.first + places - 0.5, strips - 0.5, -0.5)
        colours = matplotlib.colormaps[SEQUENTIAL]
        image = axes.imshow(
            self.buckets, colours, extent=extent, aspect="auto", interpolation="nearest"
        )
        axes.set_yticks(range(strips), labels=[readable(name) for name in self.strips])
        axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True))
        axes.axhline(-0.5, color="black", linewidth=0.8)
        set_labels(axes, self.x, "")
        cuts = axes.plot([], [], color="white")
        numbers = [
            axes.text(0, strip, "", ha="center", va="center", fontsize=SMALL, gid=ON_COLOUR)
            for strip, runs in enumerate(self.runs())
            for _ in runs
        ]
        edges = np.arange(1, strips) - 0.5
        gaps = [axes.axhline(edge, color="white", linewidth=8) for edge in edges]
        artists: list[Artist] = [image, *gaps, *cuts, *numbers]
        if self.mark is not None:
            artists.append(axes.axvline(self.mark, color=MARK, linewidth=3))
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Colour the strips, cut them, write the numbers that fit, move the mark."""
        image, (cuts, *numbers) = artists[0], artists[len(self.strips) :]
        if self.mark is not None:
            numbers.pop().set_xdata([self.mark, self.mark])
        image.set_data(self.buckets)
        at = [(start, strip) for strip, runs in enumerate(self.runs()) for start, _, _ in runs]
        left, strip = np.array(at, dtype=float).T
        up = strip[:, None] + (-0.5, 0.5, np.nan)  # from edge to edge, then a gap
        cuts.set_data(np.repeat(self.first + left - 0.5, 3), up.ravel())
        width, places = image.axes.bbox.width, self.buckets.shape[1]
        cuts.set_linewidth(min(WIDEST, 0.3 * 72 / image.figure.dpi * width / places))
        letters_per_place = letters(width, image.figure.dpi) / places
        every_run = [run for runs in self.runs() for run in runs]
        colours = image.cmap(image.norm([bucket for _, _, bucket in every_run]))
        for words, (start, end, bucket), rgba in zip(numbers, every_run, colours, strict=True):
            number = f"{bucket:g}"
            low, high = self._free(self.first + start - 0.5, self.first + end - 0.5)
            words.set_x((low + high) / 2)
            words.set_text(number if len(number) + 0.6 <= (high - low) * letters_per_place else "")
            words.set_color(ink(rgba))

    def _free(self, low: float, high: float) -> tuple[float, float]:
        """Return the stretch from `low` to `high`; if the mark cuts it, its longer part."""
        if self.mark is None or not low < self.mark < high:
            return low, high
        return max((low, self.mark), (self.mark, high), key=lambda part: part[1] - part[0])
