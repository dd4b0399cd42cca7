"""The base of all panels: a panel describes one picture, as data.

A panel is a frozen dataclass. It draws itself into axes, and it can also move the artists that an
earlier panel left there, if both have the same type and `frame`. So a picture can be tested without
drawing it, and a slider redraws only what moved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis

from posenc_viz.font import Label, readable
from posenc_viz.style import SMALL, columns, letters, wrap

Frame = tuple[Hashable, ...]
Limits = tuple[float, float]
Ticks = Mapping[float, Label] | Sequence[Label]


class Panel(ABC):
    """One picture in a figure. Subclasses are frozen dataclasses with a `title`."""

    title: Label

    @property
    def height(self) -> int:
        """Return its height in pixels when it is alone in a row of a figure."""
        return 380

    @property
    def width(self) -> int:
        """Return its least legible width in pixels; a narrower page scales it down."""
        return 0

    @abstractmethod
    def frame(self) -> Frame:
        """Return all that `update` cannot move: labels as the reader sees them, limits, ticks, …"""

    @abstractmethod
    def draw(self, axes: Axes) -> list[Artist]:
        """Draw into empty `axes`; return the artists that `update` moves, in drawing order."""

    @abstractmethod
    def update(self, artists: Sequence[Artist]) -> None:
        """Move `artists`, drawn by a panel of the same type and frame, to show this panel."""


def array(values: Any, dimensions: int) -> np.ndarray:
    """Return `values` (numbers, an array or a tensor on any device) as a read-only float64 copy.

    Raises ValueError when it does not have `dimensions` dimensions, or is empty.
    """
    if hasattr(values, "detach"):  # a tensor: bfloat16 and the like have no numpy type
        values = values.detach().cpu().double().numpy()
    copied = np.array(values, dtype=np.float64)
    if copied.ndim != dimensions or not copied.size:
        raise ValueError(f"needs {dimensions} dimension(s), not empty; got shape {copied.shape}")
    copied.setflags(write=False)
    return copied


def rows(values: Any) -> np.ndarray:
    """Return `values` as such a copy of shape (rows, n); shape (n,) is one row."""
    return array(values, 1)[None] if np.ndim(values) == 1 else array(values, 2)


def span(values: np.ndarray, limits: Limits | None, margin: float = 0.0) -> Limits:
    """Return `limits`, or else those of the finite `values`, wider by `margin` of their range."""
    if limits is not None:
        return float(limits[0]), float(limits[1])
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if low == high:
        return low - 0.5, high + 0.5
    return low - margin * (high - low), high + margin * (high - low)


def ticks(labels: Ticks | None) -> tuple[tuple[float, str], ...] | None:
    """Return (place, readable label) pairs; a plain list labels the places 0, 1, 2, …."""
    if labels is None:
        return None
    pairs = labels.items() if isinstance(labels, Mapping) else enumerate(labels)
    return tuple((float(place), readable(label)) for place, label in pairs)


def set_ticks(axis: Axis, labels: Ticks | None) -> None:
    """Put ticks with `labels` on `axis`, if there are any."""
    if (pairs := ticks(labels)) is not None:
        axis.set_ticks([place for place, _ in pairs], labels=[label for _, label in pairs])


def set_labels(axes: Axes, x: Label, y: Label) -> None:
    """Name both axes, in the reader's language; a name too long for its axis takes more lines."""
    axes.set_xlabel(_fitted(x, axes.bbox.width, axes.figure.dpi), fontsize=SMALL)
    axes.set_ylabel(_fitted(y, axes.bbox.height, axes.figure.dpi), fontsize=SMALL)


def tilt(axes: Axes, labels: Sequence[Label]) -> dict[str, Any]:
    """Return the text settings of `labels` below `axes`: tilted if they would touch."""
    longest = max(columns(readable(label)) for label in labels)
    crowded = (longest + 1) * len(labels) > letters(axes.bbox.width, axes.figure.dpi)
    return {"rotation": 30, "ha": "right"} if crowded else {"ha": "center"}


def _fitted(label: Label, pixels: float, dpi: float) -> str:
    fitting = letters(pixels, dpi)
    one_line = readable(label)
    if columns(one_line) <= fitting:
        return one_line
    return wrap(readable(label, separator="\n"), fitting)


def freeze(panel: object, **values: object) -> None:
    """Set fields of a frozen dataclass from its `__post_init__`."""
    for name, value in values.items():
        object.__setattr__(panel, name, value)
