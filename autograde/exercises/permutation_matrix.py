"""Exercise permutation_matrix: a reordering of rows, as a matrix."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="permutation_matrix",
    chapter="01_permutation",
    title=Text(en="The permutation matrix", zh="置换矩阵"),
    task=Text(
        en=r"""Return the matrix $P$ of zeros and ones for which `P @ x` equals `x[order]`, whatever
the rows of `x` are: row i of the result is row `order[i]` of `x`.

In: `order`, an integer tensor that holds each of 0 … L−1 once. Out: shape `(L, L)`, float32. (The
`x` of this chapter is float64: try `P.double() @ x`.)""",
        zh=r"""返回由0和1组成的矩阵$P$，使得`P @ x`等于`x[order]`，无论`x`的各行是什么：
结果的第i行是`x`的第`order[i]`行。

输入：`order`，整数张量，0到L−1各出现一次。输出：形状为`(L, L)`，float32。
（本章的`x`是float64，要试乘就写`P.double() @ x`。）""",
    ),
    signature="permutation_matrix(order) -> (L, L)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Row i of P has a single 1. In which column, if the product is to pick row "
            "`order[i]` of x?",
            zh="P的第i行只有一个1。乘积要取出x的第`order[i]`行，这个1该在哪一列？",
        ),
        Text(
            en="P[i, order[i]] = 1. Which P belongs to the order 0, 1, 2, …?",
            zh="P[i, order[i]] = 1。顺序为0、1、2……时，P是什么矩阵？",
        ),
        Text(
            en="`P @ x = x[order]` holds for every x. For which x is `P @ x` the matrix P itself?",
            zh="`P @ x = x[order]`对每个x都成立。x取什么时，`P @ x`就是P本身？",
        ),
    ),
)


@exercise.truth
def a_one_per_row(order: Tensor) -> Tensor:
    matrix = torch.zeros(len(order), len(order))
    for i, j in enumerate(order.tolist()):
        matrix[i, j] = 1
    return matrix


def _orders(rng: torch.Generator) -> list[Tensor]:
    """Return orders of several lengths; none of them is its own inverse."""
    lengths = (3, 5, int(torch.randint(6, 12, (), generator=rng)), 101)
    turns = [torch.randperm(length, generator=rng) for length in lengths]
    return [turn.roll(1)[turn.argsort()] for turn in turns]  # one cycle through all rows


def _matrix(got: Tensor, length: int) -> Tensor:
    expect_shape(got, (length, length))
    expect(
        got.dtype == torch.float32,
        f"the dtype is {got.dtype}: torch multiplies a float32 x by a float32 P only",
        f"dtype为{got.dtype}：x是float32时，torch要求P也是float32才能相乘",
    )
    return got


@exercise.check(en="a float32 matrix, L by L", zh="L×L的float32矩阵")
def shape(answer: Function, rng: torch.Generator) -> None:
    order = _orders(rng)[0]
    _matrix(answer(order), len(order))


@exercise.check(en="the order 0, 1, 2, … gives the identity", zh="顺序为0、1、2……时是单位矩阵")
def identity(answer: Function, rng: torch.Generator) -> None:
    for length in (1, int(torch.randint(3, 9, (), generator=rng))):
        expect_close(_matrix(answer(torch.arange(length)), length), torch.eye(length))


@exercise.check(
    en="one 1 in every row and column, zeros elsewhere", zh="每行每列恰有一个1，其余为0"
)
def ones(answer: Function, rng: torch.Generator) -> None:
    for order in _orders(rng)[:3]:
        got = _matrix(answer(order), len(order))
        single = ((got == 0) | (got == 1)).all() and (got.sum(0) == 1).all()
        expect(
            single and (got.sum(1) == 1).all(),
            f"not so for the order {order.tolist()}",
            f"顺序为{order.tolist()}时不是这样",
        )


@exercise.check(en="P @ x equals x[order]", zh="P @ x等于x[order]", weight=6)
def reorders(answer: Function, rng: torch.Generator) -> None:
    for order in _orders(rng):
        x = torch.randn(len(order), 3, generator=rng)
        got = _matrix(answer(order), len(order))
        expect_close(got @ x, a_one_per_row(order) @ x)


@exercise.misconception(
    en="This is the transpose: it *sends* row i to position order[i]. You want the one that "
    "*fetches* row order[i] to position i. The two agree only if the order is its own inverse.",
    zh="这是转置：它把第i行*送到*第order[i]个位置。题目要的是把第order[i]行*取到*第i个位置。"
    "只有当这个顺序是自身的逆时，两者才相同。",
)
def sends(order: Tensor) -> Tensor:
    return torch.eye(len(order))[order].T


@exercise.misconception(
    en="This is the identity for every order: either `order` is not used, or rows and columns were "
    "both reordered, and the second undid the first.",
    zh="无论顺序是什么，这都是单位矩阵：要么没有用到`order`，要么行和列都重排了，后一次抵消了前一次。",
)
def ignores_order(order: Tensor) -> Tensor:
    return torch.eye(len(order))


of_wrong_dtype = exercise.misconception(
    en="The right matrix in the wrong dtype: torch multiplies a float32 x by a float32 matrix "
    "only, not by integers, booleans or float64.",
    zh="矩阵是对的，dtype不对：x是float32时，torch只允许它和float32的矩阵相乘，整数、布尔、float64都不行。",
)


@of_wrong_dtype
def integers(order: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(order, len(order))


@of_wrong_dtype
def booleans(order: Tensor) -> Tensor:
    return integers(order).bool()


@of_wrong_dtype
def float64(order: Tensor) -> Tensor:
    return integers(order).double()


@exercise.misconception(
    en="The matrix is 4 × 4 whatever `order` is. Its size is the length of `order`.",
    zh="不管`order`多长，矩阵都是4×4。它的大小应当是`order`的长度。",
)
def four_by_four(order: Tensor) -> Tensor:
    matrix = torch.zeros(4, 4)
    matrix[range(len(order)), order] = 1
    return matrix


@exercise.misconception(
    en="Every entry is 1. `P[:, order] = 1` fills the columns named in *all* rows, `P[order] = 1` "
    "whole rows. Name row and column of each 1: `P[torch.arange(L), order] = 1`.",
    zh="所有元素都是1。`P[:, order] = 1`会在*所有*行里填上这些列，`P[order] = 1`则填满整行。"
    "每个1的行和列都要写出：`P[torch.arange(L), order] = 1`。",
)
def all_ones(order: Tensor) -> Tensor:
    return torch.ones(len(order), len(order))
