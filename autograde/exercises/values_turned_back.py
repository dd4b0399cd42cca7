"""Exercise values_turned_back: values turned like keys, the output turned back."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import (
    expect,
    expect_dtype,
    expect_effect,
    expect_finite,
    expect_other,
    expect_shape,
)
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.rope import rotate
from posenc_ref.rope_angles import Rotations, rope_angles, rotations
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="values_turned_back",
    chapter="05_rope",
    title=Text(en="Values rotated, the output rotated back", zh="旋转值，再把输出转回来"),
    task=Text(
        en=r"""Write attention, without a mask, in which values carry their distance from the query:

$$o_i=R_i^\top\sum_j\alpha_{ij}R_jv_j,$$

with RoPE (half-split layout, base 10000) on queries, keys *and* values; $\alpha$ is the softmax of
the scores $qk^\top/\sqrt D$.

In: `q`, `k`, `v` of shape `(B, H, L, D)`; the tokens are at `start`, `start + 1`, …;
`start` may be in the thousands. Out: shape `(B, H, L, D)`, in the dtype of `v`, which may be
bfloat16.""",
        zh=r"""写出不带掩码的注意力，让每个值都带上它与查询的距离：

$$o_i=R_i^\top\sum_j\alpha_{ij}R_jv_j,$$

其中查询、键*和*值都用RoPE旋转（前后半排布，base为10000）；
$\alpha$是得分$qk^\top/\sqrt D$的softmax。

输入：`q`、`k`、`v`形状为`(B, H, L, D)`；词元位置依次为`start`、`start + 1`……
其中`start`可能上千。
输出：形状为`(B, H, L, D)`，dtype与`v`相同，可能是bfloat16。""",
    ),
    signature="values_turned_back(q, k, v, start=0) -> (B, H, L, D)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Turning back is turning by the negative angle: which part of your rotation changes "
            "its sign?",
            zh="转回来就是转负的角度：旋转公式里哪一项要变号？",
        ),
        Text(
            en="The angles are those of the queries: output i is turned back by the angle of "
            "position i, not of j.",
            zh="用的是查询的角度：第i个输出按位置i的角度转回来，不是j的。",
        ),
        Text(
            en="`turned(out, -angles)`, where `out` is plain attention over `turned(q, angles)`, "
            "`turned(k, angles)` and `turned(v, angles)`.",
            zh="`turned(out, -angles)`，其中`out`是对`turned(q, angles)`、`turned(k, angles)`、"
            "`turned(v, angles)`做的普通注意力。",
        ),
    ),
)


class Turned(NamedTuple):
    """Queries, keys and values as they came, the same turned, and the turns of their positions."""

    came: tuple[Tensor, Tensor, Tensor]
    q: Tensor
    k: Tensor
    v: Tensor
    turns: Rotations


def look(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Turned:
    turns = _turns(q, start)
    turned = rotate(torch.cat((q, k, v)), turns, layout="half").chunk(3)
    return Turned((q, k, v), *turned, turns)


def _turns(x: Tensor, start: int) -> Rotations:
    angles = rope_angles(torch.arange(start, start + x.shape[2]), frequencies(x.shape[3]))
    return rotations(angles, "half", dtype=torch.promote_types(x.dtype, torch.float32))


def _back(out: Tensor, turns: Rotations) -> Tensor:
    return rotate(out, Rotations(turns.cos, -turns.sin), layout="half")


@exercise.truth
def there_and_back(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    seen = look(q, k, v, start)
    return _back(scaled_dot_product_attention(seen.q, seen.k, seen.v), seen.turns)


def _qkv(rng: torch.Generator, *sizes: int) -> Tensor:
    return torch.randn(3, *sizes, generator=rng)


@exercise.check(en="one vector for each token and head", zh="每个词元、每个头一个向量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((2, 3, 5, 8), (1, 1, 1, 2), (3, 1, 4, 6)):
        expect_shape(answer(*_qkv(rng, *sizes)), sizes)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        expect_dtype(answer(*_qkv(rng, 1, 2, 3, 4).to(dtype)), dtype)


@exercise.check(en="a shift of the whole text changes nothing", zh="整段文本平移，输出不变")
def shifted(answer: Function, rng: torch.Generator) -> None:
    inputs = _qkv(rng, 2, 2, 6, 8)
    before = expect_effect(answer(*inputs), (2, 2, 6, 8), *inputs).detach().clone()
    expect_close(answer(*inputs, int(torch.randint(20, 200, (), generator=rng))), before, atol=3e-4)
    expect_other(before, expect_finite(answer(*_qkv(rng, 2, 2, 6, 8)), (2, 2, 6, 8)))


@exercise.check(en="tells equal words at different places apart", zh="能区分位于不同位置的相同的词")
def distinct(answer: Function, rng: torch.Generator) -> None:
    words = _qkv(rng, 1, 1, 1, 8).expand(3, 1, 1, 6, 8)
    got = expect_finite(answer(*words), (1, 1, 6, 8))[0, 0]
    expect(
        bool((got - got[0]).abs().max() > 1e-3),
        "six equal words get six equal outputs: the values do not know where they stand",
        "六个相同的词得到六个相同的输出：值不知道自己在哪里",
    )
    expect_other(got, expect_finite(answer(*-words), (1, 1, 6, 8))[0, 0])


@exercise.check(en="equals the formula", zh="与公式一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for sizes, start in (((2, 3, 5, 8), 3), ((1, 2, 40, 6), 0), ((2, 1, 7, 4), 11)):
        expect_agreement(answer, exercise.true_answer, *_qkv(rng, *sizes), start, atol=5e-5)


@exercise.check(en="the same in bfloat16, far out too", zh="bfloat16下结果相同，很远处也一样")
def far_in_bfloat16(answer: Function, rng: torch.Generator) -> None:
    short, start = (
        _qkv(rng, 1, 2, 9, 8).bfloat16(),
        900 + int(torch.randint(900, (), generator=rng)),
    )
    got = expect_effect(answer(*short, start), (1, 2, 9, 8), *short)
    want = expect_finite(answer(*short.float(), start), (1, 2, 9, 8))
    expect_other(got, expect_finite(answer(*-short, start), (1, 2, 9, 8)))
    expect_close(got.float(), want.float(), rtol=0.02, atol=0.1)


@exercise.misconception(
    en="The values are turned, but the output is not turned back: it carries the absolute "
    "position. Turn output i by −i.",
    zh="值旋转了，输出却没有转回来：里面带着绝对位置。第i个输出要转−i。",
    look=look,
)
def not_back(seen: Turned) -> Tensor:
    return scaled_dot_product_attention(seen.q, seen.k, seen.v)


@exercise.misconception(
    en="This is plain RoPE: the values are not turned, or each was turned back by its own angle. "
    "In a text of equal words all outputs are equal. Turn the *sum* back, by the query's angle.",
    zh="这等于普通的RoPE：值没有旋转，或者每个值又按自己的角度转了回来。整段都是同一个词时，"
    "各处的输出都相同。要把*求和之后*的输出按查询的角度转回来。",
    look=look,
)
def plain(seen: Turned) -> Tensor:
    return scaled_dot_product_attention(seen.q, seen.k, seen.came[2])


@exercise.misconception(
    en="The output is turned forward once more, by +i in place of −i: the turns add up instead of "
    "leaving their difference.",
    zh="输出又转了+i，而不是−i：两次旋转加到了一起，没有只留下差。",
    look=look,
)
def forward(seen: Turned) -> Tensor:
    return rotate(not_back(seen), seen.turns, layout="half")


@exercise.misconception(
    en="The values are not turned, only the output is turned back: it carries the position of the "
    "query.",
    zh="值没有旋转，只把输出转了回来：输出里带着查询的位置。",
    look=look,
)
def back_only(seen: Turned) -> Tensor:
    return _back(plain(seen), seen.turns)


@exercise.misconception(
    en="Values turn by −j and the output by +i: relative too, but mirrored. A value arrives turned "
    "by i − j in place of j − i.",
    zh="值转了−j，输出转了+i：也是相对的，但方向镜像了。值到达时转过的是i − j，应为j − i。",
    look=look,
)
def mirrored(seen: Turned) -> Tensor:
    out = scaled_dot_product_attention(seen.q, seen.k, _back(seen.came[2], seen.turns))
    return rotate(out, seen.turns, layout="half")


@exercise.misconception(
    en="Values and output are right, but q and k are not turned: the weights know no distance.",
    zh="值和输出都对，但q和k没有旋转：权重里没有距离。",
    look=look,
)
def weights_without_place(seen: Turned) -> Tensor:
    q, k, _ = seen.came
    return _back(scaled_dot_product_attention(q, k, seen.v), seen.turns)


@exercise.misconception(
    en="You added a causal mask. Here every token sees all tokens.",
    zh="多了因果掩码。这里每个词元都能看到所有词元。",
    look=look,
)
def causal(seen: Turned) -> Tensor:
    out = scaled_dot_product_attention(seen.q, seen.k, seen.v, is_causal=True)
    return _back(out, seen.turns)


@exercise.misconception(
    en="Neighbours are paired: this is the interleaved layout; the task has the half-split one.",
    zh="你让相邻两个为一对：那是交错排布，这里要的是前后半排布。",
    look=look,
)
def interleaved(seen: Turned) -> Tensor:
    cos, sin = (part.chunk(2, dim=-1)[1] for part in seen.turns)  # once for each pair
    turned = rotate(torch.cat(seen.came), Rotations(cos, sin), layout="interleaved").chunk(3)
    out = scaled_dot_product_attention(*turned)
    return rotate(out, Rotations(cos, -sin), layout="interleaved")


@exercise.misconception(
    en="The scores are not divided by √D.",
    zh="得分没有除以√D。",
    look=look,
)
def not_scaled(seen: Turned) -> Tensor:
    out = scaled_dot_product_attention(seen.q, seen.k, seen.v, scale=1.0)
    return _back(out, seen.turns)


@exercise.misconception(
    en="The values are turned from `start` on, but the output is turned back as if the text "
    "began at 0: a turn by `start` is left over.",
    zh="值的位置从`start`数起，输出转回来时却从0数起：结果还多转了`start`。",
    look=look,
)
def back_from_zero(seen: Turned) -> Tensor:
    return _back(not_back(seen), _turns(seen.q, 0))


@exercise.misconception(
    en="The softmax runs over the queries: the weights of each *key*, a column, add up to 1. "
    "Those of each query, a row, should.",
    zh="softmax是对查询做的：每个*键*（一列）的权重之和成了1。应是每个查询（一行）的权重之和为1。",
    look=look,
)
def over_the_queries(seen: Turned) -> Tensor:
    weights = (seen.q @ seen.k.mT / seen.q.shape[3] ** 0.5).softmax(-2)
    return _back(weights @ seen.v, seen.turns)


@exercise.misconception(
    en="The numbers are right, but the dtype is not that of v: you return float32 whatever v is. "
    "Computing in it is fine; call `.to(v.dtype)` at the end.",
    zh="数值对，dtype却不是v的：不管v是什么，你返回的都是float32。用它来算没有问题，最后要`.to(v.dtype)`。",
)
def always_float32(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    return there_and_back(q, k, v, start).float()


of_rounded_angles = exercise.misconception(
    en="Positions or angles are rounded to the dtype of v before the cosine. bfloat16 has 8 "
    "significant bits: above 256 neighbours share a number. Round the finished cosines and sines.",
    zh="取余弦之前，位置或角度就舍入成了v的dtype。bfloat16只有8位有效二进制位：过了256，"
    "相邻的数会变成同一个。要舍入的是算好的余弦和正弦。",
)


def _with_tables(q: Tensor, k: Tensor, v: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Return the answer with these cosines and sines, in the dtype that they lead to."""

    def turned(x: Tensor, sin: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)

    out = scaled_dot_product_attention(*(turned(x, sin) for x in (q, k, v)))
    return turned(out, -sin).to(v.dtype)


@of_rounded_angles
def positions_rounded(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    at = torch.arange(start, start + q.shape[2]).to(v.dtype)
    angles = at[:, None] * frequencies(q.shape[3])
    return _with_tables(q, k, v, angles.cos(), angles.sin())


@of_rounded_angles
def positions_and_frequencies_rounded(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    at = torch.arange(start, start + q.shape[2]).to(v.dtype)
    angles = at[:, None] * frequencies(q.shape[3]).to(v.dtype)
    return _with_tables(q, k, v, angles.cos().float(), angles.sin().float())


@of_rounded_angles
def angles_rounded(q: Tensor, k: Tensor, v: Tensor, start: int = 0) -> Tensor:
    at = torch.arange(start, start + q.shape[2])
    angles = (at[:, None] * frequencies(q.shape[3])).to(v.dtype)
    return _with_tables(q, k, v, angles.cos(), angles.sin())
