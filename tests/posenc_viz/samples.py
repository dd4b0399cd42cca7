"""One maker for each kind of panel: two settings of it, same frame, different data."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bilingual import Text
from posenc_viz import (
    Arrow,
    Bars,
    Clocks,
    Curve,
    Curves,
    Head,
    HeatMap,
    History,
    Matrix,
    Plane,
    Ruler,
    Timeline,
)

TITLE = Text(en="A title with $x^2$", zh="带公式$x^2$的标题")
X = Text(en="distance (tokens)", zh="距离（词元）")
Y = Text(en="value", zh="数值")
TOKENS = ("老鼠", "抓", "猫", "rat")


def numbers(seed, *shape):
    return np.random.default_rng(seed).uniform(-1, 1, shape)


def drawn(panel):
    """Return the artists of a panel in a figure of its own."""
    figure = Figure()
    FigureCanvasAgg(figure)
    return panel.draw(figure.subplots())


def heat_map(seed):
    return HeatMap(
        numbers(seed, 8, 6),
        X,
        Y,
        Text(en=f"{TITLE.en}: {seed}", zh=f"{TITLE.zh}：{seed}"),
        limits=(-1, 1),
        highlight_rows=[seed],
        x_ticks={0: "0", 3: Text(en="middle", zh="中间")},
        colour_label=Y,
    )


def matrix(seed):
    order = np.roll(TOKENS, seed)
    return Matrix(numbers(seed, 4, 4), order, order, TITLE, x=X, y=Y, limits=(-1, 1))


def curves(seed):
    x = np.arange(30)
    return Curves(
        [Curve(x, numbers(seed, 30), Y), Curve(x, numbers(seed + 9, 30), X, style="o")],
        X,
        Y,
        TITLE,
        y_limits=(-1, 1),
        markers=True,
        vlines=[seed],
    )


def bars(seed):
    return Bars(numbers(seed, 4), TOKENS, X, Y, TITLE, limits=(-1, 1))


def clocks(seed):
    return Clocks(numbers(seed, 2, 9), [f"$\\omega_{i}$" for i in range(9)], TITLE, hands=(X, Y))


def plane(seed):
    first, second, tail = numbers(seed, 3, 2)
    arrows = [Arrow(first, X), Arrow(second, "k"), Arrow(first + tail, Y, tail=first)]
    return Plane(arrows, 2, X, Y, TITLE, circles=[1], between=(0, 1))


def ruler(seed):
    cuts = np.array([1, 2, 5, 20]) + seed  # other places, the same number of buckets
    buckets = np.digitize(np.arange(40), cuts)
    return Ruler([buckets, buckets[::-1]], X, TITLE, strips=(X, Y), first=-5, mark=seed)


def timeline(seed):
    keys = np.arange(6)
    positions = np.where(np.abs(keys[:, None] - keys - 1) <= 1, keys + 0.0, np.nan)
    return Timeline(positions, (*TOKENS, "a", "b"), X, Y, TITLE, step=seed)


def head(seed):
    x, q, k, v, output = numbers(seed, 5, 3, 4)
    scores = numbers(seed, 3, 3) + np.where(np.tri(3), 0, -np.inf)
    order = np.roll(TOKENS[:3], seed)
    return Head(x, q, k, v, scores, np.exp(scores), output, order, TITLE, marks={"x": Y})


MAKERS = (heat_map, matrix, curves, bars, clocks, plane, ruler, timeline, head)
STILL = History({X: [(2017.5, "one"), (2018.0, "two")], Y: [(2021.0, "three")]}, X, TITLE)
