"""Exercise clinic_rope_llama: a rotation that goes the other way."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_llama",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a model in a mirror",
        zh="修错：镜子里的模型",
    ),
    task=Text(
        en=r"""Mend `case_6` for a checkpoint of Llama: at position $p$ the pair $(a,b)$ turns
anticlockwise by $p\omega_i$. Every property test of this ward is content with the broken
version.

In: `q`, `k` `(B, H, L, D)`, D even, channels $i$ and $i+D/2$ a pair; the tokens stand at
`start`, `start + 1`, …; base 10000. Out: both, rotated, as a tuple.""",
        zh=r"""为Llama的权重修好`case_6`：在位置$p$处，$(a,b)$这一对逆时针转$p\omega_i$。
有错的版本能通过本病房所有的性质测试。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数，通道$i$与$i+D/2$为一对；
词元依次站在`start`、`start + 1`……；base为10000。
输出：旋转后的两者，组成元组。""",
    ),
    signature="clinic_rope_llama(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Turn $(1,0)$ by a quarter. Where should it arrive?",
            zh="把$(1,0)$转四分之一圈，应该到哪里？",
        ),
        Text(
            en="Anticlockwise: "
            "$(a,b)\\mapsto(a\\cos\\alpha-b\\sin\\alpha,\\;a\\sin\\alpha+b\\cos\\alpha)$.",
            zh="逆时针："
            "$(a,b)\\mapsto(a\\cos\\alpha-b\\sin\\alpha,\\;a\\sin\\alpha+b\\cos\\alpha)$。",
        ),
        Text(
            en="The minus belongs to the second half: `torch.cat((-b, a), dim=-1)`.",
            zh="负号属于后一半：`torch.cat((-b, a), dim=-1)`。",
        ),
    ),
)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    _pair(answer(*_qk(rng, 2, 3, 5, 8)), (2, 3, 5, 8))


@exercise.check(
    en="(1, 0) goes to (cos, sin), (0, 1) to (−sin, cos)",
    zh="(1, 0)转到(cos, sin)，(0, 1)转到(−sin, cos)",
    weight=2,
)
def anticlockwise(answer: Function, rng: torch.Generator) -> None:
    x = torch.eye(2)[None, :, None].expand(1, 2, 4, 2)  # two heads: (1, 0) and (0, 1)
    c, s = torch.arange(4.0).cos(), torch.arange(4.0).sin()
    want = torch.stack((torch.stack((c, s), -1), torch.stack((-s, c), -1)))
    for got in _pair(answer(x, x), (1, 2, 4, 2)):
        expect_close(got[0], want)


@exercise.check(en="both turned in the half-split layout", zh="两者都按前后半排布旋转", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for shape, start in (((2, 3, 5, 8), 0), ((1, 4, 6, 4), 7), ((1, 1, 3, 32), 100)):
        q, k = _qk(rng, *shape)
        turned = _pair(answer(q, k, start) if start else answer(q, k), shape)
        for got, x in zip(turned, (q, k), strict=True):
            expect_close(got, _turned(x, start))


def _turned(x: Tensor, start: int, sign: float = 1.0) -> Tensor:
    D = x.shape[3]
    at = torch.arange(start, start + x.shape[2]).double()
    angles = sign * at[:, None] * 10000.0 ** (-torch.arange(0, D, 2).double() / D)
    z = torch.complex(*x.double().chunk(2, -1)) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat((z.real, z.imag), -1).to(x.dtype)


def _pair(got: object, shape: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "return two tensors: the rotated queries and the rotated keys",
        "请返回两个张量：旋转后的查询和旋转后的键",
    )
    return expect_shape(got[0], shape), expect_shape(got[1], shape)


def _qk(rng: torch.Generator, *shape: int) -> tuple[Tensor, Tensor]:
    return tuple(torch.randn(2, *shape, generator=rng).unbind())


@exercise.misconception(
    en="Still the broken version: the minus stands at the other half, so everything turns "
    "clockwise. The score of 5 and 3 becomes the score of 3 and 5: past and future are swapped.",
    zh="还是有错的那个版本：负号放到了另一半上，于是全都顺时针转。"
    "5与3的得分成了3与5的得分：过去和未来对调了。",
)
def unchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start, -1.0), _turned(k, start, -1.0)


@exercise.misconception(
    en="You turned only the queries round: now the score depends on the sum of the positions.",
    zh="你只把查询改了方向：得分变成取决于两个位置之和。",
)
def queries_only(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start), _turned(k, start, -1.0)


@exercise.misconception(
    en="You dropped the minus instead of moving it: that is no rotation, lengths change.",
    zh="你把负号删了，而不是换个位置：这不再是旋转，长度会变。",
)
def no_minus(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _without_minus(q, start), _without_minus(k, start)


def _without_minus(x: Tensor, start: int) -> Tensor:
    there, back = _turned(x, start), _turned(x, start, -1.0)
    first, second = ((there - back) / 2).chunk(2, -1)  # -b sin, a sin
    return (there + back) / 2 + torch.cat((-first, second), -1)
