"""Exercise clinic_fast_pairs: an exponent divided by the wrong dimension."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_fast_pairs",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: no slow pairs",
        zh="修错：没有慢的对",
    ),
    task=Text(
        en=r"""Mend `case_8`: the frequencies of a head run from 1 down to $10000^{-(D-2)/D}$.

In: `q`, `k` `(B, H, L, D)`, D even, channels $i$ and $i+D/2$ a pair; the tokens stand at
`start`, `start + 1`, …; base 10000. Out: both, rotated, as a tuple.""",
        zh=r"""修好`case_8`：一个头的频率从1一直降到$10000^{-(D-2)/D}$。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数，通道$i$与$i+D/2$为一对；
词元依次站在`start`、`start + 1`……；base为10000。
输出：旋转后的两者，组成元组。""",
    ),
    signature="clinic_fast_pairs(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print the smallest frequency for 4 heads of 64 and for 1 head of 64.",
            zh="打印4个64维的头与1个64维的头的最小频率。",
        ),
        Text(
            en="Rotation happens inside one head. Which dimension does it know?",
            zh="旋转发生在一个头的内部。它知道的是哪个维度？",
        ),
        Text(
            en="The exponent is `-torch.arange(0, D, 2) / D`.",
            zh="指数是`-torch.arange(0, D, 2) / D`。",
        ),
    ),
)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    _pair(answer(*_qk(rng, 2, 3, 5, 8)), (2, 3, 5, 8))


@exercise.check(en="the number of heads changes nothing", zh="头数不影响结果", weight=2)
def heads(answer: Function, rng: torch.Generator) -> None:
    q, k = _qk(rng, 1, 8, 5, 16)
    whole = _pair(answer(q, k, 9), (1, 8, 5, 16))
    first = _pair(answer(q[:, :1], k[:, :1], 9), (1, 1, 5, 16))
    for all_heads, one in zip(whole, first, strict=True):
        expect_close(all_heads[:, :1], one.detach().clone())
    expect((whole[0] - q).abs().max() > 0.1, "nothing turns", "什么都没转")


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


def _wide(x: Tensor, start: int, width: int) -> Tensor:
    at = torch.arange(start, start + x.shape[2])
    angles = at[:, None] * 10000.0 ** (-torch.arange(0, x.shape[3], 2) / width)
    a, b = x.chunk(2, -1)
    c, s = angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), -1)


@exercise.misconception(
    en="Still the broken version: it divides by the width of the model, H·D. With 4 heads the "
    "slowest pair has frequency 0.11 instead of 0.00013 (D = 64).",
    zh="还是有错的那个版本：除的是模型的宽度H·D。4个头时，最慢一对的频率是0.11，"
    "而不是0.00013（D = 64）。",
)
def unchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    width = q.shape[1] * q.shape[3]
    return _wide(q, start, width), _wide(k, start, width)


@exercise.misconception(
    en="You divide by D/2, the number of pairs: frequencies fall twice as fast as they should.",
    zh="你除的是对数D/2：频率下降得快了一倍。",
)
def number_of_pairs(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _wide(q, start, q.shape[3] // 2), _wide(k, start, q.shape[3] // 2)


@exercise.misconception(
    en="You divide by the length of the text: frequencies now change with every token.",
    zh="你除的是文本的长度：频率会随词元数而变。",
)
def length(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _wide(q, start, q.shape[2]), _wide(k, start, q.shape[2])
