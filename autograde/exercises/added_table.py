"""Exercise added_table: the sum that does what a concatenation does."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="added_table",
    chapter="03_learned",
    title=Text(en="The sum that equals a concatenation", zh="与拼接等价的和"),
    task=Text(
        en=r"""A model concatenates: it computes $W\,[x;p]$. Return the table $p'$ which, *added*
to the words, gives the same: $W_x\,(x+p')=W\,[x;p]$ for every $x$, where $W_x$ is the part of $W$
that meets $x$ (square and invertible).

In: `weight` is $W$, shape $(d,d+e)$, as in `nn.Linear`; `table` $(L,e)$ holds the $p$ as rows. Out:
the $p'$ as rows, shape $(L,d)$.""",
        zh=r"""一个模型用的是拼接：计算$W\,[x;p]$。求一张表$p'$，把它*加*到词上，结果相同：
对每个$x$都有$W_x\,(x+p')=W\,[x;p]$，其中$W_x$是$W$里与$x$相乘的那部分（方阵，可逆）。

输入：`weight`就是$W$，形状$(d,d+e)$，与`nn.Linear`相同；`table` $(L,e)$，每行一个$p$。
输出：每行一个$p'$，形状$(L,d)$。""",
    ),
    signature="added_table(weight, table) -> (L, d)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="Split the columns of the weight: the first d meet x, the rest meet p.",
            zh="按列切开权重：前d列乘x，其余的乘p。",
        ),
        Text(
            en=r"$W_x(x+p')=W_xx+W_pp$ for every $x$ means $W_xp'=W_pp$.",
            zh=r"$W_x(x+p')=W_xx+W_pp$对每个$x$成立，也就是$W_xp'=W_pp$。",
        ),
        Text(
            en="`torch.linalg.solve(W_x, W_p @ table.T).T`: columns inside, rows outside.",
            zh="`torch.linalg.solve(W_x, W_p @ table.T).T`：里面按列，外面按行。",
        ),
    ),
)


def _case(dim: int, more: int, length: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    weight = torch.randn(dim, dim + more, generator=rng, dtype=torch.float64) / (2 * dim**0.5)
    weight[:, :dim] += torch.eye(dim, dtype=torch.float64)
    return weight, torch.randn(length, more, generator=rng, dtype=torch.float64)


@exercise.check(en="one row of d channels per position", zh="每个位置一行，d个通道")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(4, 3, 6, rng)), (6, 4))


@exercise.check(
    en="added to any x, it gives what the concatenation gives",
    zh="加到任何x上，都得到拼接所得的结果",
    weight=4,
)
def same_projection(answer: Function, rng: torch.Generator) -> None:
    for dim, more, length in ((4, 3, 6), (3, 5, 2), (5, 5, 7)):
        weight, table = _case(dim, more, length, rng)
        got = expect_shape(answer(weight, table), (length, dim)).double()
        x = torch.randn(length, dim, generator=rng, dtype=torch.float64)
        expect_close((x + got) @ weight[:, :dim].T, torch.cat((x, table), dim=1) @ weight.T)


@exercise.check(
    en="where both parts of W are equal it is the table itself: plain addition",
    zh="W的两部分相同时就是原来的表：普通的相加",
)
def plain_addition(answer: Function, rng: torch.Generator) -> None:
    weight, table = _case(4, 4, 6, rng)
    weight[:, 4:] = weight[:, :4]
    expect_close(answer(weight, table), table)


@exercise.misconception(
    en="This is W_p p, what is added *after* the projection. Before it, W_x still has to be "
    "undone: p' = W_x⁻¹ W_p p.",
    zh="这是W_p p，是在投影*之后*相加的量。要在投影之前加，还得把W_x抵消掉：p' = W_x⁻¹ W_p p。",
)
def after_the_projection(weight: Tensor, table: Tensor) -> Tensor:
    return table @ weight[:, len(weight) :].T


@exercise.misconception(
    en="You multiplied by W_x where its inverse is needed.",
    zh="应当乘W_x的逆，你乘了W_x本身。",
)
def not_inverted(weight: Tensor, table: Tensor) -> Tensor:
    W_x, W_p = weight[:, : len(weight)], weight[:, len(weight) :]
    return table @ W_p.T @ W_x.T


@exercise.misconception(
    en="W_x is transposed. Rows of a table are multiplied from the right, by the transpose of the "
    "inverse: p'ᵀ = pᵀ W_pᵀ W_x⁻ᵀ.",
    zh="W_x转置错了。表按行存放，要从右边乘逆的转置：p'ᵀ = pᵀ W_pᵀ W_x⁻ᵀ。",
)
def transposed(weight: Tensor, table: Tensor) -> Tensor:
    W_x, W_p = weight[:, : len(weight)], weight[:, len(weight) :]
    return torch.linalg.solve(W_x.T, W_p @ table.T).T


@exercise.misconception(
    en="The parts of W are exchanged: in [x; p] the word comes first, so its columns are the "
    "first d.",
    zh="W的两部分弄反了：[x; p]里词在前面，所以前d列属于词。",
)
def position_first(weight: Tensor, table: Tensor) -> Tensor:
    more = table.shape[1]
    W_p, W_x = weight[:, :more], weight[:, more:]
    return torch.linalg.solve(W_x, W_p @ table.T).T
