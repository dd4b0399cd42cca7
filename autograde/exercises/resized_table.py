"""Exercise resized_table: a learned table of an image, interpolated to another resolution."""

import torch
from torch import Tensor
from torch.nn.functional import interpolate

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="resized_table",
    chapter="10_beyond_1d",
    title=Text(en="A table for another resolution", zh="换一个分辨率的表"),
    task=Text(
        en=r"""A learned table has one row for the class token and then one row for each patch of an
`old` = (height, width) grid, read row by row. Return the table for a `new` grid: the first row
as it is, the others interpolated *on the grid* with `F.interpolate(…, size=new, mode="bilinear")`,
everything else at its default. It wants a tensor of shape `(1, d, height, width)`.

In: `table` of shape `(1 + h·w, d)`, `old` = `(h, w)`, `new` = `(H, W)`. Out: `(1 + H·W, d)`.""",
        zh=r"""一张可学习的表，第一行属于分类词元，之后每个图像块一行，对应`old` = （高，宽）
的网格，按行读取。返回`new`网格的表：第一行原样保留，其余各行*在网格上*插值，
用`F.interpolate(…, size=new, mode="bilinear")`，其余参数都用默认值；
它要的张量形状是`(1, d, height, width)`。

输入：`table`形状为`(1 + h·w, d)`，`old` = `(h, w)`，`new` = `(H, W)`。输出：`(1 + H·W, d)`。""",
    ),
    signature="resized_table(table, old, new) -> (1 + H * W, d)",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="Put the class row aside first: it has no place in the image.",
            zh="先把分类词元那一行放到一边：它在图像里没有位置。",
        ),
        Text(
            en="`patches.view(*old, d)` is a picture with d channels, channels last; "
            "`permute(2, 0, 1)` brings them to the front. A `view` to (d, h, w) would mix them.",
            zh="`patches.view(*old, d)`是一幅d通道的图，通道在最后；用`permute(2, 0, "
            "1)`把通道挪到前面。"
            "直接`view`成(d, h, w)会把数据打乱。",
        ),
        Text(
            en='`F.interpolate(grid[None], size=new, mode="bilinear")[0]`, then '
            "`.flatten(1).T` brings one row for each patch back.",
            zh='`F.interpolate(grid[None], size=new, mode="bilinear")[0]`，'
            "再用`.flatten(1).T`变回每块一行。",
        ),
    ),
)


@exercise.truth
def row_and_column_weights(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    """Return the table, the grid interpolated by one matrix for rows and one for columns."""
    grid = table[1:].view(*old, -1)
    rows, columns = (_weights(o, n) for o, n in zip(old, new, strict=True))
    resized = torch.einsum("Hh,Ww,hwd->HWd", rows, columns, grid)
    return torch.cat((table[:1], resized.flatten(0, 1)))


def _weights(old: int, new: int) -> Tensor:
    """Return the (new, old) matrix of linear interpolation between the centres of cells."""
    at = ((torch.arange(new) + 0.5) * old / new - 0.5).clamp(0, old - 1)  # in old cells
    return (1 - (at[:, None] - torch.arange(old)).abs()).clamp(min=0)


def _draw(rng: torch.Generator, low: int, high: int, count: int) -> list[int]:
    return torch.randint(low, high, (count,), generator=rng).tolist()


@exercise.check(
    en="one row for the class token, one for each new patch", zh="分类词元一行，每个新块一行"
)
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.randn(7, 5, generator=rng), (2, 3), (4, 6)), (25, 5))
    expect_shape(answer(torch.randn(3, 1, generator=rng), (2, 1), (1, 1)), (2, 1))


@exercise.check(
    en="the row of the class token stays, and an unchanged grid leaves the table as it is",
    zh="分类词元那一行不变；网格不变时整张表不变",
    weight=2,
)
def unchanged(answer: Function, rng: torch.Generator) -> None:
    height, more = _draw(rng, 2, 5, 2)
    old, new = (height, height + more), (height + 3, height + 1)
    table = torch.randn(1 + old[0] * old[1], 4, generator=rng)
    expect_close(answer(table, old, new)[:1], table[:1])
    expect_close(answer(table, old, old), table)


@exercise.check(
    en="interpolates rows with rows and columns with columns", zh="行与行插值，列与列插值", weight=4
)
def values(answer: Function, rng: torch.Generator) -> None:
    height, more, channels, finer = _draw(rng, 2, 5, 4)
    old = height, height + more
    for grids in (
        (old, (finer * old[0], finer * old[1])),
        (old, (height + 5, height + 2)),
        ((13, 17), (15, 14)),
        ((1, height), (3, 1)),
    ):
        table = torch.randn(1 + grids[0][0] * grids[0][1], channels, generator=rng)
        expect_agreement(answer, exercise.true_answer, table, *grids)


def _resized(patches: Tensor, old: tuple[int, int], new: tuple[int, int], **how: object) -> Tensor:
    grid = patches.view(*old, -1).permute(2, 0, 1)
    return interpolate(grid[None], size=new, **{"mode": "bilinear", **how})[0].flatten(1).T


@exercise.misconception(
    en="You stretched the table as one long line. At the end of every row, the right edge of the "
    "image is mixed with the left edge of the next row.",
    zh="你把表当成一长条来拉伸。每到行尾，图像的右边缘就和下一行的左边缘混在了一起。",
)
def one_line(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    line = interpolate(table[1:].T[None], size=new[0] * new[1], mode="linear")[0].T
    return torch.cat((table[:1], line))


@exercise.misconception(
    en="`view(d, h, w)` does not move the channels to the front; it cuts the numbers again, and "
    "every “picture” mixes several channels. Use `view(h, w, d)` and `permute(2, 0, 1)`.",
    zh="`view(d, h, w)`并没有把通道挪到前面，而是把数字重新切分：每幅“图”里都混着好几个通道。"
    "请先`view(h, w, d)`，再`permute(2, 0, 1)`。",
)
def viewed_not_permuted(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    grid = table[1:].reshape(-1, *old)
    new_grid = interpolate(grid[None], size=new, mode="bilinear")[0]
    return torch.cat((table[:1], new_grid.flatten(1).T))


@exercise.misconception(
    en="Height and width are exchanged in the old grid: the rows are cut at the wrong places. A "
    "square image hides it.",
    zh="旧网格的高和宽弄反了：每一行都切错了地方。正方形的图像会把这个错藏起来。",
)
def exchanged(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old[::-1], new)))


@exercise.misconception(
    en="`align_corners=True` pins the outermost patches to the outermost ones, so that the step "
    "between patches is (h−1)/(H−1), not h/H. That is not the table that the task asks for.",
    zh="`align_corners=True`把最外面的块钉在最外面的块上，步长成了(h−1)/(H−1)而不是h/H："
    "这不是题目要的表。",
)
def aligned_corners(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old, new, align_corners=True)))


@exercise.misconception(
    en="The nearest old row is copied. With twice the resolution four patches share one position "
    "and attention cannot tell them apart.",
    zh="这是照抄最近的旧行。分辨率翻倍时，四个块共用一个位置，注意力分不清它们。",
)
def nearest(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old, new, mode="nearest")))


@exercise.misconception(
    en="The way in is right, but on the way back `view` (or `reshape`) to (H·W, d) cuts the "
    "numbers again. After `F.interpolate` the channels are in front: `flatten(1)`, then transpose.",
    zh="进去时对了，回来时用`view`（或`reshape`）变成(H·W, d)，却把数字重新切分了。"
    "`F.interpolate`之后通道在最前面：先`flatten(1)`，再转置。",
)
def viewed_back(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    patches = _resized(table[1:], old, new)
    return torch.cat((table[:1], patches.T.reshape(patches.shape)))


@exercise.misconception(
    en="`view` (or `reshape`) took the place of `permute` both ways, to (d, h, w) and back to "
    "(H·W, d). With the same grid nothing shows; with a different one, the channels are mixed. "
    "Move them with `permute(2, 0, 1)` and `.T`.",
    zh="进出都用`view`（或`reshape`）代替了`permute`：先变成(d, h, w)，再变回(H·W, d)。"
    "网格不变时看不出来，网格一变，各通道就混在一起。请用`permute(2, 0, 1)`和`.T`来挪动通道。",
)
def viewed_both_ways(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    grid = interpolate(table[1:].reshape(1, -1, *old), size=new, mode="bilinear")
    return torch.cat((table[:1], grid.reshape(-1, table.shape[1])))


@exercise.misconception(
    en="The image lies on its side: `permute(2, 1, 0)`, like `.T`, turns rows into columns. "
    "`permute(2, 0, 1)` keeps height before width.",
    zh="图像躺倒了：`permute(2, 1, 0)`（`.T`也一样）把行变成了列。"
    "`permute(2, 0, 1)`才让高仍在宽之前。",
)
def on_its_side(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    grid = table[1:].view(*old, -1).permute(2, 1, 0)
    sideways = interpolate(grid[None], size=new, mode="bilinear")[0].flatten(1).T
    return torch.cat((table[:1], sideways))


@exercise.misconception(
    en="The class row was stretched along with the patches, all in one line. It has no place "
    "in the image: put it aside first, and interpolate the others on the grid.",
    zh="分类词元那一行也跟着图像块拉成了一长条。它在图像里没有位置：先放到一边，"
    "其余各行在网格上插值。",
)
def class_row_too(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return interpolate(table.T[None], size=1 + new[0] * new[1], mode="linear")[0].T


@exercise.misconception(
    en='`mode="bicubic"` is a different interpolation: it overshoots beside steep rises. '
    "(Released ViT code uses it, too; the task wants the bilinear one.)",
    zh='`mode="bicubic"`是另一种插值，在陡升处两侧会过冲。（公开的ViT代码里也有用它的；'
    "这里要的是双线性。）",
)
def bicubic(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old, new, mode="bicubic")))


@exercise.misconception(
    en="Height and width are exchanged in the new grid: there are as many rows as there should be "
    "columns. The shape of the table does not show it.",
    zh="新网格的高和宽弄反了：该有多少列，就有了多少行。从表的形状上看不出来。",
)
def new_exchanged(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old, new[::-1])))


@exercise.misconception(
    en="Height and width are exchanged in both grids: rows are cut at the wrong places. A square "
    "image hides it.",
    zh="新旧两个网格的高和宽都弄反了：每一行都切错了地方。正方形的图像会把这个错藏起来。",
)
def both_exchanged(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old[::-1], new[::-1])))


@exercise.misconception(
    en="`antialias=True` averages over more old patches where the grid becomes coarser. That is "
    "not the table that the task asks for.",
    zh="网格变粗时，`antialias=True`会对更多的旧块取平均：这不是题目要的表。",
)
def antialiased(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[1:], old, new, antialias=True)))


@exercise.misconception(
    en="You took the last row for that of the class token. The class token has the first row; as "
    "it is, every patch is off by one place.",
    zh="你把最后一行当成了分类词元那一行。分类词元在第一行；这样取，每个图像块都错开了一格。",
)
def class_row_last(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[-1:], _resized(table[:-1], old, new)))


@exercise.misconception(
    en="The last row was put aside as that of the class token. It comes first, `table[:1]`: with "
    "`table[:-1]` for the grid, every patch moves by one place.",
    zh="你把最后一行当成分类词元放到了一边。分类词元在最前面，即`table[:1]`：用`table[:-1]`作网格，"
    "每一块都错开了一格。",
)
def grid_without_the_last_row(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    return torch.cat((table[:1], _resized(table[:-1], old, new)))


@exercise.misconception(
    en="You read the old grid column by column: first down, then across. The rows of the table run "
    "along a row of the image first.",
    zh="你按列读了旧网格：先往下，再往右。表里的各行是先沿着图像的一行排的。",
)
def column_by_column(table: Tensor, old: tuple[int, int], new: tuple[int, int]) -> Tensor:
    across = table[1:].view(old[1], old[0], -1).transpose(0, 1)
    return torch.cat((table[:1], _resized(across.flatten(0, 1), old, new)))
