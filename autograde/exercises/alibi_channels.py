"""Exercise alibi_channels: ALiBi for a kernel that takes no bias, in two more channels."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

Both = tuple[Tensor, Tensor]

exercise = Exercise(
    id="alibi_channels",
    chapter="07_linear_bias",
    title=Text(en="ALiBi for a kernel without a bias", zh="给不收偏置的算子装上ALiBi"),
    task=Text(
        en=r"""A fast kernel takes queries and keys of $D'$ channels and no bias: its weights are
$\mathrm{softmax}(Q'K'^\top/\sqrt{D'})$, with a causal mask. Append **two channels** to each query
and each key, so that it computes ALiBi:

$$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D+m_h\,(j-i)\bigr),\qquad D'=D+2.$$

The model may run in bfloat16, which has 8 significant bits, and the text may be long. Only `q` and
`k` are rounded to it: the kernel adds up and takes the softmax in float32. A slope may be rounded
(at most 0.4% off), a position may not.

In: `q` of shape `(H, Lq, D)`, `k` of shape `(H, Lk, D)`, `positions` of the keys, `(Lk,)`,
integers from 0 to 65535; `slopes` `(H,)`, float32. Out: a pair `(q, k)`, of shapes
`(H, Lq, D + 2)` and `(H, Lk, D + 2)`, in the dtype of `q`. You are not told where the queries
are, and need not know.""",
        zh=r"""有个很快的融合算子，接收$D'$个通道的查询和键，不收偏置：权重是
$\mathrm{softmax}(Q'K'^\top/\sqrt{D'})$，带因果掩码。请给每个查询和每个键**各添两个通道**，
让它算出ALiBi：

$$\mathrm{softmax}_j\bigl(q_i\cdot k_j/\sqrt D+m_h\,(j-i)\bigr),\qquad D'=D+2.$$

模型可能用bfloat16运行，它只有8位有效二进制位；文本可能很长。只有`q`和`k`存成bfloat16，
算子内部的点积和softmax用float32。斜率可以舍入（误差不超过0.4%），位置不可以。

输入：`q`形状为`(H, Lq, D)`，`k`形状为`(H, Lk, D)`；`positions`是各个键的位置，`(Lk,)`，
0到65535的整数；`slopes`形状为`(H,)`，float32。输出：一对`(q, k)`，形状为`(H, Lq, D + 2)`和
`(H, Lk, D + 2)`，dtype与`q`相同。查询在哪个位置，题目不告诉你，也用不着知道。""",
    ),
    signature="alibi_channels(q, k, positions, slopes) -> (q, k)",
    points=3,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Which part of m (j − i) is the same for all keys of a query? The softmax does not "
            "see it. What is left is a product: one number of the head, one number of the key.",
            zh="m(j − i)里哪一部分对同一个查询的所有键都一样？softmax看不见它。"
            "剩下的是一个乘积：一个数属于头，一个数属于键。",
        ),
        Text(
            en="The kernel divides by √(D + 2), the content as well as the new channels. By what "
            "must you multiply q, and by what the slope, so that both come out right?",
            zh="算子除以√(D + 2)，原来的通道和新添的通道都除。q要乘以多少、斜率要乘以多少，"
            "两者才都对？",
        ),
        Text(
            en="In float32 one channel is enough, with j in the key. In bfloat16 257 is 256: "
            "above 256 the last bit is lost. But j = 256 a + b with a and b below 256, and "
            "both are exact.",
            zh="float32里一个通道就够，键里放j。bfloat16里257就成了256：大于256的数保不住最低位。"
            "但j = 256a + b，a和b都小于256，两个都精确。",
        ),
        Text(
            en="Keys get `positions // 256` and `positions % 256`; queries get 256 · m · √(D + 2) "
            "and m · √(D + 2); the channels of q are multiplied by √((D + 2)/D).",
            zh="键添上`positions // 256`和`positions % 256`；查询添上256 · m · √(D + 2)和"
            "m · √(D + 2)；q原来的通道乘以√((D + 2)/D)。",
        ),
    ),
)


def _appended(
    q: Tensor, k: Tensor, places: list[Tensor], factors: list[Tensor], scale: float
) -> Both:
    """Return q, multiplied, with a channel for each factor (H,), and k with one for each place."""
    of_heads = torch.stack(factors, -1)[:, None].expand(-1, q.shape[1], -1)
    of_keys = torch.stack(places, -1).expand(len(k), -1, -1)
    q = (q.double() * scale).to(q.dtype)
    return torch.cat((q, of_heads.to(q.dtype)), -1), torch.cat((k, of_keys.to(k.dtype)), -1)


def _widened(q: Tensor, by: int = 2) -> float:
    return ((q.shape[-1] + by) / q.shape[-1]) ** 0.5


@exercise.truth
def in_two_digits(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    """Return both with the position in base 256, whose digits are exact in 16 bits."""
    m = slopes.double() * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, [positions // 256, positions % 256], [256 * m, m], _widened(q))


@exercise.counts
def scores(result: Both, q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Tensor:
    """Return what the kernel puts into its softmax, less a constant of each query."""
    left, right = result
    product = left.double() @ right.double().mT / left.shape[-1] ** 0.5
    return (product - product.mean(-1, keepdim=True)).to(q.dtype)


def _inputs(
    rng: torch.Generator, heads: int, queries: int, positions: Tensor, dim: int = 16
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    q = torch.randn(heads, queries, dim, generator=rng)
    k = torch.randn(heads, len(positions), dim, generator=rng)
    return q, k, positions, (0.6 + torch.rand(heads, generator=rng)) / 2 ** torch.arange(heads)


def _pair(got: object, q: Tensor, k: Tensor) -> Both:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "expected a pair: queries and keys",
        "应返回一对：查询和键",
    )
    for mine, before in zip(got, (q, k), strict=True):
        expect_dtype(expect_shape(mine, (*before.shape[:2], before.shape[2] + 2)), q.dtype)
    return got[0], got[1]


def _expect_weights(
    answer: Function, inputs: tuple[Tensor, Tensor, Tensor, Tensor], atol: float = 1e-5
) -> None:
    """Compare the kernel's weights with ALiBi's; the queries are the tokens of the last keys."""
    q, k, positions, slopes = inputs
    left, right = _pair(answer(*inputs), q, k)
    at = positions[-q.shape[1] :]
    relative = (positions[None, :] - at[:, None]).double()
    hidden = relative > 0
    mine = left.double() @ right.double().mT / left.shape[-1] ** 0.5
    content = q.double() @ k.double().mT / q.shape[-1] ** 0.5
    bias = slopes.double()[:, None, None] * relative
    expect_close(
        mine.masked_fill(hidden, -torch.inf).softmax(-1),
        (content + bias).masked_fill(hidden, -torch.inf).softmax(-1),
        atol=atol,
    )


@exercise.check(en="two channels more, in the dtype of q", zh="多两个通道，dtype与q相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for dtype, heads, queries in (
        (torch.float32, 2, 3),
        (torch.bfloat16, 1, 1),
        (torch.float16, 1, 5),
    ):
        q, k, positions, slopes = _inputs(rng, heads, queries, torch.arange(5))
        q, k = q.to(dtype), k.to(dtype)
        _pair(answer(q, k, positions, slopes), q, k)


@exercise.check(
    en="with slopes of 0 the weights are those of content alone",
    zh="斜率为0时，权重只取决于内容",
)
def content(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, 16, 66):
        q, k, positions, _ = _inputs(rng, 3, 6, torch.arange(6), dim)
        _expect_weights(answer, (3 * q, k, positions, torch.zeros(3)))


@exercise.check(en="ALiBi's weights in float32", zh="float32下得到ALiBi的权重", weight=3)
def weights(answer: Function, rng: torch.Generator) -> None:
    first = int(torch.randint(1, 3000, (), generator=rng))
    for positions, queries in (
        (torch.arange(9), 9),
        (torch.arange(first, first + 300), 7),
        (torch.arange(12).cumsum(0), 1),
    ):
        _expect_weights(answer, _inputs(rng, 4, queries, positions, dim=10))


@exercise.check(
    en="ALiBi's weights in bfloat16, also far out in a text",
    zh="bfloat16下也得到ALiBi的权重，文本很靠后处也一样",
    weight=3,
)
def far_out(answer: Function, rng: torch.Generator) -> None:
    first = int(torch.randint(20_000, 60_000, (), generator=rng))
    for positions in (torch.arange(first, first + 600), torch.arange(65_000, 65_536)):
        q, k, positions, slopes = _inputs(rng, 6, 40, positions)
        inputs = q.bfloat16() / 4, k.bfloat16(), positions, slopes
        _expect_weights(answer, inputs, atol=0.03)


def _digits(positions: Tensor) -> list[Tensor]:
    return [positions // 256, positions % 256]


@exercise.misconception(
    en="The channels of q are unchanged, and the kernel divides by √(D + 2) where √D belongs: the "
    "content counts too little. Multiply q by √((D + 2)/D).",
    zh="q原来的通道没有动，算子却除以√(D + 2)，本该是√D：内容的得分偏小。q要乘以√((D + 2)/D)。",
)
def content_shrunk(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], 1.0)


@exercise.misconception(
    en="The kernel divides the new channels by √(D + 2) too, and with them your slope: multiply "
    "it by √(D + 2) first.",
    zh="算子把新添的通道也除以√(D + 2)，斜率就跟着变小了：要先乘以√(D + 2)。",
)
def slope_divided(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return _appended(q, k, _digits(positions), [256 * slopes, slopes], _widened(q))


@exercise.misconception(
    en="Neither the content nor the slope makes up for the kernel's √(D + 2): content is divided "
    "by too much, and the bias, which is not divided in ALiBi, is divided as well.",
    zh="内容和斜率都没有补偿算子的√(D + 2)：内容除得太多，而ALiBi里不该除的偏置也除了。",
)
def nothing_made_up(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return _appended(q, k, _digits(positions), [256 * slopes, slopes], 1.0)


@exercise.misconception(
    en="You multiplied by √D where the kernel divides by √(D + 2): the width that counts is the "
    "one after appending.",
    zh="你乘的是√D，算子却除以√(D + 2)：要按添加之后的宽度算。",
)
def old_width(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * q.shape[-1] ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], _widened(q))


@exercise.misconception(
    en="q was multiplied by √(D/(D + 2)), the wrong way round: the kernel divides by the larger "
    "root already.",
    zh="q乘成了√(D/(D + 2))，方向反了：算子除以的已经是较大的那个根。",
)
def scaled_backwards(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], 1 / _widened(q))


@exercise.misconception(
    en="The sign is reversed: −m j makes the *oldest* keys the best. m (j − i) grows with j.",
    zh="符号反了：−m j让*最老*的键得分最高。m(j − i)随j增大。",
)
def oldest_first(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = -slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], _widened(q))


@exercise.misconception(
    en="Right in float32; in bfloat16 your position keeps 8 bits, and far out 256 neighbours share "
    "a number. It stands in one channel, or was rounded before it was split: split the integers "
    "over the two channels, then cast.",
    zh="float32下是对的；bfloat16里你的位置只留8位，靠后处256个相邻位置共用一个数。"
    "原因或者是整个位置放进了一个通道，或者是拆分之前就舍入了。应当先把整数拆到两个通道里，"
    "再转换dtype。",
)
def one_channel(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    zeros = torch.zeros_like(m)
    return _appended(q, k, [positions, positions], [m, zeros], _widened(q))


@exercise.misconception(
    en="The position is split into two channels, but the high one is not multiplied by 256: with "
    "j = 256 a + b you computed a + b.",
    zh="位置拆成了两个通道，但高位没有乘以256：j = 256a + b，你算的是a + b。",
)
def digits_added(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [m, m], _widened(q))


@exercise.misconception(
    en="`/` in place of `//`: j / 256 holds the low digit too, which is then counted twice.",
    zh="`//`写成了`/`：j / 256里已经含有低位，低位就算了两遍。",
)
def divided(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, [positions / 256, positions % 256], [256 * m, m], _widened(q))


of_another_base = exercise.misconception(
    en="The digits are those of a different base: bfloat16 is exact for whole numbers up to 256 "
    "alone, and one of your two digits can be larger than that.",
    zh="进位的基数取得不对：bfloat16只有到256为止的整数才精确，你的两个数里有一个可能比这大。",
)


@of_another_base
def base_1024(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor, base: int = 1024) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, [positions // base, positions % base], [base * m, m], _widened(q))


@of_another_base
def base_1000(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return base_1024(q, k, positions, slopes, 1000)


@of_another_base
def base_512(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return base_1024(q, k, positions, slopes, 512)


@exercise.misconception(
    en="q was multiplied by √(D + 2), which cancels the kernel's root: the content must still be "
    "divided by √D. Multiply by √((D + 2)/D).",
    zh="q乘了√(D + 2)，把整个根都抵消了：内容的得分还要除以√D。应乘√((D + 2)/D)。",
)
def content_unscaled(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], (q.shape[-1] + 2) ** 0.5)


@exercise.misconception(
    en="You counted the keys 0, 1, 2, … and did not use `positions`: where they jump, distances "
    "are wrong.",
    zh="你按0、1、2……给键编号，没有用`positions`：位置有跳跃时，距离就错了。",
)
def counted(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return in_two_digits(q, k, torch.arange(len(positions)), slopes)


@exercise.misconception(
    en="Every head got the slope of the first.",
    zh="每个头用的都是第一个头的斜率。",
)
def first_slope(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return in_two_digits(q, k, positions, slopes[:1].expand_as(slopes))


@exercise.misconception(
    en="The slope stands in the queries and in the keys: the product has m². One side is enough.",
    zh="查询和键里都乘了斜率：乘积里成了m²。乘在一边就够了。",
)
def slope_twice(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return in_two_digits(q, k, positions, slopes**2)


@exercise.misconception(
    en="The new channels hold nothing: the scores are those of content alone.",
    zh="新添的通道全是0：得分里只有内容。",
)
def content_alone(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    return in_two_digits(q, k, positions, torch.zeros_like(slopes))


@exercise.misconception(
    en="The content counts too much: √((D + 2)/D) stands in q and in k, or twice in one of them. "
    "The kernel divides once.",
    zh="内容的得分偏大：q和k里都乘了√((D + 2)/D)，或在一边乘了两次。算子只除一次。",
)
def content_twice(q: Tensor, k: Tensor, positions: Tensor, slopes: Tensor) -> Both:
    m = slopes * (q.shape[-1] + 2) ** 0.5
    return _appended(q, k, _digits(positions), [256 * m, m], _widened(q) ** 2)
