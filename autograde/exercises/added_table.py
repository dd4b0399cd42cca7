"""Exercise added_table: the sum that comes closest to a concatenation."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="added_table",
    chapter="03_learned",
    title=Text(en="The sum closest to a concatenation", zh="最接近拼接的和"),
    task=Text(
        en=r"""A model concatenates and then projects: it computes $W\,[x;p]$. $W$ holds one
projection, or several, one below the other (queries, keys, values). A colleague wants to *add* a
table instead. Return the rows $p'$ that come closest: each minimises
$\|W_x\,(x+p')-W\,[x;p]\|^2$, where $W_x$ is the part of $W$ that meets $x$.

In: `weight` is $W$, shape $(m,d+e)$ as in `nn.Linear`, where $m$ is a multiple of $d$ and the
columns of $W_x$ are independent; `table` $(L,e)$ holds the $p$ as rows. Out: the $p'$ as rows,
shape $(L,d)$.""",
        zh=r"""一个模型先拼接再投影：计算$W\,[x;p]$。$W$里有一个投影，或者上下叠放的几个投影
（查询、键、值）。有位同事想改成*加*一张表。求最接近的那些行$p'$：每一行使
$\|W_x\,(x+p')-W\,[x;p]\|^2$最小，其中$W_x$是$W$里与$x$相乘的那部分。

输入：`weight`就是$W$，形状$(m,d+e)$，与`nn.Linear`相同，$m$是$d$的倍数，
$W_x$各列线性无关；`table` $(L,e)$，每行一个$p$。输出：每行一个$p'$，形状$(L,d)$。""",
    ),
    signature="added_table(weight, table) -> (L, d)",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Split the columns of the weight: the first d meet x, the last e meet p. Write out "
            "both terms of the difference. What happens to x?",
            zh="按列切开权重：前d列乘x，后e列乘p。把差的两项都写出来：x到哪里去了？",
        ),
        Text(
            en="What is left is ‖W_x p' − W_p p‖². With one projection W_x is square: can you make "
            "it 0? With three there are 3d equations for d unknowns.",
            zh="剩下的是‖W_x p' − W_p p‖²。只有一个投影时W_x是方阵：能让它等于0吗？"
            "有三个投影时，d个未知数要满足3d个方程。",
        ),
        Text(
            en="At the minimum the gradient is 0: W_xᵀ(W_x p' − W_p p) = 0, that is, d equations "
            "for d unknowns. `torch.linalg` can also find the least-squares solution at once.",
            zh="在最小值处梯度为0：W_xᵀ(W_x p' − W_p p) = 0，这就是d个未知数的d个方程。"
            "`torch.linalg`也能直接求最小二乘解。",
        ),
        Text(
            en="These equations are about columns; the table holds rows. Transpose on the way in "
            "and on the way out.",
            zh="这些方程里的向量是列，表里存的是行：进去要转置，出来也要转置。",
        ),
    ),
)


@exercise.truth
def row_by_row(weight: Tensor, table: Tensor) -> Tensor:
    dim = weight.shape[1] - table.shape[1]
    W_x, W_p = weight[:, :dim], weight[:, dim:]
    return torch.stack([torch.linalg.solve(W_x.T @ W_x, W_x.T @ (W_p @ p)) for p in table])


def _case(
    dim: int, more: int, length: int, rng: torch.Generator, projections: int = 1
) -> tuple[Tensor, Tensor]:
    shape = (projections, dim, dim + more)
    weight = torch.randn(shape, generator=rng, dtype=torch.float64) / (4 * dim**0.5)
    weight[..., :dim] += torch.eye(dim, dtype=torch.float64)  # far from singular
    return weight.flatten(0, 1), torch.randn(length, more, generator=rng, dtype=torch.float64)


@exercise.check(en="one row of d channels per position", zh="每个位置一行，d个通道")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dim, more, length, projections in ((4, 3, 6, 1), (4, 3, 1, 1), (3, 1, 5, 3)):
        expect_shape(answer(*_case(dim, more, length, rng, projections)), (length, dim))


@exercise.check(
    en="with one projection the sum gives what the concatenation gives, whatever x is",
    zh="只有一个投影时，无论x是什么，都得到拼接所得的结果",
    weight=3,
)
def same_projection(answer: Function, rng: torch.Generator) -> None:
    for dim, more, length in ((4, 3, 6), (3, 5, 2), (5, 5, 7), (1, 2, 3), (3, 2, 105)):
        weight, table = _case(dim, more, length, rng)
        got = expect_shape(answer(weight, table), (length, dim)).double()
        x = torch.randn(length, dim, generator=rng, dtype=torch.float64)
        expect_close((x + got) @ weight[:, :dim].T, torch.cat((x, table), dim=1) @ weight.T)


@exercise.check(
    en="with several projections no other table comes closer",
    zh="有几个投影时，没有别的表更接近",
    weight=3,
)
def least_squares(answer: Function, rng: torch.Generator) -> None:
    for dim, more, length, projections in ((4, 3, 6, 3), (5, 4, 1, 2), (2, 7, 5, 3)):
        inputs = _case(dim, more, length, rng, projections)
        expect_agreement(answer, row_by_row, *inputs)


@exercise.check(
    en="where both parts of W are equal, the result is the table itself: plain addition",
    zh="W的两部分相同时，结果就是原来的表：普通的相加",
)
def plain_addition(answer: Function, rng: torch.Generator) -> None:
    weight, table = _case(4, 4, 6, rng)
    weight[:, 4:] = weight[:, :4]
    expect_close(answer(weight, table), table)


def _parts(weight: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    """Return W_x and W_p."""
    return weight.split((weight.shape[1] - table.shape[1], table.shape[1]), dim=1)


def _closest(W_x: Tensor, W_p: Tensor, table: Tensor) -> Tensor:
    return torch.linalg.lstsq(W_x, W_p @ table.T).solution.T


@exercise.misconception(
    en="This is W_p p, what is added *after* the projection. To add before it, W_x still has to be "
    "undone: with one projection, p' = W_x⁻¹ W_p p.",
    zh="这是W_p p，是在投影*之后*相加的量。要在投影之前加，还得把W_x抵消掉："
    "只有一个投影时p' = W_x⁻¹ W_p p。",
)
def after_the_projection(weight: Tensor, table: Tensor) -> Tensor:
    _, W_p = _parts(weight, table)
    return table @ W_p.T


@exercise.misconception(
    en="Right for one projection. Several of them make W_x taller than wide: it has no inverse, "
    "and in general no table fits them all. Look for the one with the smallest squared error.",
    zh="只有一个投影时是对的。几个投影叠起来，W_x的行比列多：没有逆，一般也没有一张表能同时满足它们。"
    "要找平方误差最小的那张。",
)
def solved(weight: Tensor, table: Tensor) -> Tensor:
    W_x, W_p = _parts(weight, table)
    return torch.linalg.solve(W_x, W_p @ table.T).T


@exercise.misconception(
    en="Right for one projection. Several of them make W_x taller than wide: there is no inverse. "
    "Look for the table with the smallest squared error.",
    zh="只有一个投影时是对的。几个投影叠起来，W_x的行比列多，没有逆。要找平方误差最小的那张表。",
)
def inverted(weight: Tensor, table: Tensor) -> Tensor:
    W_x, W_p = _parts(weight, table)
    return table @ W_p.T @ torch.linalg.inv(W_x).T


@exercise.misconception(
    en="You multiplied by W_xᵀ and stopped: the transpose is the inverse only if the matrix is "
    "orthogonal. The equations W_xᵀW_x p' = W_xᵀW_p p still have to be solved.",
    zh="你只乘了W_xᵀ：只有正交矩阵的转置才等于逆。方程W_xᵀW_x p' = W_xᵀW_p p还没有解。",
)
def transpose_for_inverse(weight: Tensor, table: Tensor) -> Tensor:
    W_x, W_p = _parts(weight, table)
    return table @ W_p.T @ W_x


@exercise.misconception(
    en="Each projection has a table of its own, and you took their mean. The mean lets every "
    "projection count alike in p'; what counts is the error after W_x.",
    zh="每个投影各有自己的表，你取了它们的平均。这样各个投影在p'里的分量都一样；"
    "而要比较的是乘过W_x之后的误差。",
)
def mean_of_the_tables(weight: Tensor, table: Tensor) -> Tensor:
    dim = weight.shape[1] - table.shape[1]
    return torch.stack([solved(one, table) for one in weight.split(dim)]).mean(0)


@exercise.misconception(
    en="Only the first projection is served, exactly; for the others this table may be far off.",
    zh="只照顾了第一个投影，对它毫无误差；对其余的投影，这张表可能差得很远。",
)
def first_projection(weight: Tensor, table: Tensor) -> Tensor:
    return solved(weight[: weight.shape[1] - table.shape[1]], table)


@exercise.misconception(
    en="The parts of W are exchanged: in [x; p] the word comes first, so its columns are the "
    "first d.",
    zh="W的两部分弄反了：[x; p]里词在前面，所以前d列属于词。",
)
def position_first(weight: Tensor, table: Tensor) -> Tensor:
    more = table.shape[1]
    return _closest(weight[:, more:], weight[:, :more], table)


@exercise.misconception(
    en="You took the number of rows of W for d. That holds for one projection; d is the number of "
    "columns without those of p.",
    zh="你把W的行数当成了d。只有一个投影时才如此；d是列数减去p的那些列。",
)
def rows_for_width(weight: Tensor, table: Tensor) -> Tensor:
    dim = len(weight)
    return _closest(weight[:, :dim], weight[:, dim:], table)
