"""Exercise norm_then_rotate: QK-norm with a gain per channel, before the rotation."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import (
    expect_dtype,
    expect_effect,
    expect_finite,
    expect_other,
    expect_shape,
)
from autograde.kit.expect_values import expect_agreement, expect_close, expect_number
from bilingual import Text
from posenc_ref.qk_norm import qk_norm
from posenc_ref.rope import Layout, rotate
from posenc_ref.rope_angles import rope_angles
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="norm_then_rotate",
    chapter="05_rope",
    title=Text(en="QK-norm and the rotation, in the right order", zh="QK-norm与旋转：先后次序"),
    task=Text(
        en=r"""Return queries (or keys) as Qwen3 hands them to attention. Each head of each token is
divided by the root of its mean square, $\sqrt{\tfrac1D\sum_cx_c^2+\varepsilon}$, and multiplied
channel by channel by `gain`; it is also rotated by `angles`, in the half-split layout, at the step
that makes scores depend on the distance alone.

In: `x` of shape `(B, H, L, D)`, `gain` `(D,)` in the dtype of `x`, `angles` `(L, D/2)` in
radians, `eps` is $\varepsilon$. Out: shape `(B, H, L, D)`, in the dtype of `x`, which may be
bfloat16.""",
        zh=r"""按Qwen3的做法，返回送入注意力的查询（键也一样）。每个词元的每个头除以自己的均方根
$\sqrt{\tfrac1D\sum_cx_c^2+\varepsilon}$，再逐通道乘以`gain`；还要按`angles`旋转，用前后半排布，
放在使得分只取决于距离的那一步。

输入：`x`形状为`(B, H, L, D)`，`gain`形状为`(D,)`，dtype与`x`相同；`angles`形状为`(L, D/2)`，
单位为弧度；`eps`就是$\varepsilon$。输出：形状为`(B, H, L, D)`，dtype与`x`相同，可能是bfloat16。""",
    ),
    signature="norm_then_rotate(x, gain, angles, eps=1e-6) -> (B, H, L, D)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="A rotation mixes the two channels of a pair. What does a gain then multiply, if it "
            "comes later?",
            zh="旋转会把一对里的两个通道混在一起。gain放在后面的话，乘的是什么？",
        ),
        Text(
            en="The mean of the squares runs over the last axis, with `keepdim=True`; ε stands "
            "under the root.",
            zh="均方沿最后一个轴取，用`keepdim=True`；ε在根号里面。",
        ),
        Text(
            en="`x = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * gain`, then the two "
            "halves a, b become a cos − b sin and a sin + b cos.",
            zh="`x = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * gain`，"
            "然后前后两半a、b变成a cos − b sin和a sin + b cos。",
        ),
    ),
)


@exercise.truth
def norm_first(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
    return _turned(qk_norm(x, gain, eps=eps), angles)


def _turned(x: Tensor, angles: Tensor, layout: Layout = "half") -> Tensor:
    return rotate(x, angles.double(), layout=layout)


def _inputs(
    rng: torch.Generator, sizes: tuple[int, ...], start: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    dim = sizes[3]
    angles = rope_angles(torch.arange(start, start + sizes[2]), frequencies(dim)).float()
    x = 3 * torch.randn(sizes, generator=rng) + 0.5
    return x, 0.5 + 1.5 * torch.rand(dim, generator=rng), angles


@exercise.check(en="shape and dtype of x", zh="形状和dtype与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for sizes in ((2, 3, 5, 8), (1, 1, 1, 2)):
        x, gain, angles = _inputs(rng, sizes)
        expect_shape(answer(x, gain, angles), sizes)
        expect_dtype(answer(x, gain, angles.double()), torch.float32)
        expect_dtype(answer(x.double(), gain.double(), angles.double()), torch.float64)
        expect_dtype(answer(x.bfloat16(), gain.bfloat16(), angles), torch.bfloat16)


@exercise.check(en="norms are √D where all gains are 1", zh="gain全为1时范数为√D")
def length(answer: Function, rng: torch.Generator) -> None:
    x, gain, angles = _inputs(rng, (2, 3, 5, 8), start=9)
    got = expect_effect(answer(100 * x, torch.ones_like(gain), angles), (2, 3, 5, 8))
    expect_close(got.norm(dim=-1), torch.full((2, 3, 5), 8**0.5), rtol=1e-3)


@exercise.check(en="scores depend on the distance alone", zh="得分只取决于距离", weight=2)
def relative(answer: Function, rng: torch.Generator) -> None:
    x, gain, _ = _inputs(rng, (1, 1, 2, 16))
    pairs = []
    for start in (0, int(torch.randint(5, 50, (), generator=rng))):
        angles = rope_angles(torch.tensor([start, start + 3]), frequencies(16)).float()
        pairs.append(expect_effect(answer(x, gain, angles), (1, 1, 2, 16), x)[0, 0].double())
    expect_other(*pairs)
    first, later = (float(q @ k) for q, k in pairs)
    expect_number(later, first, rtol=1e-3, atol=1e-3)


@exercise.check(en="equals the formula", zh="与公式一致", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for sizes, start, eps in (
        ((2, 3, 5, 8), 3, 1e-6),
        ((1, 2, 40, 6), 0, 0.5),
        ((3, 1, 4, 2), 7, 2.0),
    ):
        inputs = _inputs(rng, sizes, start)
        expect_agreement(answer, exercise.true_answer, *inputs, eps=eps, atol=5e-5)
    x, gain, angles = _inputs(rng, (1, 2, 3, 8))
    short = 1e-3 * x / x.norm(dim=-1, keepdim=True)  # so short that ε counts
    expect_agreement(answer, exercise.true_answer, short, gain, angles)


@exercise.check(en="the same in bfloat16, far out too", zh="bfloat16下结果相同，很远处也一样")
def far_in_bfloat16(answer: Function, rng: torch.Generator) -> None:
    x, gain, angles = _inputs(rng, (1, 2, 9, 8), int(torch.randint(900, 1900, (), generator=rng)))
    short = x.sign().bfloat16(), gain.bfloat16()
    got = expect_effect(answer(*short, angles), x.shape, short[0])
    want = expect_finite(answer(*(one.float() for one in short), angles), x.shape)
    expect_other(got, expect_finite(answer(-short[0], short[1], angles), x.shape))
    expect_close(got.float(), want.float(), rtol=0.02, atol=0.1)


def _with_norm(norm: Function) -> Function:
    def answer(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
        return _turned(norm(x, gain, eps), angles)

    return answer


def _mistake(en: str, zh: str) -> Function:
    """Take a wrong norm, with the rotation behind it, as a misconception of this name."""

    def add(norm: Function) -> Function:
        answer = _with_norm(norm)
        answer.__name__ = norm.__name__
        return exercise.misconception(en=en, zh=zh)(answer)

    return add


@exercise.misconception(
    en="You rotated first and multiplied by the gain afterwards: the gain meets channels that the "
    "rotation has mixed, and the score depends on where the pair of tokens stands. Norm and gain "
    "come first.",
    zh="先旋转、后乘gain：gain乘到的是旋转混合过的通道，得分就随这对词元所在的位置而变。"
    "归一化和gain要放在前面。",
)
def rotated_first(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
    return qk_norm(_turned(x, angles), gain, eps=eps)


@exercise.misconception(
    en="The rotation is missing.",
    zh="漏了旋转。",
)
def not_rotated(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
    return qk_norm(x, gain, eps=eps)


@exercise.misconception(
    en="You turned clockwise, by minus the angle.",
    zh="你转成了顺时针，转的是角度的相反数。",
)
def clockwise(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
    return norm_first(x, gain, -angles, eps)


@exercise.misconception(
    en="Neighbours are paired: this is the interleaved layout; the task has the half-split one.",
    zh="你让相邻两个为一对：那是交错排布，这里要的是前后半排布。",
)
def interleaved(x: Tensor, gain: Tensor, angles: Tensor, eps: float = 1e-6) -> Tensor:
    return _turned(qk_norm(x, gain, eps=eps), angles, "interleaved")


@_mistake(en="The gain is missing.", zh="漏了gain。")
def without_gain(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return qk_norm(x, torch.ones_like(gain), eps=eps)


@_mistake(
    en="You multiplied by 1 + gain, not by gain: Gemma stores gain − 1, Qwen3 the gain itself.",
    zh="乘的是1 + gain：Gemma存的是gain − 1，Qwen3存的就是gain。",
)
def one_plus_gain(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return qk_norm(x, 1 + gain, eps=eps)


@_mistake(
    en="The mean over the channels is subtracted: that is LayerNorm. RMS-norm divides only.",
    zh="减去了各通道的平均：那是LayerNorm。RMS归一化只除不减。",
)
def layer_norm(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return qk_norm(x - x.mean(-1, keepdim=True), gain, eps=eps)


@_mistake(
    en="You divided by the norm, the root of the *sum* of squares: each head comes out at 1/√D of "
    "the length that it should have. Take the mean.",
    zh="你除以的是范数，即平方*和*的根：每个头的长度只有应有的1/√D。要取平均。",
)
def sum_of_squares(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x * (x.square().sum(-1, keepdim=True) + eps).rsqrt() * gain


@_mistake(
    en="The root is missing: you divided by the mean square itself.",
    zh="漏了开方：你除以的是均方本身。",
)
def without_root(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x / (x.square().mean(-1, keepdim=True) + eps) * gain


@_mistake(
    en="The mean runs over all heads of a token: that is what OLMo 2 does. In Qwen3 each head has "
    "a mean of its own.",
    zh="平均取遍了一个词元的所有头：那是OLMo 2的做法。Qwen3里每个头各算各的。",
)
def over_all_heads(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x * (x.square().mean((1, 3), keepdim=True) + eps).rsqrt() * gain


@_mistake(
    en="The mean runs over the tokens, axis −2: a token would see how long the others are. Take "
    "the last axis, the channels of one head.",
    zh="平均沿着词元（第−2轴）取了：一个词元会看到别的词元有多长。要取最后一个轴，"
    "即一个头的各个通道。",
)
def over_tokens(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x * (x.square().mean(-2, keepdim=True) + eps).rsqrt() * gain


@_mistake(
    en="ε stands outside of the root: √(mean) + ε. It belongs under it.",
    zh="ε放到了根号外面，成了√均方 + ε。它应在根号里面。",
)
def eps_outside(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps) * gain


@_mistake(en="x is not normalised, only multiplied by the gain.", zh="没有归一化，只乘了gain。")
def gain_alone(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    return x * gain
