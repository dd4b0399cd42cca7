"""The picture of the museum: base and trained length by year, encodings counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from posenc_viz import Bars, Curve, Curves
from posenc_viz.panel import Panel
from tools.museum import words
from tools.museum.page import IMAGE
from tools.museum.rows import Row
from tools.small_png import small_png

COLOURS = 32  # of the picture
YEARS = (2015, 2027)  # ends of the axis at which every tick is a whole year


def panels(rows: Sequence[Row]) -> list[Panel]:
    """Return the three panels."""
    texts = [row for row in rows if row.year and "rope_2d" not in row.kinds]
    bases = [(row.year, base) for row in texts for base in row.bases if base]
    lengths = [(row.year, row.trained) for row in texts if row.trained]
    counts = Counter(words.SHORT[kind] for row in rows for kind in row.kinds)
    return [
        _dots(bases, words.BASES, words.BASE_TITLE),
        _dots(lengths, words.LENGTHS, words.LENGTH_TITLE),
        Bars(
            [count for _, count in counts.most_common()],
            [name for name, _ in counts.most_common()],
            words.ENCODINGS,
            words.COUNTS,
            words.COUNT_TITLE,
        ),
    ]


def _dots(points: Sequence[tuple[int, float]], y: object, title: object) -> Panel:
    """Return dots over years, those of one year beside one another."""
    among = Counter(year for year, _ in points)
    seen: Counter[int] = Counter()
    across = []
    for year, _ in points:
        seen[year] += 1
        across.append(year + 0.8 * (seen[year] / (among[year] + 1) - 0.5))
    heights = [height for _, height in points]
    ends = (min(heights) / 2, max(heights) * 2)  # or the outermost dots are cut in half
    points = [Curve(across, heights, "", "o")]
    return Curves(points, words.YEAR, y, title, x_limits=YEARS, y_limits=ends, y_scale="log")


def pictures(rows: Sequence[Row]) -> dict[Path, bytes]:
    """Return the picture, by its path."""
    return {IMAGE: small_png(panels(rows), COLOURS)}
