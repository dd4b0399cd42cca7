"""Exercise clinic_rope_heads_first: positions given to heads."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_heads_first",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: heads that have a place, tokens that have none",
        zh="修错：头有位置，词元却没有",
    ),
    task=Text(
        en=r"""Mend `case_7`, written for `(B, L, H, D)`. Here the heads come before the tokens.

In: `q`, `k` `(B, H, L, D)`, D even, channels $i$ and $i+D/2$ a pair; the tokens stand at
`start`, `start + 1`, …; base 10000. Out: both, rotated, as a tuple.""",
        zh=r"""修好`case_7`，它本是为`(B, L, H, D)`写的；这里头在词元前面。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数，通道$i$与$i+D/2$为一对；
词元依次站在`start`、`start + 1`……；base为10000。
输出：旋转后的两者，组成元组。""",
    ),
    signature="clinic_rope_heads_first(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Give it the same word at every place. Do two rows of the result differ?",
            zh="每个位置都放同一个词，结果里有两行不同吗？",
        ),
        Text(
            en="Write the shape of `angles` under the shape of `q`, aligned on the right.",
            zh="把`angles`的形状写在`q`的形状下面，右对齐。",
        ),
        Text(
            en="`torch.arange(start, start + q.shape[2])[:, None] * omega` is `(L, D/2)`.",
            zh="`torch.arange(start, start + q.shape[2])[:, None] * omega`的形状是`(L, D/2)`。",
        ),
    ),
)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    _pair(answer(*_qk(rng, 2, 3, 5, 8)), (2, 3, 5, 8))


@exercise.check(en="all heads turn a token alike", zh="各个头对同一个词元的转法相同", weight=1)
def heads_alike(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(1, 1, 5, 8, generator=rng).expand(1, 4, 5, 8)
    for got in _pair(answer(x, x, 2), (1, 4, 5, 8)):
        expect_close(got, got[:, :1].expand(1, 4, 5, 8).detach().clone())


@exercise.check(en="the same word at two places differs", zh="同一个词放在两处，结果不同", weight=1)
def tokens_differ(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(1, 3, 1, 8, generator=rng).expand(1, 3, 5, 8)
    for got in _pair(answer(x, x), (1, 3, 5, 8)):
        gap = (got[:, :, 1:] - got[:, :, :1]).abs().amax((0, 3))
        expect(
            bool((gap > 0.01).all()),
            "the same word is turned alike at two places",
            "同一个词在两个位置转得一样",
        )


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


def _by_head(x: Tensor, start: int) -> Tensor:
    return _turned(x.transpose(1, 2), start).transpose(1, 2)


@exercise.misconception(
    en="Still the broken version: head h is turned as if it stood at position h, and all tokens "
    "alike. The model is back at a bag of words.",
    zh="还是有错的那个版本：第h个头转得像站在位置h，所有词元却转得一样。模型又成了词袋。",
)
def unchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _by_head(q, start), _by_head(k, start)


@exercise.misconception(
    en="The axis is right, `start` is lost: every call begins at 0.",
    zh="轴对了，`start`却丢了：每次调用都从0开始。",
)
def start_lost(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, 0), _turned(k, 0)


@exercise.misconception(
    en="You rotated the queries along the tokens, the keys are still rotated along the heads.",
    zh="查询已沿词元旋转，键却还沿着头旋转。",
)
def queries_only(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start), _by_head(k, start)


def _by(x: Tensor, at: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    angles = at * 10000.0 ** (-torch.arange(0, x.shape[3], 2) / x.shape[3])
    c, s = angles.cos(), angles.sin()
    return torch.cat((a * c - b * s, a * s + b * c), -1)


@exercise.misconception(
    en="You count the tokens now, and `[:, None, None]` still lays them along the heads: "
    "(L, 1, D/2). One `None` is enough.",
    zh="数的已经是词元，可`[:, None, None]`仍把它们排在头的轴上：(L, 1, D/2)。只要一个`None`。",
)
def tokens_along_heads(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    at = torch.arange(start, start + q.shape[2])[:, None, None]
    return _by(q, at), _by(k, at)


@exercise.misconception(
    en="The angles lie along the tokens now, but there are as many as heads: `q.shape[1]` is H.",
    zh="角度已经排在词元的轴上，个数却是头数：`q.shape[1]`是H。",
)
def as_many_as_heads(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    at = torch.arange(start, start + q.shape[1])[:, None]
    return _by(q, at), _by(k, at)


@exercise.misconception(
    en="You exchanged heads and tokens to rotate, and did not exchange them back.",
    zh="你为了旋转对调了头和词元两个轴，转完没有换回来。",
)
def left_exchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start).transpose(1, 2), _turned(k, start).transpose(1, 2)
