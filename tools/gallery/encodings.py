"""Figures of encodings for docs/gallery.md: each function stands beside its picture."""

from __future__ import annotations

import math

import torch

from bilingual import Text
from posenc_ref import (
    alibi,
    alibi_slopes,
    frequencies,
    ntk_aware,
    ntk_by_parts,
    position_interpolation,
    rope_angles,
    rotate,
    sinusoidal,
    yarn,
)
from posenc_viz import Arrow, Clocks, Curve, Curves, HeatMap, Plane
from posenc_viz.panel import Panel

DISTANCE = Text(en="distance (tokens)", zh="距离（词元）")
POSITION = Text(en="position", zh="位置")


def heat_map() -> Panel:
    """A table as colours."""
    return HeatMap(
        sinusoidal(torch.arange(64), 32),  # (64, 32)
        Text(en="channel", zh="通道"),
        POSITION,
        Text(en="Sinusoidal table, row 20 framed", zh="正弦位置编码表，框出第20行"),
        limits=(-1, 1),
        highlight_rows=[20],
        colours="RdBu_r",
    )


def plane() -> tuple[Panel, Panel]:
    """Arrows in a plane."""
    turned = [Arrow((math.cos(a), math.sin(a)), name) for a, name in ((0.7, "q"), (1.9, "k"))]
    angles = rope_angles(torch.tensor(-1.0), frequencies(8))  # (4,)
    tips = torch.stack((angles.cos(), angles.sin()), -1).cumsum(0)  # (4, 2)
    tails = torch.cat((torch.zeros(1, 2), tips[:-1]))
    sum_ = [
        Arrow(tip, f"ω{i}", tail) for i, (tip, tail) in enumerate(zip(tips, tails, strict=True))
    ]
    axes = {"x": Text(en="even channel", zh="偶数通道"), "y": Text(en="odd channel", zh="奇数通道")}
    title = Text(en="One pair, and the angle between", zh="一对通道，以及两者的夹角")
    return (
        Plane(turned, 1.3, title=title, circles=[1], between=(0, 1), **axes),
        Plane(sum_, 4, title=Text(en="Phasors add up to the score", zh="相量之和就是得分"), **axes),
    )


def clocks() -> Panel:
    """Clock hands of the frequencies."""
    omega = frequencies(16)  # (8,)
    return Clocks(
        rope_angles(torch.tensor([20.0, 15.0]), omega),  # (2, 8)
        [f"ω={w:.2g}" for w in omega.tolist()],
        Text(en="Eight frequencies at 20 and 15", zh="八个频率，在位置20和15"),
        hands=(Text(en="query", zh="查询"), Text(en="key", zh="键")),
    )


def score_by_distance() -> Panel:
    """What distance does to a score."""
    back = torch.arange(60)
    waves = sinusoidal(back, 64)  # (60, 64)
    slower = frequencies(64, base=500000.0)  # (32,)
    ones = torch.ones(1, 1, 60, 64)  # (B, H, L, D)
    turned = rotate(ones, rope_angles(-back, slower), layout="half")[0, 0]  # (60, 64)
    straight = alibi(torch.tensor([0]), -back, alibi_slopes(8))[2, 0]  # head 3 of 8, slope 1/8
    return Curves(
        [
            Curve(back, waves @ waves[0] / 32, Text(en="sinusoidal", zh="正弦")),
            Curve(back, turned.sum(-1) / 64, "RoPE, base 500000"),
            Curve(back, 1 + straight / 8, "1 + ALiBi / 8"),
        ],
        DISTANCE,
        Text(en="score", zh="得分"),
        Text(en="Score against distance", zh="得分随距离的变化"),
        markers=True,
    )


def frequency_scaling() -> Panel:
    """What scaling does to each frequency."""
    pair, plain = torch.arange(32), frequencies(64)  # (32,)
    scaled = {
        "PI": position_interpolation(64, 8.0)[0],
        "NTK-aware": ntk_aware(64, 8.0)[0],
        "NTK-by-parts": ntk_by_parts(64, 8.0, trained_length=2048)[0],
        "YaRN": yarn(64, 8.0, trained_length=2048)[0],
    }
    return Curves(
        [Curve(pair, omega / plain, name) for name, omega in scaled.items()],
        Text(en="pair of channels", zh="通道对"),
        Text(en="new ω / old ω", zh="新ω / 旧ω"),
        Text(en="Four ways to stretch RoPE by 8", zh="把RoPE拉长到8倍的四种办法"),
        y_scale="log",
        markers=True,
    )
