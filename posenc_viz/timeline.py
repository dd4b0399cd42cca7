"""`Timeline`: a cache as tokens arrive: which key is kept at each step, and at which position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Panel, array, freeze, set_labels, tilt
from posenc_viz.style import MARK, ON_COLOUR, QUIET, SEQUENTIAL, SMALL, ink

LARGEST = 16  # steps or keys; beyond this the numbers touch, and a HeatMap is better
EVICTED = "×"


@dataclass(frozen=True, eq=False)
class Timeline(Panel):
    """A row for each step, a column for each key; a cell's number is the key's position.

    positions: shape (steps, keys); NaN where a key is not in the cache: blank before it arrives,
        a cross once it is evicted.
    keys: a label for each (the tokens). step: the present row, framed; later rows are not drawn.
        Default: the last.
    ValueError for more than 16 steps or keys, or if labels or step do not fit.

    Example:
        >>> nan = float("nan")
        >>> kept = [[0, nan, nan], [0, 1, nan], [nan, 1, 2]]  # a window of two
        >>> Timeline(kept, "abc", "key", "step", "window").words()
        [['0', '', ''], ['0', '1', ''], ['×', '1', '2']]
    """

    positions: Any
    keys: Sequence[Label]
    x: Label
    y: Label
    title: Label
    step: int | None = None

    def __post_init__(self) -> None:
        """Copy the positions, check size, labels and step."""
        positions = array(self.positions, 2)
        steps, keys = positions.shape
        now = steps - 1 if self.step is None else self.step
        freeze(self, positions=positions, keys=tuple(self.keys), step=now)
        if len(self.keys) != keys:
            raise ValueError(f"positions of {keys} keys, but {len(self.keys)} labels")
        if max(steps, keys) > LARGEST:
            raise ValueError(f"at most {LARGEST} steps and keys, got {positions.shape}")
        if not 0 <= now < steps:
            raise ValueError(f"step must be between 0 and {steps - 1}, got {now}")

    def words(self) -> list[list[str]]:
        """Return the text of each cell: a position, `×` for an evicted key, or ""."""
        present = np.isfinite(self.positions)
        gone = np.maximum.accumulate(present, axis=0) & ~present
        rows = np.where(gone, EVICTED, "").tolist()
        for step, key in np.argwhere(present).tolist():
            rows[step][key] = f"{self.positions[step, key]:g}"
        return [row if step <= self.step else [""] * len(row) for step, row in enumerate(rows)]

    def frame(self) -> Frame:
        """Return shape, labels, and the colours' range."""
        labels = (readable(label) for label in (self.x, self.y, *self.keys))
        return (self.positions.shape, self._span(), *labels)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw an empty grid with its labels, then the cache after each step so far."""
        steps, keys = self.positions.shape
        colours = matplotlib.colormaps[SEQUENTIAL]
        norm = Normalize(*self._span())
        image = axes.imshow(self._values(), colours, norm, aspect="auto", interpolation="nearest")
        names = [readable(key) for key in self.keys]
        axes.set_xticks(range(keys), labels=names, **tilt(axes, self.keys))
        axes.set_yticks(range(steps))
        axes.set_xticks(np.arange(keys + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(steps + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="#dddddd")  # seen where the table is blank
        axes.tick_params(which="both", length=0)
        set_labels(axes, self.x, self.y)
        cells = [
            axes.text(key, step, "", ha="center", va="center", fontsize=SMALL, gid=ON_COLOUR)
            for step in range(steps)
            for key in range(keys)
        ]
        box = Rectangle((-0.5, -0.5), keys, 1, fill=False, edgecolor=MARK, linewidth=3)
        artists: list[Artist] = [image, *cells, axes.add_patch(box)]
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Set colours, positions and crosses, and frame the present step."""
        image, *cells, box = artists
        values = self._values()
        image.set_data(values)
        box.set_y(self.step - 0.5)
        colours = image.cmap(image.norm(values)).reshape(-1, 4)
        texts = [words for row in self.words() for words in row]
        for cell, words, rgba in zip(cells, texts, colours, strict=True):
            cell.set_text(words)
            cell.set_color(QUIET if words == EVICTED else ink(rgba))

    def _values(self) -> np.ndarray:
        later = np.arange(len(self.positions)) > self.step
        return np.where(later[:, None], np.nan, self.positions)

    def _span(self) -> tuple[float, float]:
        return 0.0, float(max(self.positions.shape) - 1)
