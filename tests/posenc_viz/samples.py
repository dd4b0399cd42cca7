"""One maker for each kind of panel: two settings of it, same frame, different data."""

import numpy as np

from bilingual import Text
from posenc_viz import Bars, Clocks, Curve, Curves, HeatMap, Matrix

TITLE = Text(en="A title with $x^2$", zh="带公式$x^2$的标题")
X = Text(en="distance (tokens)", zh="距离（词元）")
Y = Text(en="value", zh="数值")
TOKENS = ("老鼠", "抓", "猫", "rat")


def numbers(seed, *shape):
    return np.random.default_rng(seed).uniform(-1, 1, shape)


def heat_map(seed):
    return HeatMap(
        numbers(seed, 8, 6),
        X,
        Y,
        Text(en=f"{TITLE.en}: {seed}", zh=f"{TITLE.zh}：{seed}"),
        limits=(-1, 1),
        highlight_row=seed,
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


MAKERS = (heat_map, matrix, curves, bars, clocks)
