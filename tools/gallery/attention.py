"""Figures of attention for docs/gallery.md: each function stands beside its picture."""

from __future__ import annotations

import torch

from bilingual import Text
from posenc_ref import (
    alibi,
    alibi_slopes,
    t5_bucket,
)
from posenc_viz import Bars, Curve, Curves, Head, History, Matrix, Ruler, Timeline
from posenc_viz.panel import Panel

TOKENS = [Text(en=en, zh=zh) for en, zh in (("cat", "猫"), ("catches", "抓"), ("mouse", "老鼠"))]


def ruler() -> Panel:
    """Which bucket a distance falls into."""
    back = torch.arange(140)
    return Ruler(
        [t5_bucket(-back, bidirectional=both).tolist() for both in (False, True)],
        Text(en="distance back (tokens)", zh="往前的距离（词元）"),
        Text(en="T5's buckets: wider and wider", zh="T5的桶：越来越宽"),
        strips=(Text(en="decoder", zh="解码器"), Text(en="encoder", zh="编码器")),
        mark=40,
    )


def attention_with_bias() -> tuple[Panel, ...]:
    """Scores, bias, and the weights of their sum."""
    at = torch.arange(3)
    scores = torch.tensor([[1.0, 0.2, 0.6], [0.9, 0.3, 0.1], [1.4, 0.5, 0.8]])
    bias = alibi(at, at, alibi_slopes(8))[0]  # (3, 3)
    bias = bias.masked_fill(at > at[:, None], -torch.inf)  # no query sees a later key
    titles = Text(en="scores", zh="得分"), Text(en="bias", zh="偏置"), Text(en="weights", zh="权重")
    values = scores, bias, (scores + bias).softmax(-1)
    limits = (-1.0, 1.5), (-1.0, 1.5), (0.0, 1.0)
    matrices = zip(values, titles, limits, strict=True)
    return tuple(Matrix(v, TOKENS, TOKENS, title, limits=ends) for v, title, ends in matrices)


def timeline() -> tuple[Panel, Panel]:
    """Which key stands at which position as tokens arrive."""
    stored, renumbered = torch.full((2, 8, 8), torch.nan)
    for step in range(8):
        cached = [key for key in range(step + 1) if key < 1 or key > step - 4]  # a sink, a window
        stored[step, cached] = torch.tensor(cached, dtype=torch.float32)
        renumbered[step, cached] = torch.arange(len(cached), dtype=torch.float32)
    axes = {"x": Text(en="key", zh="键"), "y": Text(en="step", zh="步"), "step": 6}
    names = Text(en="As stored", zh="按存下的位置"), Text(en="Renumbered", zh="重新编号")
    first, second = (
        Timeline(positions, "ABCDEFGH", title=name, **axes)
        for positions, name in zip((stored, renumbered), names, strict=True)
    )
    return first, second


def loss_by_position() -> Panel:
    """What a longer memory gains."""

    def best_loss(seen: int) -> float:  # of the next toss of a coin, any bias equally likely
        heads = torch.arange(seen + 1)
        guess = (heads + 1) / (seen + 2)  # Laplace's rule
        return float(-2 * (guess * guess.log()).mean())

    at = range(64)
    windows = {Text(en=f"window {w}", zh=f"窗口{w}"): w for w in (4, 16, 64)}
    return Curves(
        [Curve(at, [best_loss(min(p, w)) for p in at], name) for name, w in windows.items()],
        Text(en="position", zh="位置"),
        Text(en="expected loss (nats)", zh="期望损失（nat）"),
        Text(
            en="Loss against position: a longer memory pays", zh="损失随位置的变化：记忆越长越划算"
        ),
        markers=True,
    )


def bars() -> Panel:
    """One value for each token."""
    return Bars(
        torch.tensor([1.4, 0.5, 0.8]).softmax(-1),
        TOKENS,
        Text(en="key", zh="键"),
        Text(en="weight", zh="权重"),
        Text(en="One row of attention", zh="注意力的一行"),
        limits=(0, 1),
    )


def head() -> Panel:
    """A whole head with its numbers; the position comes in where it is framed."""
    rng = torch.Generator().manual_seed(1)
    x, W_Q, W_K, W_V = torch.randn(4, 3, 3, generator=rng)
    q, k, v, at = x @ W_Q, x @ W_K, x @ W_V, torch.arange(3)
    scores = q @ k.T / 3**0.5 + alibi(at, at, torch.tensor([0.5]), form="symmetric")[0]
    weights = scores.softmax(-1)
    title = Text(en="A head with ALiBi's bias", zh="带ALiBi偏置的一个头")
    bias = {"scores": Text(en="+ bias", zh="+偏置")}
    return Head(x, q, k, v, scores, weights, weights @ v, TOKENS, title, marks=bias)


def history() -> Panel:
    """When works came out, a band for each family."""
    works = {
        Text(en="absolute", zh="绝对"): [(2017.4, "Transformer"), (2018.8, "BERT")],
        Text(en="relative", zh="相对"): [(2018.2, "Shaw"), (2019.0, "Transformer-XL")],
        Text(en="rotary", zh="旋转"): [(2021.25, "RoPE"), (2023.4, "PI"), (2023.6, "YaRN")],
    }
    return History(works, Text(en="year", zh="年份"), Text(en="Seven works", zh="七项工作"))
