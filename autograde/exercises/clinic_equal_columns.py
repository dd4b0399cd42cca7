"""Exercise clinic_equal_columns: an exponent computed among whole numbers."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_equal_columns",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: columns that repeat themselves",
        zh="修错：千篇一律的列",
    ),
    task=Text(
        en=r"""Mend `case_2`: the same encoding as in case 1, interleaved, with a frequency of
its own for every pair.

In: `x` $(B,L,d)$, $d$ even; `mask` $(B,L)$, true at tokens, false at padding in front of them.
Out: $(B,L,d)$; what stands at padding does not matter.""",
        zh=r"""修好`case_2`：与病例1同样的交错排布的编码，每一对都有自己的频率。

输入：`x` $(B,L,d)$，$d$为偶数；`mask` $(B,L)$，词元处为真，词元前面的填充处为假。输出：$(B,L,d)$；
填充处是什么都行。""",
    ),
    signature="clinic_equal_columns(x, mask) -> (B, L, d)",
    points=1,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="Print the exponents for `d = 8`. How many different numbers do you see?",
            zh="打印`d = 8`时的指数。有几个不同的数？",
        ),
        Text(
            en="`2 // 8` is not a quarter.",
            zh="`2 // 8`可不是四分之一。",
        ),
        Text(
            en="`10000.0 ** -(torch.arange(0, d, 2) / d)`: one bar.",
            zh="`10000.0 ** -(torch.arange(0, d, 2) / d)`：只要一道斜杠。",
        ),
    ),
)


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.zeros(3, 4, 10), torch.ones(3, 4, dtype=torch.bool)), (3, 4, 10))


@exercise.check(en="no two sine columns are the same", zh="没有两个正弦列相同", weight=2)
def own_column(answer: Function, rng: torch.Generator) -> None:
    whole = torch.ones(1, 30, dtype=torch.bool)
    sines = expect_shape(answer(torch.zeros(1, 30, 16), whole), (1, 30, 16))[0, :, ::2]
    gap = torch.cdist(sines.T.contiguous(), sines.T.contiguous()) + torch.eye(8)
    one, other = sorted(2 * place for place in divmod(int(gap.argmin()), 8))
    expect(
        bool((gap > 1e-3).all()),
        f"columns {one} and {other} hold the same numbers at 30 positions, to within 0.001",
        f"30个位置上，第{one}列与第{other}列的数都相同（相差不到0.001）",
    )


@exercise.check(en="x plus the table of the paper", zh="等于x加上论文中的编码表", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (4, 12, 48):
        x = torch.randn(2, 6, dim, generator=rng)
        mask = torch.tensor([[0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]]).bool()
        got = expect_shape(answer(x, mask), (2, 6, dim))
        expect_close(got[mask], _encoded(x, mask, -torch.arange(0, dim, 2) / dim)[mask])


def _encoded(x: Tensor, mask: Tensor, exponent: Tensor) -> Tensor:
    angles = (mask.cumsum(1) - 1)[..., None] * 10000.0**exponent
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)


@exercise.misconception(
    en="Still the broken version: `//` rounds every exponent down to 0, so all pairs turn by 1 "
    "radian a token.",
    zh="还是有错的那个版本：`//`把指数全都舍成了0，所有的对都是每个词元转1弧度。",
)
def unchanged(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, -(torch.arange(0, d, 2) // d))


@exercise.misconception(
    en="Now you round the other way: with the minus inside, -2 // d is -1, and all pairs but the "
    "first have frequency 1/10000. Divide with `/`.",
    zh="现在舍到另一边去了：负号放进去以后，-2 // d等于-1，除第一对外频率都是1/10000。"
    "要用`/`来除。",
)
def floor_of_negative(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, -torch.arange(0, d, 2) // d)


@exercise.misconception(
    en="The division is mended and the minus got lost: frequencies now rise to thousands.",
    zh="除法修好了，负号却丢了：频率一路升到几千。",
)
def lost_minus(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, torch.arange(0, d, 2) / d)


@exercise.misconception(
    en="The division is mended, the factor 2 counts twice: `torch.arange(0, d, 2)` is 2i already.",
    zh="除法修好了，因子2却算了两次：`torch.arange(0, d, 2)`本身已是2i。",
)
def twice_the_exponent(x: Tensor, mask: Tensor) -> Tensor:
    d = x.shape[-1]
    return _encoded(x, mask, -2 * torch.arange(0, d, 2) / d)
