"""Exercise mend_key_side: DeBERTa's third term, gathered along the wrong axis."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mend_key_side",
    chapter="04_relative",
    title=Text(en="Mend: the wrong token speaks", zh="修错：说话的不是那个词元"),
    task=Text(
        en=r"""Mend `wrong_token`: return DeBERTa's position-to-content term
$k_j\cdot Q^r_{\delta(i,j)}$ with $\delta(i,j)=\mathrm{clip}(i-j+m,\,0,\,2m-1)$, not divided.

In: `k` of shape `(L, D)`, `relative_q` ($Q^r$) of shape `(2m, D)`. Out: shape `(L, L)`, row $i$
for the query, column $j$ for the key.""",
        zh=r"""修好`wrong_token`：返回DeBERTa的“位置对内容”项$k_j\cdot Q^r_{\delta(i,j)}$，
其中$\delta(i,j)=\mathrm{clip}(i-j+m,\,0,\,2m-1)$，不做除法。

输入：`k`形状为`(L, D)`，`relative_q`（$Q^r$）形状为`(2m, D)`。输出：形状为`(L, L)`，
行$i$是查询，列$j$是键。""",
    ),
    signature="mend_key_side(k, relative_q) -> (L, L)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="`k @ relative_q.T` has one row per *key*. Whose row does `.gather(1, row)` read at "
            "(i, j)?",
            zh="`k @ relative_q.T`每行对应一个*键*。`.gather(1, row)`在(i, j)处读的是谁的行？",
        ),
        Text(
            en="It reads row i. Row j is wanted: let keys be the rows of the index too, and turn "
            "the result back.",
            zh="读的是第i行，而我们要第j行：让下标的行也对应键，取完再转回来。",
        ),
        Text(
            en="`(k @ relative_q.T).gather(1, row.T).T`",
            zh="`(k @ relative_q.T).gather(1, row.T).T`",
        ),
    ),
)


def _row(length: int, span: int) -> Tensor:
    p = torch.arange(length)
    return (p[:, None] - p + span).clamp(0, 2 * span - 1)


def _term(k: Tensor, relative_q: Tensor) -> Tensor:
    return torch.einsum("jd,ijd->ij", k, relative_q[_row(len(k), len(relative_q) // 2)])


@exercise.check(en="one number for each pair", zh="每一对一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.randn(5, 8, generator=rng), torch.randn(6, 8, generator=rng)), (5, 5))


@exercise.check(
    en="another word at key 2 changes column 2, nothing else",
    zh="换掉2号键的词，只有第2列会变",
    weight=2,
)
def one_column(answer: Function, rng: torch.Generator) -> None:
    k, table = torch.randn(5, 8, generator=rng), torch.randn(6, 8, generator=rng)
    changed = k.clone()
    changed[2] = changed[2] + 1
    before = expect_shape(answer(k, table), (5, 5))
    moved = (expect_shape(answer(changed, table), (5, 5)) - before).abs() > 1e-4
    want = torch.arange(5).expand(5, 5) == 2
    expect(
        torch.equal(moved, want),
        f"columns that changed: {moved.any(0).nonzero().flatten().tolist()}, expected [2]",
        f"发生变化的列：{moved.any(0).nonzero().flatten().tolist()}，应为[2]",
    )


@exercise.check(en="equals the formula", zh="与公式一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for length, span, dim in ((4, 8, 6), (9, 2, 4), (3, 1, 16)):
        k, table = (torch.randn(n, dim, generator=rng) for n in (length, 2 * span))
        expect_close(answer(k, table), _term(k, table))


@exercise.misconception(
    en="Still the broken version: at (i, j) it reads token i. Another word at one key then moves a "
    "whole row.",
    zh="还是有错的那个版本：(i, j)处读的是词元i。于是换掉一个键的词，变的是整行。",
)
def unchanged(k: Tensor, relative_q: Tensor) -> Tensor:
    return (k @ relative_q.T).gather(1, _row(len(k), len(relative_q) // 2))


@exercise.misconception(
    en="Everything stands mirrored at the diagonal, rows for keys: if you transposed the index, "
    "turn the result back as well.",
    zh="一切都沿对角线翻了过去，行成了键：转置了下标，就要把结果也转回来。",
)
def not_turned_back(k: Tensor, relative_q: Tensor) -> Tensor:
    return _term(k, relative_q).T


@exercise.misconception(
    en="The right token speaks, but about δ(j, i), the paper's printed index, not that of the "
    "weights. That also happens when the result is transposed and the index is not.",
    zh="词元对了，下标却成了δ(j, i)：论文是这样印的，权重用的不是它。"
    "只转置结果、不转置下标，也会变成这样。",
)
def as_printed(k: Tensor, relative_q: Tensor) -> Tensor:
    return unchanged(k, relative_q).T


@exercise.misconception(
    en="You divided; the division by √(3D) comes once, after the sum of the three terms.",
    zh="你做了除法；除以√(3D)只做一次，在三项相加之后。",
)
def divided(k: Tensor, relative_q: Tensor) -> Tensor:
    return _term(k, relative_q) / (3 * k.shape[1]) ** 0.5


@exercise.misconception(
    en="You divided by √D. Nothing is divided here: √(3D) comes once, after the sum of the three "
    "terms.",
    zh="你除以了√D。这里什么都不除：除以√(3D)只做一次，在三项相加之后。",
)
def divided_by_root(k: Tensor, relative_q: Tensor) -> Tensor:
    return _term(k, relative_q) / k.shape[1] ** 0.5
