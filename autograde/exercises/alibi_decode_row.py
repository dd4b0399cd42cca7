"""Exercise alibi_decode_row: what one new token needs."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_agreement, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="alibi_decode_row",
    chapter="07_linear_bias",
    title=Text(en="The row of a new token", zh="新词元的那一行"),
    task=Text(
        en=r"""A model decodes with a cache: `cached` tokens are there, at positions
$0,\dots,\text{cached}-1$, and one new token comes in, which also attends to itself. Return its bias
$m_h\,(j-i)$; no square table is needed.

In: `cached` (may be 0), `slopes` of shape `(H,)`. Out: shape `(H, 1, cached + 1)`.""",
        zh=r"""模型带缓存解码：已有`cached`个词元，位置是$0,\dots,\text{cached}-1$；新来一个词元，
它也看自己。返回它的偏置$m_h\,(j-i)$，不需要方阵。

输入：`cached`（可以是0），形状为`(H,)`的`slopes`。输出：形状为`(H, 1, cached + 1)`。""",
    ),
    signature="alibi_decode_row(cached, slopes) -> (H, 1, cached + 1)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Which position does the new token have? How many keys are there, itself included?",
            zh="新词元的位置是几？连它自己一共有几个键？",
        ),
        Text(en="The distances are −cached, …, −1, 0.", zh="距离依次是−cached、……、−1、0。"),
        Text(
            en="`slopes[:, None, None] * torch.arange(-cached, 1)` has the shape (H, 1, cached + "
            "1).",
            zh="`slopes[:, None, None] * torch.arange(-cached, 1)`的形状就是(H, 1, cached + 1)。",
        ),
    ),
)


@exercise.truth
def row_of_the_newest(cached: int, slopes: Tensor) -> Tensor:
    """Return the last row of the bias of all tokens, which is that of the newest."""
    p = torch.arange(cached + 1)
    table = slopes[:, None, None] * (p[None, :] - p[:, None])
    return table[:, -1:]


@exercise.check(en="one row, with the new token itself", zh="一行，包括新词元自己")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(4, torch.ones(3)), (3, 1, 5))
    expect_shape(answer(0, torch.ones(2)), (2, 1, 1))


@exercise.check(en="equals the last row of the whole table", zh="等于整张表的最后一行", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    heads, cached = torch.randint(3, 10, (2,), generator=rng).tolist()
    for sizes in ((heads, cached), (1, 210 + cached), (heads, 0)):
        slopes = torch.rand(sizes[0], generator=rng)
        expect_agreement(answer, exercise.true_answer, sizes[1], slopes)
    expect_close(answer(2, torch.tensor([0.5])), torch.tensor([[[-1.0, -0.5, 0.0]]]))


@exercise.misconception(
    en="The query got index 0, so the row is +m·j: as if the new token were at the "
    "beginning and all keys ahead of it. (Softmax forgives it here, because the row differs by a "
    "constant; with a symmetric bias, or beside the score of a sink, it does not.)",
    zh="你让查询的位置成了0，这一行就是+m·j：好像新词元在开头，所有键都在它之后。"
    "（这里只差一个常数，softmax会放过；换成对称偏置，或旁边另有汇点的得分，就不行了。）",
)
def query_at_zero(cached: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(cached + 1)


@exercise.misconception(
    en="All distances are one too long: the new token is at `cached`, not at `cached + 1`.",
    zh="所有距离都长了1：新词元的位置是`cached`，不是`cached + 1`。",
)
def off_by_one(cached: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(-cached - 1, 0)


@exercise.misconception(
    en="The new token's own key is missing: there are cached + 1 keys.",
    zh="漏了新词元自己的键：一共有cached + 1个键。",
)
def without_itself(cached: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(-cached, 0)


@exercise.misconception(
    en="The minus is missing: you computed query − key, and far keys would get a bonus.",
    zh="少了负号：你算的是查询减键，远处的键反而得到加分。",
)
def no_minus(cached: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(cached, -1, -1)


@exercise.misconception(
    en="The row is reversed: the nearest key comes last, so the penalties shrink to 0 from left "
    "to right.",
    zh="这一行左右反了：最近的键在最后，扣分应从左到右减到0。",
)
def reversed_row(cached: int, slopes: Tensor) -> Tensor:
    return -slopes[:, None, None] * torch.arange(cached + 1)


@exercise.misconception(
    en="All distances are one too short: at `cached - 1` is the last token of the cache; the "
    "new one is at `cached`.",
    zh="所有距离都短了1：位置`cached - 1`上是缓存里的最后一个词元，新词元的位置是`cached`。",
)
def at_the_last_cached(cached: int, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * torch.arange(1 - cached, 2)


@exercise.misconception(
    en="This is the square table of all tokens. One query is new: return the last row alone, "
    "`[:, -1:]`.",
    zh="这是所有词元的方表。新的查询只有一个：只返回最后一行，即`[:, -1:]`。",
)
def whole_table(cached: int, slopes: Tensor) -> Tensor:
    p = torch.arange(cached + 1)
    return slopes[:, None, None] * (p[None, :] - p[:, None])


@exercise.misconception(
    en="The axis of the one query comes first, (1, H, L): the scores have the heads first, then "
    "the query. `slopes[:, None, None]` times the row gives (H, 1, L).",
    zh="唯一的查询那一维放到了最前面，即(1, H, L)：得分里是头在前，查询在后。"
    "`slopes[:, None, None]`乘以这一行，就是(H, 1, L)。",
)
def query_axis_first(cached: int, slopes: Tensor) -> Tensor:
    return row_of_the_newest(cached, slopes).transpose(0, 1)
