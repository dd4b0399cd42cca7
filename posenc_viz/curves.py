"""`Curves`: lines or points over a common axis, told apart by colour *and* stroke *and* marker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter, NullLocator
from matplotlib.transforms import ScaledTranslation

from posenc_viz.font import Label, readable
from posenc_viz.panel import Frame, Limits, Panel, array, freeze, set_labels, span
from posenc_viz.style import COLOURS, LINES, MARKERS, QUIET, SMALL, columns, letters

Scale = Literal["linear", "log"]
SHORT = 300  # ratio of ends below which a log axis has room for numbers between powers of ten
FEW = range(3, 8)  # numbers of ticks: enough for an axis, too few to touch


@dataclass(frozen=True, eq=False)
class Curve:
    """The points (x[i], y[i]), and what the legend calls them ("" for nothing).

    style: a matplotlib format such as "o" (points alone), "--", "-s"; default: the next stroke.
    colour: the number of a colour that several curves share; default: the curve's own.
    """

    x: Any
    y: Any
    label: Label = ""
    style: str | None = None
    colour: int | None = None

    def __post_init__(self) -> None:
        """Copy the points; ValueError if they do not pair up, or there is no such colour."""
        freeze(self, x=array(self.x, 1), y=array(self.y, 1))
        if self.colour is not None and self.colour not in range(len(COLOURS)):
            raise ValueError(f"colour must be 0 to {len(COLOURS) - 1}, got {self.colour}")
        if self.x.shape != self.y.shape:
            raise ValueError(f"x has shape {self.x.shape}, y has {self.y.shape}")


@dataclass(frozen=True, eq=False)
class Curves(Panel):
    """One or more `Curve`s with a legend below the axes, where it hides nothing.

    x_limits, y_limits: the ends of the axes; default: those of the data (give them in `explore`).
    x_scale, y_scale: "linear" or "log"; "log" ticks at the points if they are few.
    markers: mark about twelve points on each line.
    vlines: where to draw dashed vertical guides; they may move with a slider.

    Example:
        >>> falling = Curve([1, 2, 3], [3.0, 1.0, 0.5], "RoPE")
        >>> Curves(falling, "distance", "score", "far is weak").curves[0].y.tolist()
        [3.0, 1.0, 0.5]
    """

    curves: Sequence[Curve]
    x: Label
    y: Label
    title: Label
    x_limits: Limits | None = None
    y_limits: Limits | None = None
    markers: bool = False
    vlines: Sequence[float] = ()
    x_scale: Scale = "linear"
    y_scale: Scale = "linear"

    def __post_init__(self) -> None:
        """Copy the list, check it."""
        curves = (self.curves,) if isinstance(self.curves, Curve) else tuple(self.curves)
        if not 0 < len(curves) <= len(COLOURS):
            raise ValueError(f"1 to {len(COLOURS)} curves can be told apart, got {len(curves)}")
        freeze(self, curves=curves, vlines=tuple(map(float, self.vlines)))

    def frame(self) -> Frame:
        """Return labels, limits, scales, and what each curve looks like."""
        return (
            *(readable(label) for label in (self.x, self.y)),
            self._x_span(),
            self._y_span(),
            self.x_scale,
            self.y_scale,
            self.markers,
            len(self.vlines),
            self._ticks(),
            tuple((readable(curve.label), curve.style, curve.colour) for curve in self.curves),
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw guides, curves and legend."""
        axes.set(xscale=self.x_scale, yscale=self.y_scale)
        if ticks := self._ticks():
            axes.set_xticks(ticks, labels=[f"{tick:g}" for tick in ticks])
            axes.xaxis.set_minor_locator(NullLocator())
        for axis, ends, scale in (
            (axes.xaxis, self._x_span(), "" if ticks else self.x_scale),
            (axes.yaxis, self._y_span(), self.y_scale),
        ):
            if scale == "log" and ends[1] < SHORT * ends[0]:
                axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                axis.set_major_formatter(FormatStrFormatter("%g"))
                axis.set_minor_formatter(NullFormatter())
        axes.set(xlim=self._x_span(), ylim=self._y_span())
        axes.grid(alpha=0.3)
        set_labels(axes, self.x, self.y)
        guides = [axes.axvline(at, color=QUIET, linestyle="--") for at in self.vlines]
        lines = [self._line(axes, number, curve) for number, curve in enumerate(self.curves)]
        artists: list[Artist] = [*guides, *lines]
        if any(curve.label for curve in self.curves):
            self._add_legend(axes)  # below the axes, so it need not be redrawn
        self.update(artists)
        return artists

    def update(self, artists: Sequence[Artist]) -> None:
        """Move guides and curves."""
        guides, lines = artists[: len(self.vlines)], artists[len(self.vlines) :]
        for guide, at in zip(guides, self.vlines, strict=True):
            guide.set_xdata([at, at])
        for line, curve in zip(lines, self.curves, strict=True):
            line.set_data(curve.x, curve.y)
            line.set_markevery(max(1, len(curve.x) // 12) if self.markers else None)

    def _line(self, axes: Axes, number: int, curve: Curve) -> Artist:
        shade = COLOURS[number if curve.colour is None else curve.colour]
        looks = {"color": shade, "linewidth": 2.2, "markersize": 7}
        stroke = () if curve.style is None else (curve.style,)
        if not stroke:
            looks["linestyle"] = LINES[number]
            looks["marker"] = MARKERS[number] if self.markers else None
        name = readable(curve.label) or "_nolegend_"
        return axes.plot(curve.x, curve.y, *stroke, label=name, **looks)[0]

    def _add_legend(self, axes: Axes) -> None:
        widest = 6 + max(columns(readable(curve.label)) for curve in self.curves)  # letters
        under = ScaledTranslation(0, -3.6 * SMALL / 72, axes.figure.dpi_scale_trans)
        axes.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            bbox_transform=axes.transAxes + under,
            ncols=max(1, int(letters(axes.bbox.width, axes.figure.dpi) / widest)),
            fontsize=SMALL,
            handlelength=3,
            frameon=False,
            borderpad=0,
        )

    def _ticks(self) -> tuple[float, ...]:
        """Return the points of a logarithmic axis, such as lengths that were tested, if few."""
        points = np.unique(np.concatenate([curve.x for curve in self.curves])).tolist()
        return tuple(points) if self.x_scale == "log" and len(points) in FEW else ()

    def _x_span(self) -> Limits:
        every = np.concatenate([curve.x for curve in self.curves])
        return _span(every, self.x_limits, self.x_scale)

    def _y_span(self) -> Limits:
        every = np.concatenate([curve.y for curve in self.curves])
        return _span(every, self.y_limits, self.y_scale, margin=0.05)


def _span(values: np.ndarray, limits: Limits | None, scale: Scale, margin: float = 0.0) -> Limits:
    """Return the ends of an axis; both are positive if it is logarithmic and sets no limits."""
    if limits is not None or scale == "linear":
        return span(values, limits, margin)
    positive = values[np.isfinite(values) & (values > 0)]
    low, high = (positive.min(), positive.max()) if positive.size else (1.0, 10.0)
    return (float(low), float(high)) if low < high else (low / 2, 2 * low)
