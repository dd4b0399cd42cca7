"""`Head`: one attention head from its input to its output, every matrix with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc_viz.font import Label, readable
from posenc_viz.matrix import number
from posenc_viz.panel import Frame, Panel, array, freeze
from posenc_viz.style import MARK, ON_COLOUR, QUIET, SMALL, ink

Corners = Mapping[str, tuple[float, float]]  # left and top of each matrix, in cells
NAMES = ("x", "q", "k", "v", "scores", "weights", "output")
FORMULAS = (
    "$x$",
    "$Q=xW_Q$",
    "$K=xW_K$",
    "$V=xW_V$",
    r"$S=QK^\top/\sqrt{d}$",
    r"$A=\mathrm{softmax}(S)$",
    "$O=AV$",
)
COLUMN = (0, 1, 1, 1, 2, 3, 4)  # where each matrix stands, from the left
LEVEL = (1, 0, 1, 2, 0.5, 0.5, 1.25)  # and from the top, in matrices
STEPS = (  # from which matrix to which
    ("x", "q"),
    ("x", "k"),
    ("x", "v"),
    ("q", "scores"),
    ("k", "scores"),
    ("scores", "weights"),
    ("weights", "output"),
    ("v", "output"),
)
GAP, ROOM = 2.2, 2.4  # cells between two columns; rows between two matrices, for their names
COLOURS, LARGEST = "RdBu_r", 2.5  # the number that gets the full colour


@dataclass(frozen=True, eq=False)
class Head(Panel):
    """How a head of L tokens and d channels computes: x → Q, K, V → S → softmax → A → output.

    x, q, k, v, output: shape (L, d). scores, weights: (L, L); a masked score is -inf.
    tokens: a label for each row of x. marks: {matrix name: what happens there}, drawn with a frame.
    ValueError if shapes do not fit, or there are more than 4 tokens or channels.

    Example:
        >>> one, pair = [[1.0, 0.0]] * 2, [[0.5, 0.5]] * 2
        >>> head = Head(one, one, one, one, pair, pair, one, "ab", "a head", marks={"q": "turned"})
        >>> head.output.shape
        (2, 2)
    """

    x: Any
    q: Any
    k: Any
    v: Any
    scores: Any
    weights: Any
    output: Any
    tokens: Sequence[Label]
    title: Label
    marks: Mapping[str, Label] | None = None

    def __post_init__(self) -> None:
        """Copy the matrices, check that they fit."""
        matrices = {name: array(getattr(self, name), 2) for name in NAMES}
        freeze(self, **matrices, tokens=tuple(self.tokens), marks=dict(self.marks or {}))
        length, dim = self.x.shape
        shapes = [matrix.shape for matrix in matrices.values()]
        fits = shapes == [(length, dim)] * 4 + [(length, length)] * 2 + [(length, dim)]
        if not fits or len(self.tokens) != length or max(length, dim) > 4:
            raise ValueError(f"at most 4 tokens and channels, all alike; got shapes {shapes}")
        if unknown := self.marks.keys() - set(NAMES):
            raise ValueError(f"marks for no matrix: {sorted(unknown)}")

    @property
    def height(self) -> int:
        """Return more than other panels: three matrices are stacked."""
        return 500

    @property
    def width(self) -> int:
        """Return more than other panels: five matrices are side by side."""
        return 660

    def frame(self) -> Frame:
        """Return the shapes, the marks, and the *set* of tokens: their order may change."""
        marks = tuple((name, readable(label)) for name, label in self.marks.items())
        return (self.x.shape, marks, tuple(sorted(map(readable, self.tokens))))

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw names, shapes, arrows and frames, then the cells, which move."""
        axes.set_axis_off()
        corners = dict(self._corners())
        length = len(self.tokens)
        for name, formula in zip(NAMES, FORMULAS, strict=True):
            (left, top), (rows, columns) = corners[name], getattr(self, name).shape
            shape = {"s": f"({rows}, {columns})", "color": QUIET}
            axes.text(left, top - 0.2, va="bottom", fontsize=SMALL, **shape)
            axes.text(left, top - 1.0, formula, va="bottom", fontsize=SMALL)
            if name in self.marks:
                axes.add_patch(Rectangle((left, top), columns, rows, **_framed()))
                words = {"color": MARK, "fontsize": SMALL, "va": "bottom"}
                axes.text(left + 1.5, top - 0.2, readable(self.marks[name]), **words)
        for source, target in STEPS:
            axes.add_patch(self._arrow(corners, source, target))
        left, top = corners["x"]
        artists: list[Artist] = [
            axes.text(left - 0.3, top + row + 0.5, "", ha="right", va="center", fontsize=SMALL)
            for row in range(length)
        ]
        for name in NAMES:
            (left, top), matrix = corners[name], getattr(self, name)
            for row, column in np.ndindex(matrix.shape):
                cell = Rectangle((left + column, top + row), 1, 1, edgecolor="white", linewidth=0.8)
                at = (left + column + 0.5, top + row + 0.5)
                words = axes.text(*at, "", ha="center", va="center", gid=ON_COLOUR)
                artists += [axes.add_patch(cell), words]
        right = corners["output"][0] + self.x.shape[1]
        axes.set(xlim=(-3.4, right + 0.2), ylim=(3 * (length + ROOM) - 1.2, -1.9))
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Write the tokens, colour the cells, write their numbers."""
        length, norm = len(self.tokens), Normalize(-LARGEST, LARGEST)
        for words, token in zip(artists[:length], self.tokens, strict=True):
            words.set_text(readable(token))
        values = np.concatenate([getattr(self, name).ravel() for name in NAMES])
        shades = matplotlib.colormaps[COLOURS](norm(np.where(np.isfinite(values), values, 0)))
        cells = zip(artists[length::2], artists[length + 1 :: 2], values, shades, strict=True)
        for cell, words, value, shade in cells:
            cell.set_facecolor(shade)
            words.set(text=number(value, 1), color=ink(shade))

    def _corners(self) -> Iterator[tuple[str, tuple[float, float]]]:
        length, dim = self.x.shape
        widths = [dim, dim, length, length, dim]
        for name, column, level in zip(NAMES, COLUMN, LEVEL, strict=True):
            yield name, (sum(widths[:column]) + GAP * column, level * (length + ROOM))

    def _arrow(self, corners: Corners, source: str, target: str) -> Artist:
        rows, columns = getattr(self, source).shape
        start = (corners[source][0] + columns + 0.1, corners[source][1] + rows / 2)
        left, top = corners[target]
        end = (left - 0.1, top + getattr(self, target).shape[0] / 2)
        looks = {"arrowstyle": "-|>", "mutation_scale": 12, "color": QUIET}
        return FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **looks)


def _framed() -> dict[str, Any]:
    return {"fill": False, "edgecolor": MARK, "linewidth": 3, "zorder": 3}
