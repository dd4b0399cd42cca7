"""Exercise mend_rotate_half: a rotation that lost its minus sign."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="mend_rotate_half",
    chapter="05_rope",
    title=Text(en="Fix: the rotation that isn't one", zh="改错：不是旋转的“旋转”"),
    task=Text(
        en="""Fix `swap_halves`, so that `x * cos + mend_rotate_half(x) * sin` turns the pair
(i, i + D/2) anticlockwise.

In: `x` of shape `(…, D)`, D even. Out: the same shape.""",
        zh="""修好`swap_halves`，使`x * cos + mend_rotate_half(x) * sin`把(i, i + D/2)这一对
逆时针转动。

输入：`x`形状为`(…, D)`，D为偶数。输出：形状相同。""",
    ),
    signature="mend_rotate_half(x) -> (…, D)",
    points=2,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="With cos = 0 and sin = 1 the whole is a quarter turn. Where must (a, b) go?",
            zh="取cos = 0、sin = 1，就是转四分之一圈。(a, b)应该到哪里？",
        ),
        Text(
            en="The halves are still swapped, and one of them gets a minus sign: which?",
            zh="两半仍要对调，其中一半要带上负号：是哪一半？",
        ),
        Text(
            en="A quarter turn takes (a, b) to (-b, a); doing it twice gives (-a, -b).",
            zh="转四分之一圈，(a, b)变成(-b, a)；转两次是(-a, -b)。",
        ),
    ),
)


@exercise.truth
def quarter_turn(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def _heads(rng: torch.Generator, length: int, dim: int) -> Tensor:
    return torch.randn(2, length, 3, dim, generator=rng).transpose(1, 2)  # not contiguous


@exercise.check(en="keeps the shape", zh="形状不变")
def shape(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 3, 8), (1, 1, 2), (1, 4), (2,)):
        expect_shape(answer(torch.randn(shape, generator=rng)), shape)


@exercise.check(
    en="done twice, it turns x around: −x", zh="连做两次，x就转了半圈：变成−x", weight=2
)
def twice(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(3, 6, generator=rng)
    once = expect_shape(answer(x), (3, 6)).detach().clone()
    expect_close(answer(once), -x)


@exercise.check(
    en="takes (a, b) to (−b, a) in every pair", zh="在每一对里把(a, b)变成(−b, a)", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    length, pairs = torch.randint(3, 9, (2,), generator=rng).tolist()
    vector = torch.randn(2 * pairs, generator=rng)
    for x in (vector, _heads(rng, length, 8), _heads(rng, 1, 2), _heads(rng, 3, 120)):
        expect_agreement(answer, exercise.true_answer, x)


@exercise.misconception(
    en="Still the broken version: the halves are swapped without a minus. Done twice it gives x "
    "back, so it mirrors instead of turning.",
    zh="还是有错的那个版本：两半对调，没有负号。连做两次又回到x，可见它是镜像，不是旋转。",
)
def unchanged(x: Tensor) -> Tensor:
    return torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1)


@exercise.misconception(
    en="A minus on both halves is as bad as on none: done twice it gives x back. Only one of the "
    "two takes it.",
    zh="两半都加负号，和都不加一样不行：连做两次又回到x。只有一半要带负号。",
)
def both_minus(x: Tensor) -> Tensor:
    return -unchanged(x)


@exercise.misconception(
    en="The minus is in the wrong half: (b, -a) turns clockwise. No length "
    "and no dependence on distance would show it, but a checkpoint reads its text backwards.",
    zh="负号放错了一半：(b, -a)是顺时针。只查长度、只查得分是否取决于距离，都看不出来，"
    "现成的checkpoint却像在倒着读文本。",
)
def clockwise(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((b, -a), dim=-1)


@exercise.misconception(
    en="The minus came in, but the halves are no longer swapped. A quarter turn does both.",
    zh="加了负号，两半却不再对调。转四分之一圈，两件事都要做。",
)
def not_swapped(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-a, b), dim=-1)


@exercise.misconception(
    en="The halves are no longer swapped, and the minus is on the second: (a, -b) mirrors every "
    "pair in the first axis. A quarter turn is (-b, a).",
    zh="两半不再对调，负号还加在了后一半上：(a, -b)是关于第一条轴的镜像。转四分之一圈是(-b, a)。",
)
def mirrored(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a, -b), dim=-1)


@exercise.misconception(
    en="Half a turn, −x: that is what two quarter turns give. Swap the halves and negate one.",
    zh="转了半圈，成了−x：那是连转两个四分之一圈的结果。两半要对调，只有一半取负。",
)
def half_turn(x: Tensor) -> Tensor:
    return -x


@exercise.misconception(
    en="The turned halves were put back as neighbours, −b₀, a₀, −b₁, a₁, … Here pair i is "
    "channels i and i + D/2: join the halves one after the other.",
    zh="转好的两半成了相邻两个一对：−b₀、a₀、−b₁、a₁……这里第i对在通道i与i + D/2："
    "两半要一前一后接起来。",
)
def put_back_as_neighbours(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


@exercise.misconception(
    en="This is rotate_every_two, for neighbours in pairs. Here the pair is (i, i + D/2).",
    zh="这是rotate_every_two，用于相邻两个为一对。这里的一对是(i, i + D/2)。",
)
def every_two(x: Tensor) -> Tensor:
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
