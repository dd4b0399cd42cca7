"""Exercise rope_interleaved: rotate queries or keys whose pairs are neighbours."""

import torch
from torch import Tensor

from autograde.exercises._rotation_checks import add_rotation_checks
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="rope_interleaved",
    chapter="05_rope",
    title=Text(en="RoPE, interleaved layout", zh="RoPE：交错排布"),
    task=Text(
        en=r"""Rotate every pair of *neighbouring* channels, (0, 1), (2, 3), …, of every query or
key by its angle: pair $i$ of token $m$ by `angles[m, i]`. This is the interleaved
layout of RoFormer, GPT-J and Meta's own Llama code.

In: `x` of shape `(B, H, L, D)`, `angles` of shape `(L, D/2)` in radians, float64.
Out: shape and dtype of `x`. `x` may be bfloat16; angles can reach thousands of radians.""",
        zh=r"""把每个查询（或键）里*相邻*的两个通道(0, 1)、(2, 3)……各作为一对来旋转：
第$m$个词元的第$i$对转`angles[m, i]`。这就是RoFormer、GPT-J和Meta自家Llama代码用的交错排布。

输入：`x`形状为`(B, H, L, D)`，`angles`形状为`(L, D/2)`，单位弧度，float64。
输出：形状和dtype与`x`相同。`x`可能是bfloat16，角度可能有几千弧度。""",
    ),
    signature="rope_interleaved(x, angles) -> (B, H, L, D)",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        Text(
            en="`x[..., 0::2]` are the first members of all pairs, `x[..., 1::2]` the second: "
            "shape (B, H, L, D/2), just what the angles broadcast to.",
            zh="`x[..., 0::2]`是所有对的第一个成员，`x[..., 1::2]`是第二个："
            "形状(B, H, L, D/2)，角度正好能广播上去。",
        ),
        Text(
            en="Apply the two formulas of rotate_pair, then interleave: `torch.stack((…, …), "
            "dim=-1).flatten(-2)`.",
            zh="套用rotate_pair的两个式子，再交错放回：`torch.stack((…, …), dim=-1).flatten(-2)`。",
        ),
        Text(
            en="float64 angles would make the result float64. Round as late as you can: the cosine "
            "and the sine, never the angle, to the dtype of x.",
            zh="float64的角度会把结果变成float64。舍入越晚越好：把余弦和正弦转换成x的dtype，"
            "绝不转换角度。",
        ),
    ),
)


@exercise.truth
def by_complex_numbers(x: Tensor, angles: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


add_rotation_checks(
    exercise,
    Text(
        en="each pair of neighbours turns by its own angle, in every batch and head",
        zh="每一对相邻通道都转过各自的角度，批次里每一句、每个头都如此",
    ),
)


@exercise.check(
    en="the dot product of query m and key n is qᵀRₙ₋ₘk, wherever the text is",
    zh="第m个查询与第n个键的点积是qᵀRₙ₋ₘk，文本从哪里开始都一样",
    weight=2,
)
def relative(answer: Function, rng: torch.Generator) -> None:
    q, k = torch.randn(2, 1, 1, 6, 8, generator=rng)
    start = int(torch.randint(10, 90, (), generator=rng))
    near = torch.arange(6).double()[:, None] * frequencies(8)
    far = near + start * frequencies(8)
    want = by_complex_numbers(q, near) @ by_complex_numbers(k, near).mT
    for angles in (near, far):
        turned_q, turned_k = (expect_shape(answer(x, angles), x.shape) for x in (q, k))
        expect_close(turned_q @ turned_k.mT, want, atol=1e-4)


def _tables(x: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


def _interleave(first: Tensor, second: Tensor) -> Tensor:
    return torch.stack((first, second), dim=-1).flatten(-2)


@exercise.misconception(
    en="You turned clockwise, by minus the angle. Norms and distances do not notice; a checkpoint "
    "does: score(5, 3) becomes score(3, 5).",
    zh="你按顺时针转了，转的是负角度。范数和距离都看不出来，现成的checkpoint却看得出："
    "score(5, 3)成了score(3, 5)。",
)
def clockwise(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return _interleave(a * c + b * s, b * c - a * s)


@exercise.misconception(
    en="The minus sign is missing: this is not a rotation. Norms change, and the score depends on "
    "the absolute position.",
    zh="少了负号：这不是旋转。范数会变，得分也随绝对位置变化。",
)
def no_minus(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return _interleave(a * c + b * s, a * s + b * c)


@exercise.misconception(
    en="This is the half-split layout: you paired channel i with i + D/2. Here neighbours form a "
    "pair.",
    zh="这是前后半排布：你把通道i和i + D/2配成了一对。这里是相邻两个为一对。",
)
def half_split(x: Tensor, angles: Tensor) -> Tensor:
    (a, b), (c, s) = x.chunk(2, dim=-1), _tables(x, angles)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.misconception(
    en="The pairs were turned correctly but put back in halves, [first members | second members]. "
    "Interleave them: stack on a new last axis, then flatten.",
    zh="转对了，放回去时却成了前后两半[第一个成员 | 第二个成员]。要交错放回："
    "先沿新的最后一个轴stack，再flatten。",
)
def put_back_in_halves(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.misconception(
    en="Table and rotation disagree: the table was repeated whole, [ω | ω], while the rotation "
    "pairs neighbours. In this layout each angle is in two neighbouring columns.",
    zh="表和旋转对不上：整张表接了两遍，即[ω | ω]，旋转却把相邻两个配对。"
    "这种排布要让每个角度占相邻的两列。",
)
def repeated_whole(x: Tensor, angles: Tensor) -> Tensor:
    c, s = (table.repeat(1, 2) for table in _tables(x, angles))
    return x * c + _interleave(-x[..., 1::2], x[..., 0::2]) * s


@exercise.misconception(
    en="The second member was computed from the *new* first one. Keep the old members until both "
    "formulas are done.",
    zh="算第二个成员时用了*新的*第一个成员。两个式子都算完之前，要保留原来的两个成员。",
)
def overwritten(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    a = a * c - b * s
    return _interleave(a, a * s + b * c)


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
    zh="数值对，dtype却不是x的：float64的角度会把结果变成float64，"
    "`.float()`则不管x是什么都得到float32。请把余弦和正弦转成x的dtype。",
)
def another_dtype(x: Tensor, angles: Tensor) -> Tensor:
    return by_complex_numbers(x.double(), angles)


@exercise.misconception(
    en="The first member of each pair is right; the second has a minus where a plus belongs: it "
    "is a sin α + b cos α.",
    zh="每一对的第一个成员对了；第二个里该用加号的地方用了减号，应为a sin α + b cos α。",
)
def minus_twice(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return _interleave(a * c - b * s, b * c - a * s)


@exercise.misconception(
    en="The first member of each pair is right; the second is a sin α − b cos α, and at angle 0 b "
    "comes back as −b. Its minus must be a plus: a sin α + b cos α.",
    zh="每一对的第一个成员对了；第二个写成了a sin α − b cos α，角度为0时b就成了−b。"
    "减号要改成加号：a sin α + b cos α。",
)
def minus_at_the_cosine(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return _interleave(a * c - b * s, a * s - b * c)


@exercise.misconception(
    en="Sine and cosine are exchanged: turning by 0 must change nothing, and cos 0 = 1.",
    zh="正弦和余弦放反了：转0度必须什么都不变，而cos 0 = 1。",
)
def exchanged(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return _interleave(a * s - b * c, a * c + b * s)


@exercise.misconception(
    en="Only half of the vector came back: a cos − b sin is the first member of each pair; the "
    "second, a sin + b cos, is missing.",
    zh="只返回了半个向量：a cos − b sin只是每一对的第一个成员，第二个a sin + b cos不见了。",
)
def half_of_it(x: Tensor, angles: Tensor) -> Tensor:
    a, b, (c, s) = x[..., 0::2], x[..., 1::2], _tables(x, angles)
    return a * c - b * s


@exercise.misconception(
    en="The angles go by head, not by row: after `transpose(1, 2)` the third axis is that of the "
    "heads. Row m of `angles` belongs to token m, on axis −2 of x.",
    zh="角度按头取了，不是按行：`transpose(1, 2)`之后，第三个轴是头。`angles`的第m行属于第m个"
    "词元，即x的第−2轴。",
)
def angles_by_head(x: Tensor, angles: Tensor) -> Tensor:
    y, own = x.transpose(1, 2), angles[: x.shape[1]]
    return by_complex_numbers(y, own).transpose(1, 2)


@exercise.misconception(
    en="`angles` is not used: you made angles of your own for the positions 0, 1, 2, … and base "
    "10000. The caller decides where the tokens are.",
    zh="没有用到`angles`：你自己按位置0、1、2……和base 10000算了角度。词元的位置由调用者决定。",
)
def own_angles(x: Tensor, angles: Tensor) -> Tensor:
    rows = torch.arange(x.shape[2]).double()
    return by_complex_numbers(x, rows[:, None] * frequencies(x.shape[3]))


@exercise.misconception(
    en="Each row of `angles` is repeated before the next one comes. With batch and heads flattened "
    "in front of the tokens the whole table must be repeated: `repeat`, not `repeat_interleave`. "
    "(`(L, D/2)` broadcasts by itself.)",
    zh="`angles`的每一行都先重复完，才轮到下一行。批次和头展平在词元前面，要整张表一遍遍重复："
    "用`repeat`，不用`repeat_interleave`。（不展平的话，`(L, D/2)`自己就会广播。）",
)
def rows_repeated(x: Tensor, angles: Tensor) -> Tensor:
    repeated = angles.repeat_interleave(x.shape[0] * x.shape[1], dim=0)
    return by_complex_numbers(x, repeated.view(*x.shape[:3], -1))
