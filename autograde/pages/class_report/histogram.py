"""The picture of the points: how many submissions lie in each tenth of the scale.

The picture is drawn by the page itself, as SVG in its colours: it is sharp on paper, follows light
and dark, and its numbers can be selected. Lengths are in units of the drawing.
"""

from __future__ import annotations

from dataclasses import dataclass

BINS = 10
WIDTH, HEIGHT = 480, 190
TOP, BOTTOM, SIDE = 24, 32, 16  # room for the counts above, for the scale below, beside it
GAP = 4


@dataclass(frozen=True)
class Bar:
    """One bar: its place in the drawing, its count, and the range of points that it covers."""

    x: float
    y: float
    width: float
    height: float
    count: int
    low: float
    high: float


@dataclass(frozen=True)
class Histogram:
    """The bars, and the scale below them as pairs of place and points."""

    bars: tuple[Bar, ...]
    scale: tuple[tuple[float, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    floor: int = HEIGHT - BOTTOM


def histogram(scores: tuple[float, ...], most: float) -> Histogram:
    """Return the picture of `scores`, points from 0 to `most`; a bar includes its lower end.

    The last bar includes `most` too, and extra credit above it.
    """
    counts = [0] * BINS
    for score in scores:
        counts[_bin(score, most)] += 1
    step = (WIDTH - 2 * SIDE) / BINS
    tall = (HEIGHT - TOP - BOTTOM) / max(1, *counts)
    bars = tuple(
        Bar(
            x=SIDE + index * step + GAP / 2,
            y=HEIGHT - BOTTOM - count * tall,
            width=step - GAP,
            height=count * tall,
            count=count,
            low=most * index / BINS,
            high=most * (index + 1) / BINS,
        )
        for index, count in enumerate(counts)
    )
    scale = tuple((SIDE + edge * step, most * edge / BINS) for edge in range(0, BINS + 1, 2))
    return Histogram(bars, scale)


def _bin(score: float, most: float) -> int:
    share = score / most if most > 0 else 1.0
    return min(max(int(round(share * BINS, 9)), 0), BINS - 1)  # a float just below 3 is 3
