"""Exercise rope_half: rotate queries or keys whose pairs lie half a head apart."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_dtype, expect_shape
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_half",
    chapter="05_rope",
    title=Text(en="RoPE, half a head apart", zh="RoPE：相隔半个头的两个为一对"),
    task=Text(
        en=r"""The same rotation in the half-split layout of GPT-NeoX and of Llama in Hugging Face
transformers: channel $i$ and channel $i+D/2$ form pair $i$.

In: `x` of shape `(B, H, L, D)`, `angles` of shape `(L, D/2)` in radians, float64.
Out: shape and dtype of `x`.""",
        zh=r"""同样的旋转，换成GPT-NeoX和Hugging Face transformers中Llama所用的前后半排布：
通道$i$与通道$i+D/2$组成第$i$对。

输入：`x`形状为`(B, H, L, D)`，`angles`形状为`(L, D/2)`，单位弧度，float64。
输出：形状和dtype与`x`相同。""",
    ),
    signature="rope_half(x, angles) -> (B, H, L, D)",
    points=2,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="Only the way in and the way out differ from rope_interleaved; the two formulas "
            "stay.",
            zh="和rope_interleaved相比，只有拆开和拼回的方式不同，两个式子不变。",
        ),
        Text(
            en="`x.chunk(2, dim=-1)` gives the first members of all pairs and the second.",
            zh="`x.chunk(2, dim=-1)`给出所有对的第一个成员和第二个成员。",
        ),
        Text(
            en="`torch.cat((a * c - b * s, a * s + b * c), dim=-1)`, with cosine and sine in the "
            "dtype of x.",
            zh="`torch.cat((a * c - b * s, a * s + b * c), dim=-1)`，余弦和正弦先转成x的dtype。",
        ),
    ),
)


def _inputs(rng: torch.Generator, dim: int = 8) -> tuple[Tensor, Tensor]:
    x = torch.randn(2, 3, 5, dim, generator=rng)  # B, H, L, D all different
    return x, torch.arange(3, 8).double()[:, None] * frequencies(dim, base=100.0)


def _turned(x: Tensor, angles: Tensor) -> Tensor:
    turned = torch.complex(*x.double().chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat((turned.real, turned.imag), dim=-1)


@exercise.check(en="keeps shape and dtype of x", zh="形状和dtype与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    x, angles = _inputs(rng)
    expect_shape(answer(x, angles), (2, 3, 5, 8))
    expect_dtype(answer(x, angles), torch.float32)


@exercise.check(en="angle 0 changes nothing", zh="角度为0时什么也不变")
def still(answer: Function, rng: torch.Generator) -> None:
    x, angles = _inputs(rng)
    expect_close(answer(x, torch.zeros_like(angles)), x)


@exercise.check(
    en="channels i and i + D/2 turn together by angle i, in every batch and head",
    zh="通道i与i + D/2一起转过第i个角度，各批各头都如此",
    weight=4,
)
def values(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, 8, 10):
        x, angles = _inputs(rng, dim)
        expect_close(answer(x, angles), _turned(x, angles))


def _tables(x: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


@exercise.misconception(
    en="This is the interleaved layout: neighbours in pairs. Here channel i turns with i + D/2. "
    "With weights trained for one layout, the other gives wrong scores without any error.",
    zh="这是交错排布：相邻两个为一对。这里是通道i和i + D/2一起转。权重按一种排布训练，"
    "用另一种去算，得分全错，却不会报错。",
)
def interleaved(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.misconception(
    en="The way out is that of the halves, the way in still takes neighbours, `x[..., 0::2]` and "
    "`x[..., 1::2]`: the channels come back in another order.",
    zh="拼回去用的是前后两半，拆开时取的却还是相邻两个，即`x[..., 0::2]`和`x[..., 1::2]`："
    "通道的次序变了。",
)
def taken_from_neighbours(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.misconception(
    en="The halves were turned rightly but put back as neighbours. Join them as they came: one "
    "half after the other.",
    zh="两半转对了，放回去时却成了相邻两个一对。怎么拆开就怎么拼回去：一半接在另一半后面。",
)
def put_back_as_neighbours(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.misconception(
    en="You turned clockwise: in rotate_half the *second* half comes to the front with a minus, "
    "(-x₂, x₁).",
    zh="你转成了顺时针：在rotate_half里，是*后*半带着负号换到前面，即(-x₂, x₁)。",
)
def clockwise(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * c + b * s, b * c - a * s), dim=-1)


@exercise.misconception(
    en="The halves were exchanged without the minus sign: (x₂, x₁) instead of (-x₂, x₁). That is "
    "no rotation.",
    zh="前后两半对调时少了负号：写成了(x₂, x₁)，应为(-x₂, x₁)。这样不是旋转。",
)
def no_minus(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * c + b * s, a * s + b * c), dim=-1)


@exercise.misconception(
    en="Table and rotation disagree: each angle was repeated for two *neighbours*, while the "
    "rotation pairs i with i + D/2. In this layout the table is repeated whole, [ω | ω].",
    zh="表和旋转对不上：角度按*相邻*两列重复，旋转却把i和i + D/2配对。这种排布要把整张表接两遍，"
    "即[ω | ω]。",
)
def repeated_for_neighbours(x: Tensor, angles: Tensor) -> Tensor:
    c, s = (table.repeat_interleave(2, dim=-1) for table in _tables(x, angles))
    a, b = x.chunk(2, dim=-1)
    return x * c + torch.cat((-b, a), dim=-1) * s


@exercise.misconception(
    en="The values are right, but float64 angles made the result float64. Cast the cosine and "
    "sine to the dtype of x.",
    zh="数值对，但float64的角度把结果变成了float64。请把余弦和正弦转成x的dtype。",
)
def promoted(x: Tensor, angles: Tensor) -> Tensor:
    return _turned(x, angles)
