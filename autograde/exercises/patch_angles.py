"""Exercise patch_angles: axial RoPE, half of the pairs turn by the row, half by the column."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.rope_axial import axial_angles
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="patch_angles",
    chapter="10_beyond_1d",
    title=Text(en="Axial angles of every patch", zh="每个图像块的轴向角度"),
    task=Text(
        en=r"""Return the angles of axial RoPE for all patches of an image of `height` × `width`
patches, read row by row: patch $n$ is in row `n // width`, column `n % width`. A head has $D$
channels, so $D/2$ pairs. Pair $i<D/4$ turns by $\omega_i$ times the *row*, pair $D/4+i$ by
$\omega_i$ times the *column*, with the frequencies of a head of half the size,
$\omega_i=\text{base}^{-4i/D}$.

In: `height`, `width` whole numbers, `dim` is $D$, divisible by 4. Out: shape
`(height · width, dim/2)`, radians.""",
        zh=r"""返回一幅`height` × `width`个图像块的图像中，每个块的轴向RoPE角度。图像块按行读取：
第$n$块在第`n // width`行、第`n % width`列。一个头有$D$个通道，即$D/2$对。
第$i<D/4$对转$\omega_i$乘*行号*，
第$D/4+i$对转$\omega_i$乘*列号*；频率是一半大小的头的频率，$\omega_i=\text{base}^{-4i/D}$。

输入：`height`、`width`为整数，`dim`就是$D$，能被4整除。输出：形状为`(height · width, dim/2)`，
单位是弧度。""",
    ),
    signature="patch_angles(height, width, dim, base=10000.0) -> (height * width, dim/2)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="First the two positions of every patch: number the patches 0 … height · width − 1. "
            "In which row and column is each?",
            zh="先求每个块的两个位置：把块编号为0到height·width−1，每一块在哪一行、哪一列？",
        ),
        Text(
            en="Then it is RoPE twice, each time for a head of dim/2 channels: rows times "
            "frequencies, columns times the same frequencies.",
            zh="剩下的就是做两遍RoPE，每遍都当作一个dim/2通道的头：行号乘频率，列号乘同样的频率。",
        ),
        Text(
            en="`omega = base ** (-4 * torch.arange(dim // 4) / dim)`, then "
            "`torch.cat((rows[:, None] * omega, columns[:, None] * omega), dim=-1)`.",
            zh="`omega = base ** (-4 * torch.arange(dim // 4) / dim)`，然后"
            "`torch.cat((rows[:, None] * omega, columns[:, None] * omega), dim=-1)`。",
        ),
    ),
)


@exercise.truth
def row_then_column(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    """Return the axial angles of the reference at the row and column of every patch."""
    return _by_hand(*_grid(height, width), dim, base)


def _by_hand(rows: Tensor, columns: Tensor, dim: int, base: float) -> Tensor:
    return axial_angles((rows, columns), frequencies(dim // 2, base=base))


def _grid(height: int, width: int) -> tuple[Tensor, Tensor]:
    patch = torch.arange(height * width)
    return patch // width, patch % width


def _draw(rng: torch.Generator, low: int, high: int, count: int) -> list[int]:
    return torch.randint(low, high, (count,), generator=rng).tolist()


@exercise.check(en="one angle for every patch and pair", zh="每个块、每一对各一个角度")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(3, 4, 8), (12, 4))
    expect_shape(answer(1, 1, 4), (1, 2))


@exercise.check(
    en="the row moves the first half of the pairs only, the column the second",
    zh="行号只动前一半的对，列号只动后一半",
    weight=2,
)
def halves(answer: Function, rng: torch.Generator) -> None:
    height, more = _draw(rng, 2, 5, 2)
    width, patches = height + more, height * (height + more)
    angles = expect_effect(answer(height, width, 8), (patches, 4)).double()
    angles = angles.view(height, width, 4)
    along, down = angles.diff(dim=1), angles.diff(dim=0)
    expect(
        bool((along[..., :2].abs() < 1e-6).all()),
        "along a row, the first half of the pairs should be still",
        "沿着一行走，不应转动前一半的对",
    )
    expect(
        bool((down[..., 2:].abs() < 1e-6).all()),
        "down a column, the second half of the pairs should be still",
        "沿着一列走，不应转动后一半的对",
    )
    expect(
        bool((angles[1:, 1:] != 0).all()),
        "an angle is zero although neither row nor column is",
        "行号、列号都不为零，角度却有零",
    )


@exercise.check(
    en="equals row times frequency, then column times frequency",
    zh="等于行号乘频率，再接上列号乘频率",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    height, more, quarter = _draw(rng, 2, 6, 3)
    (base,) = _draw(rng, 50, 5000, 1)
    for sizes in (
        (height, height + more, 4 * quarter),  # base by default
        (height + more, height, 4 * quarter, float(base)),
        (2, 210 + more, 8),
        (210 + more, 1, 256, 500000.0),
        (1, height, 4),
    ):
        expect_agreement(answer, exercise.true_answer, *sizes)


@exercise.misconception(
    en="Columns came first. Scores still see the displacement alone if queries and keys agree, "
    "but weights trained with rows first read every image mirrored across its diagonal.",
    zh="列放到了前面。只要查询和键一致，得分照样只看位移；可是按“行在前”训练的模型，"
    "读每幅图都像沿对角线翻转过。",
)
def columns_first(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    return _by_hand(columns, rows, dim, base)


@exercise.misconception(
    en="The patches are read column by column: `n % height` and `n // height`. Patch 1 must be the "
    "right neighbour of patch 0.",
    zh="图像块被按列读取了：用的是`n % height`和`n // height`。第1块应当是第0块右边的邻居。",
)
def column_by_column(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    patch = torch.arange(height * width)
    return _by_hand(patch % height, patch // height, dim, base)


@exercise.misconception(
    en="You divided by `height` where the number of patches in a row, `width`, is needed. On a "
    "square image nobody notices.",
    zh="该除以每行的块数`width`，你却除以了`height`。图像是正方形时，谁也看不出来。",
)
def divides_by_height(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    patch = torch.arange(height * width)
    return _by_hand(patch // height, patch % height, dim, base)


@exercise.misconception(
    en="These are the frequencies of the whole head, base^(−2i/D), for each axis: the slowest "
    "pair then turns at about base^(−1/2), 0.01 by default, where a head of half the size goes "
    "down to almost 1/base.",
    zh="每个轴都用了整个头的频率base^(−2i/D)：最低频的一对只慢到base^(−1/2)左右，"
    "base取默认值时约为0.01；而一半大小的头会慢到接近1/base。",
)
def whole_head(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    return axial_angles((rows, columns), frequencies(dim, base=base)[: dim // 4])


@exercise.misconception(
    en="One list of frequencies was cut in two: rows got the fast half, columns the slow one. Both "
    "axes need the same frequencies.",
    zh="一串频率被切成两半：行分到高的，列分到低的。两个轴要用同样的频率。",
)
def cut_in_two(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    fast, slow = frequencies(dim, base=base).chunk(2)
    return torch.cat((rows[:, None] * fast, columns[:, None] * slow), dim=-1)


@exercise.misconception(
    en="Row pairs and column pairs take turns. Here all row pairs come first, then all column "
    "pairs. Scores still see the displacement alone, but weights trained in one order are wrong "
    "in the other.",
    zh="行对和列对轮流出现了。这里先是全部的行对，再是全部的列对。得分照样只看位移，"
    "可是按一种次序训练的模型，换一种次序就错了。",
)
def taking_turns(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _by_hand(*_grid(height, width), dim, base).chunk(2, dim=-1)
    return torch.stack((rows, columns), dim=-1).flatten(1)


@exercise.misconception(
    en="Every pair turns by the number of the patch in the flattened image: that is RoPE in one "
    "dimension, where the patch below is `width` steps away.",
    zh="每一对都按展平后的序号转：这是一维的RoPE，下方的邻居隔着`width`步。",
)
def flattened(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    return torch.arange(height * width)[:, None] * frequencies(dim, base=base)


@exercise.misconception(
    en="Every pair turns by row *plus* column. Patches (0, 1) and (1, 0) then have the same "
    "angles; a pair belongs to one axis only.",
    zh="每一对都按行号*加*列号转。这样块(0, 1)和(1, 0)的角度就完全相同；一对只归一个轴。",
)
def row_plus_column(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    return (rows + columns)[:, None] * frequencies(dim, base=base)


@exercise.misconception(
    en="The sign of the exponent is missing: your frequencies grow from 1 up, where they should "
    "fall from 1 down to almost 1/base.",
    zh="指数少了负号：频率从1往上增大了，本应从1往下降到接近1/base。",
)
def growing_frequencies(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    return axial_angles((rows, columns), 1 / frequencies(dim // 2, base=base))


@exercise.misconception(
    en="You return an angle for each channel. Two channels form a pair and share an angle: dim/2 "
    "of "
    "them, dim/4 for each axis.",
    zh="你给每个通道都算了一个角度。两个通道为一对，共用一个角度：共dim/2个，每个轴dim/4个。",
)
def one_for_each_channel(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    return row_then_column(height, width, dim, base).repeat(1, 2)


@exercise.misconception(
    en="The exponent was divided with `//`: it is 0 for every pair, and all turn as fast as the "
    "first. Divide with `/`.",
    zh="指数用`//`来除了：每一对都得0，于是都和第一对转得一样快。要用`/`。",
)
def whole_exponent(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    return axial_angles(_grid(height, width), torch.ones(dim // 4))


@exercise.misconception(
    en="Rows and columns are counted from 1. Scores survive that, but the first patch belongs at "
    "(0, 0), where nothing turns.",
    zh="行号和列号从1数起了。得分不受影响，但第一块应在(0, 0)，那里什么也不转。",
)
def from_one(height: int, width: int, dim: int, base: float = 10000.0) -> Tensor:
    rows, columns = _grid(height, width)
    return _by_hand(rows + 1, columns + 1, dim, base)
