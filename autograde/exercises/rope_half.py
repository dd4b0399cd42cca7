"""Exercise rope_half: rotate queries or keys whose pairs lie half a head apart."""

import torch
from torch import Tensor

from autograde.exercises._rotation_checks import add_rotation_checks
from autograde.kit.exercise import Exercise
from bilingual import Text

exercise = Exercise(
    id="rope_half",
    chapter="05_rope",
    title=Text(en="RoPE, half-split layout", zh="RoPE：前后半排布"),
    task=Text(
        en=r"""The same rotation in the half-split layout of GPT-NeoX and of Llama in Hugging Face
transformers: channel $i$ and channel $i+D/2$ form pair $i$.

In: `x` of shape `(B, H, L, D)`, `angles` of shape `(L, D/2)` in radians, float64.
Out: shape and dtype of `x`. `x` may be bfloat16; angles can reach thousands of radians.""",
        zh=r"""同样的旋转，换成GPT-NeoX和Hugging Face transformers中Llama所用的前后半排布：
通道$i$与通道$i+D/2$组成第$i$对。

输入：`x`形状为`(B, H, L, D)`，`angles`形状为`(L, D/2)`，单位弧度，float64。
输出：形状和dtype与`x`相同。`x`可能是bfloat16，角度可能有几千弧度。""",
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
            en="The two halves go back one after the other, with `torch.cat`. Before that, cast "
            "cosine and sine, not the angles, to the dtype of x.",
            zh="两半用`torch.cat`一前一后接回去，余弦和正弦先转换成x的dtype。要转换的不是角度。",
        ),
    ),
)


@exercise.truth
def by_complex_numbers(x: Tensor, angles: Tensor) -> Tensor:
    turned = torch.complex(*x.double().chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


add_rotation_checks(
    exercise,
    Text(
        en="channels i and i + D/2 turn together by angle i, in every batch and head",
        zh="通道i与i + D/2一起转过第i个角度，批次里每一句、每个头都如此",
    ),
)


def _tables(x: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


@exercise.misconception(
    en="This is the interleaved layout: neighbours in pairs. Here channel i turns with i + D/2. "
    "With weights trained for one layout, the other gives wrong scores without any error.",
    zh="这是交错排布：相邻两个为一对。这里是通道i和i + D/2一起转。模型按一种排布训练，"
    "用另一种去算，得分全错，却不会报错。",
)
def interleaved(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.misconception(
    en="The way out is that of the halves, but the way in still takes neighbours, `x[..., 0::2]` "
    "and `x[..., 1::2]`: the channels come back in a different order.",
    zh="拼回去用的是前后两半，拆开时取的却还是相邻两个，即`x[..., 0::2]`和`x[..., 1::2]`："
    "通道的次序变了。",
)
def taken_from_neighbours(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.misconception(
    en="The halves were turned correctly but put back as neighbours. Join them as they came: one "
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
    en="The first half is right; the second has a minus where a plus belongs: it is "
    "a sin α + b cos α, with the halves a and b.",
    zh="前一半对了；后一半里该用加号的地方用了减号，应为a sin α + b cos α（a、b是前后两半）。",
)
def minus_twice(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * c - b * s, b * c - a * s), dim=-1)


@exercise.misconception(
    en="The first half is right; the second is a sin α − b cos α, and at angle 0 b comes back as "
    "−b. Its minus must be a plus: a sin α + b cos α, with the halves a and b.",
    zh="前一半对了；后一半写成了a sin α − b cos α，角度为0时b就成了−b。"
    "减号要改成加号：a sin α + b cos α（a、b是前后两半）。",
)
def minus_at_the_cosine(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * c - b * s, a * s - b * c), dim=-1)


@exercise.misconception(
    en="Sine and cosine are exchanged: turning by 0 must change nothing, and cos 0 = 1.",
    zh="正弦和余弦放反了：转0度必须什么都不变，而cos 0 = 1。",
)
def exchanged(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * s - b * c, a * c + b * s), dim=-1)


@exercise.misconception(
    en="Only half of the vector came back: a cos − b sin is the first member of each pair; the "
    "second, a sin + b cos, is missing.",
    zh="只返回了半个向量：a cos − b sin只是每一对的第一个成员，第二个a sin + b cos不见了。",
)
def half_of_it(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return a * c - b * s


@exercise.misconception(
    en="The second member was computed from the *new* first one. Keep the old members until both "
    "formulas are done.",
    zh="算第二个成员时用了*新的*第一个成员。两个式子都算完之前，要保留原来的两个成员。",
)
def overwritten(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    a = a * c - b * s
    return torch.cat((a, a * s + b * c), dim=-1)


@exercise.misconception(
    en="The halves were exchanged without the minus sign: (x₂, x₁) instead of (-x₂, x₁). That is "
    "not a rotation.",
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
    en="The *angles* were cast to the dtype of x. bfloat16 has 8 significant bits: near 1000 its "
    "numbers are 4 apart, so an angle can be off by 2 radians, and by more further out. Cast the "
    "cosine and sine.",
    zh="你把*角度*转换成了x的dtype。bfloat16只有8位有效二进制位：1000附近相邻两个数相差4，"
    "角度最多会差2弧度，再远差得更多。要转换的是余弦和正弦。",
)
def angles_rounded(x: Tensor, angles: Tensor) -> Tensor:
    return by_complex_numbers(x, angles.to(x.dtype).double())


@exercise.misconception(
    en="The values are right, but the dtype is not that of x: float64 angles make the result "
    "float64, and `.float()` makes it float32 whatever x is. Cast the cosine and sine to the "
    "dtype of x.",
    zh="数值对，dtype却不是x的：float64的角度会把结果变成float64，`.float()`则不管x是什么都得到float32。"
    "请把余弦和正弦转成x的dtype。",
)
def another_dtype(x: Tensor, angles: Tensor) -> Tensor:
    return by_complex_numbers(x.double(), angles)
