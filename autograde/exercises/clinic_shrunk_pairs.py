"""Exercise clinic_shrunk_pairs: a half that was overwritten before it was used."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_shrunk_pairs",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: a rotation that saves memory",
        zh="修错：省内存的旋转",
    ),
    task=Text(
        en=r"""Mend `case_9`: rotate, and keep every norm. Do not change the inputs.

In: `q`, `k` `(B, H, L, D)`, D even, channels $i$ and $i+D/2$ a pair; the tokens stand at
`start`, `start + 1`, …; base 10000. Out: both, rotated, as a tuple.""",
        zh=r"""修好`case_9`：旋转，并且保持每个范数。不要改动输入。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数，通道$i$与$i+D/2$为一对；
词元依次站在`start`、`start + 1`……；base为10000。
输出：旋转后的两者，组成元组。""",
    ),
    signature="clinic_shrunk_pairs(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Turn $(1,0)$ by 1 radian on paper, line by line. What is `a` when the second "
            "line runs?",
            zh="在纸上逐行把$(1,0)$转1弧度。执行第二行时，`a`是多少？",
        ),
        Text(
            en="`chunk` gives views: writing to `a` writes to `x`.",
            zh="`chunk`给出的是视图：写`a`就是写`x`。",
        ),
        Text(
            en="Compute both halves from the old ones, then join: "
            "`torch.cat((a * c - b * s, a * s + b * c), dim=-1)`.",
            zh="两半都由旧值算出，再拼起来：`torch.cat((a * c - b * s, a * s + b * c), dim=-1)`。",
        ),
    ),
)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    _pair(answer(*_qk(rng, 2, 3, 5, 8)), (2, 3, 5, 8))


@exercise.check(en="norms are kept", zh="范数不变", weight=2)
def norms(answer: Function, rng: torch.Generator) -> None:
    q, k = _qk(rng, 2, 2, 7, 8)
    turned = _pair(answer(q, k, 1), (2, 2, 7, 8))
    for got, x in zip(turned, (q, k), strict=True):
        expect_close(got.norm(dim=-1), x.norm(dim=-1))
        expect((got - x).abs().max() > 0.1, "nothing turns", "什么都没转")


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


def _overwritten(x: Tensor, start: int, second_first: bool = False) -> Tensor:
    x, D = x.clone(), x.shape[3]
    at = torch.arange(start, start + x.shape[2])
    angles = at[:, None] * 10000.0 ** (-torch.arange(0, D, 2) / D)
    c, s = angles.cos(), angles.sin()
    a, b = x.chunk(2, -1)
    if second_first:
        b[:] = a * s + b * c
        a[:] = a * c - b * s
    else:
        a[:] = a * c - b * s
        b[:] = a * s + b * c
    return x


@exercise.misconception(
    en="Still the broken version: the second line uses the *new* first half.",
    zh="还是有错的那个版本：第二行用的是*新*的前一半。",
)
def unchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _overwritten(q, start), _overwritten(k, start)


@exercise.misconception(
    en="Swapping the two lines moves the mistake: now the first half uses the new second half.",
    zh="对调两行只是把错误换了个地方：现在是前一半用了新的后一半。",
)
def second_first(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _overwritten(q, start, True), _overwritten(k, start, True)


@exercise.misconception(
    en="The norm is right because you divided by it. The angle is still wrong.",
    zh="范数对了，是因为你除了一下。角度仍然不对。",
)
def normalised(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return tuple(
        torch.nn.functional.normalize(_overwritten(x, start), dim=-1) * x.norm(dim=-1, keepdim=True)
        for x in (q, k)
    )


@exercise.misconception(
    en="`a = …` gives a new tensor the name `a`; nothing is written to the vector that you return.",
    zh="`a = …`只是让`a`这个名字指向新的张量，你返回的向量里什么都没写进去。",
)
def never_written(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return q.clone(), k.clone()
