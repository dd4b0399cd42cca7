"""Exercise alibi_bias_table: the penalty of every head, query and key."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="alibi_bias_table",
    chapter="07_linear_bias",
    title=Text(en="The bias of every pair", zh="每一对的偏置"),
    task=Text(
        en=r"""Return ALiBi's causal bias $m_h\,(j-i)$: 0 at the query itself, more negative the
further back the key stands. Leave the future as the formula gives it; the causal mask removes it.

In: `length`, and `slopes` of shape `(H,)`. Out: shape `(H, length, length)`, row $i$ is that of
query $i$.""",
        zh=r"""返回ALiBi的因果偏置$m_h\,(j-i)$：在查询自己处为0，键越早，值越小（越负）。
未来的部分就按式子算出来，因果掩码会去掉它。

输入：`length`，以及形状为`(H,)`的`slopes`。输出：形状为`(H, length, length)`，
第$i$行属于查询$i$。""",
    ),
    signature="alibi_bias_table(length, slopes) -> (H, length, length)",
    points=2,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Write down row 2 for length 4 and slope 1. Which number stands at the query "
            "itself, which at its neighbours?",
            zh="写出长度4、斜率1时的第2行。查询自己处是几？左右邻居处呢？",
        ),
        Text(
            en="Key − query for all pairs, by broadcasting: one of the two positions gets its "
            "new axis in front, the other behind. The key is the column.",
            zh="“键减查询”用广播一次算出：位置向量用两次，一次在前面添一个轴，一次在后面添一个轴。"
            "列是键。",
        ),
        Text(
            en="`p[None, :] - p[:, None]` is (length, length); `slopes[:, None, None]` gives "
            "every head its own table.",
            zh="`p[None, :] - p[:, None]`是(length, length)；乘以`slopes[:, None, None]`，"
            "每个头就有自己的表。",
        ),
    ),
)


@exercise.truth
def slope_times_relative(length: int, slopes: Tensor) -> Tensor:
    """Return slope times (key − query)."""
    return _times(length, slopes, _relative(length))


def _times(length: int, slopes: Tensor, distance: Tensor) -> Tensor:
    return slopes[:, None, None] * distance.expand(length, length)


def _relative(length: int) -> Tensor:
    p = torch.arange(length)
    return p[None, :] - p[:, None]


@exercise.check(en="one table for each head", zh="每个头一张表")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(5, torch.ones(3)), (3, 5, 5))
    expect_shape(answer(1, torch.ones(1)), (1, 1, 1))


@exercise.check(
    en="0 on the diagonal, negative at keys of the past", zh="对角线为0，过去的键处为负", weight=2
)
def sign(answer: Function, rng: torch.Generator) -> None:
    table = expect_shape(answer(4, torch.rand(2, generator=rng) + 0.1), (2, 4, 4))
    expect(
        bool((table.diagonal(dim1=1, dim2=2) == 0).all()),
        "the diagonal is not 0: a token is at distance 0 from itself",
        "对角线不是0：词元到自己的距离是0",
    )
    expect(
        bool((table[:, 3, :3] < 0).all()),
        "row 3 should be negative at keys 0, 1, 2: the past is penalised",
        "第3行在键0、1、2处应为负：过去要被扣分",
    )


@exercise.check(en="equals slope times (key − query)", zh="等于斜率乘（键减查询）", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    heads, length = torch.randint(3, 10, (2,), generator=rng).tolist()
    for sizes in ((heads, length), (1, 256 + length), (heads, 1)):
        slopes = torch.rand(sizes[0], generator=rng)
        expect_agreement(answer, exercise.true_answer, sizes[1], slopes)
    expect_close(answer(2, torch.tensor([0.5])), torch.tensor([[[0.0, 0.5], [-0.5, 0.0]]]))


@exercise.misconception(
    en="You computed query − key: keys of the past get a *bonus* that grows with distance. "
    "Attention would look at the beginning of the text.",
    zh="你算的是查询减键：过去的键得到的是随距离增长的*加分*，注意力会跑到文本开头去。",
)
def query_minus_key(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, -_relative(length))


@exercise.misconception(
    en="This is the symmetric form, −m|i − j|, for encoders. Under a causal mask it gives the "
    "same weights; the task wants the plain formula, future included.",
    zh="这是给编码器用的对称形式−m|i−j|。有因果掩码时权重相同；这里要的是式子本身，未来也照算。",
)
def symmetric(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, -_relative(length).abs())


@exercise.misconception(
    en="Right for the past, but you set the future to 0. Under a causal mask that gives the same "
    "weights; the task wants the plain formula, future included.",
    zh="过去的部分对了，但你把未来设成了0。有因果掩码时权重相同；这里要的是式子本身，未来也照算。",
)
def future_at_zero(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, _relative(length).clamp(max=0))


@exercise.misconception(
    en="This is the key-only form +m·j, one row for all queries. Under a causal mask softmax "
    "does "
    "not see the difference; in an encoder every query would look to the end of the text.",
    zh="这是只看键的形式+m·j，所有查询共用一行。有因果掩码时softmax看不出差别；"
    "在编码器里，每个查询却都会看向文本末尾。",
)
def key_only(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, torch.arange(length))


@exercise.misconception(
    en="The distance counts from 1 on the diagonal: the query itself is penalised too, as if it "
    "stood one token away. (Softmax would not see it; the next person to read the table would.)",
    zh="对角线上的距离从1数起：查询自己也被扣了分，好像离自己有一个词元远。"
    "（softmax看不出来，看这张表的人看得出来。）",
)
def off_by_one(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, _relative(length) - 1)


@exercise.misconception(
    en="You divided by √H or √D: the bias is added *after* the scaling and is not scaled itself.",
    zh="你除以了√H或√D：偏置是在缩放*之后*加的，自己不缩放。",
)
def scaled(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, _relative(length)) / len(slopes) ** 0.5


@exercise.misconception(
    en="Right for the past, but the causal mask is in it already, −inf ahead of the query. The "
    "mask is applied afterwards; the task wants the plain formula, future included.",
    zh="过去的部分对了，但你把因果掩码也放了进来，未来处成了−inf。掩码之后才加；"
    "这里要的是式子本身，未来也照算。",
)
def masked(length: int, slopes: Tensor) -> Tensor:
    relative = _relative(length)
    return _times(length, slopes, relative).masked_fill(relative > 0, -torch.inf)


@exercise.misconception(
    en="The distance is squared. ALiBi's penalty is linear: each further token costs the same "
    "factor, not a larger one.",
    zh="距离被平方了。ALiBi的扣分是线性的：每远一个词元乘同一个因子，而不是越远乘得越小。",
)
def squared(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, -(_relative(length) ** 2))


@exercise.misconception(
    en="This is +m|i − j|: the farthest keys, before and after, get the largest bonus. The "
    "formula "
    "m (j − i) keeps its sign and takes no absolute value.",
    zh="这是+m|i−j|：前后最远的键反而加分最多。式子m(j − i)保留正负号，不取绝对值。",
)
def far_bonus(length: int, slopes: Tensor) -> Tensor:
    return _times(length, slopes, _relative(length).abs())


@exercise.misconception(
    en="The heads are the last axis, (L, L, H): the slopes were multiplied on as they came. "
    "`slopes[:, None, None]` puts them first, where the scores have them.",
    zh="头成了最后一个轴，即(L, L, H)：斜率是原样乘上去的。`slopes[:, None, None]`"
    "把头放到第一个轴，和得分一致。",
)
def heads_last(length: int, slopes: Tensor) -> Tensor:
    return slope_times_relative(length, slopes).permute(1, 2, 0)


@exercise.misconception(
    en="`slopes` is not used: you computed 2^(-8h/H) again. A head has the slope that the caller "
    "gives it.",
    zh="没有用到`slopes`：你自己又算了一遍2^(-8h/H)。每个头的斜率由调用者给出。",
)
def own_slopes(length: int, slopes: Tensor) -> Tensor:
    heads = len(slopes)
    return slope_times_relative(length, 2.0 ** (-8 * torch.arange(1, heads + 1) / heads))


@exercise.misconception(
    en="There is a column too many: keys are numbered 0 … length − 1, as the queries are.",
    zh="多了一列：键和查询一样，编号是0到length − 1。",
)
def one_key_too_many(length: int, slopes: Tensor) -> Tensor:
    return slope_times_relative(length + 1, slopes)[:, :length]


@exercise.misconception(
    en="Positions went through bfloat16, which counts exactly only up to 256: 257 becomes 256. "
    "Subtract whole numbers, and convert the distance.",
    zh="位置转成了bfloat16，而它只能精确数到256：257会变成256。应先用整数相减，再转换距离。",
)
def positions_in_bfloat16(length: int, slopes: Tensor) -> Tensor:
    place = torch.arange(length).bfloat16()
    return slopes[:, None, None] * (place - place[:, None]).to(slopes.dtype)
