"""Exercise clinic_two_snippets: queries and keys paired in different ways."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_two_snippets",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: two snippets, one head",
        zh="修错：两段代码，一个头",
    ),
    task=Text(
        en=r"""Mend `case_5`: rotate queries and keys so that their scores depend on the
distance alone. The checkpoint pairs channel $i$ with channel $i+D/2$.

In: `q`, `k` `(B, H, L, D)`, D even; the tokens stand at `start`, `start + 1`, …; base 10000.
Out: both, rotated, as a tuple.""",
        zh=r"""修好`case_5`：旋转查询和键，使得分只取决于距离。这份权重把通道$i$与通道$i+D/2$配成一对。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数；词元依次站在`start`、`start + 1`……；base为10000。
输出：旋转后的两者，组成元组。""",
    ),
    signature="clinic_two_snippets(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=6,
    hints=(
        Text(
            en="Turn the same vector once as a query, once as a key. Are the results equal?",
            zh="把同一个向量分别当作查询和键来旋转，结果一样吗？",
        ),
        Text(
            en="Which channel is the partner of channel 0 in each of the two snippets?",
            zh="两段代码里，通道0的搭档各是哪个通道？",
        ),
        Text(
            en="Use `x.chunk(2, dim=-1)` and `torch.cat` for both.",
            zh="两者都用`x.chunk(2, dim=-1)`和`torch.cat`。",
        ),
    ),
)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    _pair(answer(*_qk(rng, 2, 3, 5, 8)), (2, 3, 5, 8))


@exercise.check(
    en="a vector turns alike as query and as key", zh="同一个向量作查询和作键，转法相同", weight=2
)
def alike(answer: Function, rng: torch.Generator) -> None:
    x, _ = _qk(rng, 1, 2, 6, 16)
    as_query, as_key = _pair(answer(x, x, 3), (1, 2, 6, 16))
    expect_close(as_query, as_key.detach().clone())
    expect((as_query - x).abs().max() > 0.1, "nothing turns", "什么都没转")


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


def _neighbours(x: Tensor, start: int) -> Tensor:
    apart = torch.cat((x[..., 0::2], x[..., 1::2]), -1)
    a, b = _turned(apart, start).chunk(2, -1)
    return torch.stack((a, b), -1).flatten(-2)


@exercise.misconception(
    en="Still the broken version: the query pairs i with i + D/2, the key pairs neighbours.",
    zh="还是有错的那个版本：查询把i与i + D/2配对，键却把相邻的配对。",
)
def unchanged(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start), _neighbours(k, start)


@exercise.misconception(
    en="Both agree now, on neighbours: distances are right, but the checkpoint pairs i with i + "
    "D/2.",
    zh="两者一致了，但都把相邻的配成对：距离没错，可这份权重配的是i与i + D/2。",
)
def both_neighbours(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _neighbours(q, start), _neighbours(k, start)


@exercise.misconception(
    en="You mended the key's layout and lost its `start`: keys count from 0 again.",
    zh="键的排布修好了，却丢了它的`start`：键又从0数起。",
)
def key_from_zero(q: Tensor, k: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
    return _turned(q, start), _turned(k, 0)
