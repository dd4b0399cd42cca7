"""Exercise clinic_sinusoidal_mask: frequencies that rise from pair to pair."""

import torch
from torch import Tensor

from autograde.exercises._ward_tables import add_wrong_tables, encoded, positions_of
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_effect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_sinusoidal_mask",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: neighbours that have nothing in common",
        zh="改错：毫不相像的邻居",
    ),
    task=Text(
        en=r"""Fix `case_1`: add the interleaved sinusoidal encoding of the paper to `x`.
Positions are counted from the mask, from 0 at the first token of each row.

In: `x` $(B,L,d)$, $d$ even; `mask` $(B,L)$, true at tokens, false at padding in front of them.
Out: $(B,L,d)$; what is at padding does not matter.""",
        zh=r"""修好`case_1`：给`x`加上论文里交错排布的正弦编码。位置由掩码数出，每一行的第一个词元是0。

输入：`x` $(B,L,d)$，$d$为偶数；`mask` $(B,L)$，词元处为真，词元前面的填充处为假。输出：$(B,L,d)$；
填充处是什么都行。""",
    ),
    signature="clinic_sinusoidal_mask(x, mask) -> (B, L, d)",
    points=1,
    difficulty=1,
    minutes=4,
    broken="positive_exponent",
    hints=(
        Text(
            en="Print the frequencies for `d = 4`. By how many radians does each pair turn from "
            "one token to the next?",
            zh="打印`d = 4`时的频率。从一个词元到下一个，每一对转过多少弧度？",
        ),
        Text(
            en="The first pair is the fastest, 1 radian per token; all others are slower.",
            zh="第一对最快，每个词元1弧度，其余各对都更慢。",
        ),
        Text(
            en="The paper's frequencies fall: its exponent is −2i/d, with 2i = 0, 2, 4, ….",
            zh="论文里的频率是递减的：指数是−2i/d，其中2i = 0、2、4……。",
        ),
    ),
)


HIDDEN = 1e30  # x at padding: so large that no encoding shows, since none matters there


@exercise.truth
def table_added(x: Tensor, mask: Tensor) -> Tensor:
    """Return x plus the interleaved table, with angles in float64."""
    d = x.shape[-1]
    return encoded(x, positions_of(mask), -torch.arange(0, d, 2).double() / d).to(x.dtype)


def _batch(rng: torch.Generator, rows: int, length: int, dim: int) -> tuple[Tensor, Tensor]:
    """Return x (B, L, d) and its mask: the last row without padding, the others with some."""
    padding = torch.randint(min(1, length - 1), length, (rows, 1), generator=rng)
    padding[-1] = 0
    mask = torch.arange(length) >= padding
    x = torch.randn(rows, length, dim, generator=rng)
    return x.masked_fill(~mask[..., None], HIDDEN), mask


@exercise.counts
def at_tokens(result: Tensor, x: Tensor, mask: Tensor) -> Tensor:
    """Return the result with 0 at padding."""
    return torch.where(mask[..., None].bool(), result, 0.0)


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for rows, length, dim in ((2, 5, 6), (1, 1, 2)):
        x, mask = _batch(rng, rows, length, dim)
        expect_shape(answer(x, mask), (rows, length, dim))


@exercise.check(en="neighbouring rows are similar", zh="相邻的行彼此相像", weight=2)
def neighbours(answer: Function, rng: torch.Generator) -> None:
    whole = torch.ones(1, 9, dtype=torch.bool)
    rows = expect_effect(answer(torch.zeros(1, 9, 64), whole), (1, 9, 64))[0]
    near = torch.nn.functional.cosine_similarity(rows[1:], rows[:-1])
    expect(
        bool((near > 0.9).all()),
        f"two neighbours have a cosine similarity of only {near.min():.2f}, expected 0.97",
        f"有两个相邻位置的余弦相似度只有{near.min():.2f}，应为0.97",
    )


@exercise.check(en="x plus the table of the paper", zh="等于x加上论文中的编码表", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for rows, length, dim in ((3, 5, 6), (1, 4, 2), (4, 600, 34)):
        x, mask = _batch(rng, rows, length, dim)
        got = expect_shape(answer(x, mask), (rows, length, dim))
        expect_close(got[mask], exercise.true_answer(x, mask)[mask], atol=1e-4)
    one = torch.ones(1, 2, dtype=torch.bool)  # by hand: sin 1, cos 1, sin 0.01, cos 0.01
    golden = torch.tensor([0.841471, 0.540302, 0.01, 0.99995])
    expect_close(answer(torch.zeros(1, 2, 4), one)[0, 1], golden)


add_wrong_tables(exercise)
