"""Exercise mend_channel_index: the channel index was doubled, and half the channels froze."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import sinusoidal

exercise = Exercise(
    id="mend_channel_index",
    chapter="02_sinusoidal",
    title=Text(en="Mend: the frozen half", zh="修错：冻住的一半"),
    task=Text(
        en="""Mend `frozen_table`: the frequencies of the paper, in the *concatenated* layout,
all sines first, then all cosines.

In: `positions` of shape `(L,)`, `dim` even. Out: shape `(L, dim)`.""",
        zh="""修好`frozen_table`：频率按论文，*前后半排布*，先全部正弦，再全部余弦。

输入：`positions`形状为`(L,)`，`dim`为偶数。输出：形状为`(L, dim)`。""",
    ),
    signature="mend_channel_index(positions, dim, base=10000.0) -> (L, dim)",
    points=2,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Write down i for dim = 8, then the exponents. How far do they go?",
            zh="令dim = 8，写出i，再写出指数。指数一直走到多少？",
        ),
        Text(
            en="`torch.arange(0, dim, 2)` is already 2i. One factor 2 is enough.",
            zh="`torch.arange(0, dim, 2)`已经是2i了，只该有一个因子2。",
        ),
        Text(
            en="Either `i = torch.arange(dim // 2)` with `2 * i / dim`, or "
            "`torch.arange(0, dim, 2) / dim`.",
            zh="要么`i = torch.arange(dim // 2)`配`2 * i / dim`，"
            "要么直接用`torch.arange(0, dim, 2) / dim`。",
        ),
    ),
)


@exercise.check(en="one row per position, dim columns", zh="每个位置一行，共dim列")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.arange(5), 8), (5, 8))


@exercise.check(
    en="no channel stands still: the slowest sine moves by at least 1/base per token",
    zh="没有冻住的通道：最慢的正弦每个词元至少变化1/base",
    weight=2,
)
def nothing_frozen(answer: Function, rng: torch.Generator) -> None:
    table = expect_shape(answer(torch.arange(2), 64), (2, 64)).double()
    moved = (table[1] - table[0])[:32].abs().min().item()
    expect(
        moved > 1e-4,
        f"of the first d/2 channels one moves by only {moved:.1e} per token: a frozen sine, or a "
        "cosine in its place",
        f"前d/2个通道里有一个每个词元只变化{moved:.1e}：不是正弦冻住了，就是这里放了余弦",
    )


@exercise.check(
    en="equals the paper's table, sines first, then cosines",
    zh="与论文的编码表一致，先正弦，后余弦",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    positions = torch.tensor([0.0, 1.0, 2.5, -3.0, 20.0])
    for dim, base in ((6, 10000.0), (64, 10000.0), (10, 50.0)):
        want = sinusoidal(positions, dim, base=base, layout="concatenated")
        expect_close(answer(positions, dim, base), want)
    default = answer(positions, 64)
    expect_close(default, answer(positions, 64, 10000.0), rtol=0.0, atol=0.0)


def _table(positions: Tensor, exponent: Tensor, base: float) -> Tensor:
    angles = positions[:, None] * base ** (-exponent)
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


@exercise.misconception(
    en="Still the broken version: `torch.arange(0, dim, 2)` is 2i already, and you doubled it "
    "again.",
    zh="还是有错的那个版本：`torch.arange(0, dim, 2)`已经是2i，你又乘了一次2。",
)
def unchanged(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _table(positions, 2 * torch.arange(0, dim, 2) / dim, base)


@exercise.misconception(
    en="Both factors 2 are gone now: i/d with i = 0, 1, 2, … covers only half of the range.",
    zh="这回两个因子2都没了：i = 0、1、2……时，i/d只走完一半范围。",
)
def no_two(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _table(positions, torch.arange(dim // 2) / dim, base)


@exercise.misconception(
    en="These are tensor2tensor's frequencies, i/(d/2−1). The task wants the paper's, 2i/d.",
    zh="这是tensor2tensor的频率i/(d/2−1)。题目要的是论文的2i/d。",
)
def tensor2tensor(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    return _table(positions, torch.arange(dim // 2) / max(dim // 2 - 1, 1), base)


@exercise.misconception(
    en="The frequencies are right, but sine and cosine alternate. This function returns the "
    "concatenated layout: all sines, then all cosines.",
    zh="频率对了，但正弦和余弦是交错的。这个函数要返回前后半排布：先全部正弦，再全部余弦。",
)
def interleaved(positions: Tensor, dim: int, base: float = 10000.0) -> Tensor:
    halves = _table(positions, torch.arange(0, dim, 2) / dim, base).chunk(2, dim=-1)
    return torch.stack(halves, dim=-1).flatten(-2)
