"""Rotations whose code a learner does not see: right ones, and one broken in each of many ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bilingual import Text

Pair = tuple[Tensor, Tensor]
Program = Callable[..., Pair]  # turn(q, k, start=0), both (B, H, L, D)


@dataclass(frozen=True)
class Rope:
    """What a right RoPE may choose: layout of the pairs, base, share of channels that turn."""

    layout: str
    base: float
    share: float

    @property
    def en(self) -> str:
        """Return it in English."""
        return f"{self.layout}, base {self.base:.0f}, {self.share:.0%} of the channels turn"

    @property
    def zh(self) -> str:
        """Return it in Chinese."""
        layout = {"half": "前后半排布", "interleaved": "交错排布"}[self.layout]
        return f"{layout}，base为{self.base:.0f}，旋转{self.share:.0%}的通道"

    def speeds(self, D: int) -> Tensor:
        """Return the radians that each pair turns by per token, (r/2,)."""
        r = max(4, 2 * round(self.share * D / 2))
        speeds = [self.base ** (-i / r) for i in range(0, r, 2)]
        return torch.tensor(speeds, dtype=torch.float64)


def draw(rng: torch.Generator) -> Rope:
    """Return a RoPE that the task allows."""
    layout, share = torch.rand(2, generator=rng).tolist()
    base = 10 ** (2 + 4 * torch.rand((), generator=rng).item())
    return Rope("half" if layout < 0.5 else "interleaved", base, (0.5, 0.75, 1.0)[int(3 * share)])


def right(rope: Rope) -> Program:
    """Return a right program."""
    return lambda q, k, start=0: (by(rope, q, at(q, start)), by(rope, k, at(k, start)))


def at(x: Tensor, start: int) -> Tensor:
    """Return the positions of the tokens, (L,)."""
    return torch.arange(start, start + x.shape[2])


def by(rope: Rope, x: Tensor, positions: Tensor, speeds: Tensor | None = None) -> Tensor:
    """Return x turned: positions that broadcast to (B, H, L), other speeds where they are given."""
    speeds = rope.speeds(x.shape[3]) if speeds is None else speeds
    angles = positions[..., None] * speeds
    a, b, rest = _cut(rope, x, 2 * len(speeds))
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return _joined(rope, a * c - b * s, a * s + b * c, rest)


def _cut(rope: Rope, x: Tensor, r: int) -> tuple[Tensor, Tensor, Tensor]:
    if rope.layout == "half":
        return x[..., : r // 2], x[..., r // 2 : r], x[..., r:]
    return x[..., :r:2], x[..., 1:r:2], x[..., r:]


def _joined(rope: Rope, a: Tensor, b: Tensor, rest: Tensor) -> Tensor:
    pairs = torch.cat((a, b), -1) if rope.layout == "half" else torch.stack((a, b), -1).flatten(-2)
    return torch.cat((pairs, rest), -1)


def _each(turned: Callable[[Rope, Tensor, int], Tensor]) -> Callable[[Rope], Program]:
    """Return a fault that queries and keys have alike."""
    return lambda rope: lambda q, k, start=0: (turned(rope, q, start), turned(rope, k, start))


def _no_minus(rope: Rope, x: Tensor, start: int) -> Tensor:
    angles = at(x, start)[:, None] * rope.speeds(x.shape[3])
    a, b, rest = _cut(rope, x, 2 * angles.shape[1])
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return _joined(rope, a * c + b * s, a * s + b * c, rest)


def _overwritten(rope: Rope, x: Tensor, start: int) -> Tensor:
    angles = at(x, start)[:, None] * rope.speeds(x.shape[3])
    a, b, rest = _cut(rope, x, 2 * angles.shape[1])
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a = a * c - b * s
    return _joined(rope, a, a * s + b * c, rest)


def _opposite(rope: Rope) -> Program:
    return lambda q, k, start=0: (by(rope, q, at(q, start)), by(rope, k, -at(k, start)))


def _two_layouts(rope: Rope) -> Program:
    other = Rope("half" if rope.layout == "interleaved" else "interleaved", rope.base, rope.share)
    return lambda q, k, start=0: (by(rope, q, at(q, start)), by(other, k, at(k, start)))


def _heads_counted(rope: Rope, x: Tensor, start: int) -> Tensor:
    return by(rope, x, torch.arange(start, start + x.shape[1])[:, None])


def _down_the_batch(rope: Rope, x: Tensor, start: int) -> Tensor:
    return by(rope, x, torch.arange(len(x))[:, None, None] + at(x, start))


def _width(rope: Rope, x: Tensor, start: int) -> Tensor:
    return by(rope, x, at(x, start), rope.speeds(x.shape[3]) ** (1 / x.shape[1]))


def _equal_steps(rope: Rope, x: Tensor, start: int) -> Tensor:
    pairs = len(rope.speeds(x.shape[3]))
    return by(rope, x, at(x, start), 1 - torch.arange(pairs, dtype=torch.float64) / pairs)


def _faster(rope: Rope, x: Tensor, start: int) -> Tensor:
    whole = Rope(rope.layout, rope.base, 1.0)  # of two pairs, whole turns could hide it
    return by(whole, x, at(x, start), 1 / whole.speeds(x.shape[3]))


FAULTS: dict[str, tuple[Callable[[Rope], Program], Text]] = {
    "no minus": (
        _each(_no_minus),
        Text(en="has lost the minus of the rotation", zh="丢了旋转里的负号"),
    ),
    "overwritten": (
        _each(_overwritten),
        Text(
            en="overwrites one channel of a pair before it computes the other",
            zh="一对里后一个通道还没算，前一个就被覆盖了",
        ),
    ),
    "queries alone": (
        lambda rope: lambda q, k, start=0: (by(rope, q, at(q, start)), k.clone()),
        Text(en="turns the queries alone", zh="只转查询"),
    ),
    "opposite": (
        _opposite,
        Text(en="turns queries and keys in opposite directions", zh="把查询和键转向相反的方向"),
    ),
    "two layouts": (
        _two_layouts,
        Text(en="pairs the channels of queries and keys in two ways", zh="查询和键的配对方式不同"),
    ),
    "start lost": (
        _each(lambda rope, x, start: by(rope, x, at(x, 0))),
        Text(en="counts from 0 in every call", zh="每次调用都从0数起"),
    ),
    "one too far": (
        _each(lambda rope, x, start: by(rope, x, at(x, start + (start > 0)))),
        Text(
            en="puts tokens one place too far once `start` is above 0",
            zh="`start`大于0时，位置多了1",
        ),
    ),
    "piece by piece": (
        _each(lambda rope, x, start: by(rope, x, at(x, start // x.shape[2] * x.shape[2]))),
        Text(
            en="rounds `start` down to a multiple of the length of the piece",
            zh="把`start`向下取到本块长度的整数倍",
        ),
    ),
    "one token at 0": (
        _each(lambda rope, x, start: by(rope, x, at(x, start if x.shape[2] > 1 else 0))),
        Text(en="puts a single token at 0", zh="只来一个词元时，把它放在0"),
    ),
    "heads counted": (
        _each(_heads_counted),
        Text(en="gives positions to heads, not to tokens", zh="把位置给了头，没给词元"),
    ),
    "width of the model": (
        _each(_width),
        Text(
            en="divides the exponent by the width of all heads together",
            zh="指数除以了所有头合起来的宽度",
        ),
    ),
    "down the batch": (
        _each(_down_the_batch),
        Text(
            en="begins each sentence of the batch one position further than the one above",
            zh="批次里每一句的起点都比上一句多1",
        ),
    ),
    "clockwise": (
        _each(lambda rope, x, start: by(rope, x, -at(x, start))),
        Text(en="turns everything clockwise", zh="全都顺时针转"),
    ),
    "one speed": (
        _each(lambda rope, x, start: by(rope, x, at(x, start), rope.speeds(x.shape[3]) ** 0)),
        Text(en="turns all pairs at the speed of the first", zh="所有的对都和第一对一样快"),
    ),
    "equal steps": (
        _each(_equal_steps),
        Text(en="slows from pair to pair in equal steps", zh="转速按等差一对一对下降"),
    ),
    "faster and faster": (
        _each(_faster),
        Text(en="turns each pair faster than the one before", zh="每一对都比前一对转得快"),
    ),
    "sixteen bits": (
        _each(lambda rope, x, start: by(rope, x, at(x, start).bfloat16().double())),
        Text(en="rounds positions to bfloat16", zh="把位置舍入成bfloat16"),
    ),
}
