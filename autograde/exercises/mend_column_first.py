"""Exercise mend_column_first: positions of patches in a different order from the patches."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_column_first",
    chapter="10_beyond_1d",
    title=Text(en="Fix: the image lying on its side", zh="改错：躺倒的图像"),
    task=Text(
        en="""Fix `sideways_grid`: return the row and the column of every patch, in the order in
which the patches come, row by row.

In: `height`, `width`, whole numbers. Out: integers, shape `(2, height · width)`, rows first.""",
        zh="""修好`sideways_grid`：按图像块到来的顺序（按行读取），返回每一块的行号和列号。

输入：整数`height`、`width`。输出：整数，形状为`(2, height · width)`，行号在前。""",
    ),
    signature="mend_column_first(height, width) -> (2, height * width)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Patch 1 is the right neighbour of patch 0. Which of its two numbers should be 1?",
            zh="第1块是第0块右边的邻居。它的两个数里，哪一个该是1？",
        ),
        Text(
            en='What shape has each tensor that `torch.meshgrid(…, indexing="xy")` returns for '
            "2 rows and 3 columns?",
            zh='2行3列时，`torch.meshgrid(…, indexing="xy")`返回的张量各是什么形状？',
        ),
        Text(
            en='"ij" keeps the order of the arguments: rows along the first axis, columns along '
            "the second.",
            zh="“ij”保持参数的顺序：行沿第一个轴，列沿第二个轴。",
        ),
    ),
)


@exercise.truth
def row_by_row(height: int, width: int) -> Tensor:
    """Return row and column, written down patch by patch."""
    return torch.tensor([(row, column) for row in range(height) for column in range(width)]).T


def _sizes(rng: torch.Generator) -> list[tuple[int, int]]:
    low, more, longest = torch.randint(2, 12, (3,), generator=rng).tolist()
    high = low + more
    return [
        (low, high),
        (high, low),
        (high, high),
        (2, 210 + longest),
        (1, high),
        (high, 1),
        (1, 1),
    ]


@exercise.check(en="a row and a column for every patch", zh="每块一个行号、一个列号")
def shape(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(2, 3), (2, 6))
    expect(not got.is_floating_point(), "positions should be integers", "位置应当是整数")


@exercise.check(en="patch 1 is to the right of patch 0", zh="第1块在第0块的右边", weight=2)
def neighbour(answer: Function, rng: torch.Generator) -> None:
    for height, width in _sizes(rng)[:3]:
        got = expect_shape(answer(height, width), (2, height * width))
        expect_close(got[:, 1], torch.tensor([0, 1]))


@exercise.check(
    en="the row and the column of every patch are right", zh="每块的行号和列号都正确", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for size in _sizes(rng):
        expect_agreement(answer, exercise.true_answer, *size)


@exercise.misconception(
    en='Still the order of the broken version: indexing="xy" makes grids of shape (width, '
    "height), so flattening reads the patches down the columns. Patch 1 is to the right of patch "
    "0.",
    zh="还是有错的那个版本的顺序：一列一列往下读。"
    'indexing="xy"得到的网格形状是(width, height)，展平后就是这样。第1块应在第0块的右边。',
)
def unchanged(height: int, width: int) -> Tensor:
    grid = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="xy")
    return torch.stack([axis.flatten() for axis in grid])


@exercise.misconception(
    en="The order of the patches is right now, but rows and columns are exchanged in the result: "
    "rows should come first.",
    zh="块的顺序对了，但结果里行号和列号对调了：应当行号在前。",
)
def columns_first(height: int, width: int) -> Tensor:
    return row_by_row(height, width).flip(0)


@exercise.misconception(
    en="Rows and columns are now n // height and n % height, by a division or because the two "
    "grids of `meshgrid` were exchanged. A row has `width` patches; only on a square image is the "
    "result the same.",
    zh="行号和列号成了n // height和n % height：或是除错了数，或是把`meshgrid`的两个网格对调了。"
    "一行有`width`块；只有在正方形图像上，结果才相同。",
)
def divides_by_height(height: int, width: int) -> Tensor:
    patch = torch.arange(height * width)
    return torch.stack((patch // height, patch % height))


@exercise.misconception(
    en="Rows and columns are counted from 1. Distances survive that; a table and the first patch "
    "do not: positions start at 0.",
    zh="行号和列号从1数起了。距离不受影响，但查表和第一块就错了：位置从0开始。",
)
def from_one(height: int, width: int) -> Tensor:
    return row_by_row(height, width) + 1


@exercise.misconception(
    en="The list of pairs (row, column) is right, but `view` (or `reshape`) to two rows cuts "
    "its numbers again. Transpose it.",
    zh="（行，列）的清单是对的，但用`view`（或`reshape`）变成两行，把数字重新切分了。应当转置。",
)
def viewed_not_transposed(height: int, width: int) -> Tensor:
    return row_by_row(height, width).T.reshape(2, -1)
