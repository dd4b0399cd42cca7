"""Exercise clinic_rope_heads_first: positions given to heads."""

import torch
from torch import Tensor

from autograde.exercises._ward_rotations import Pair, add_wrong_rotations, angles_of, turned
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_finite, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="clinic_rope_heads_first",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: heads that have a place, tokens that have none",
        zh="改错：头有位置，词元却没有",
    ),
    task=Text(
        en=r"""Fix `case_7`, written for `(B, L, H, D)`. Here the heads come before the tokens.

In: `q`, `k` `(B, H, L, D)`, D even, channels $i$ and $i+D/2$ a pair; the tokens are at
`start`, `start + 1`, …; base 10000. Out: both, rotated anticlockwise, as
a tuple.""",
        zh=r"""修好`case_7`，它本是为`(B, L, H, D)`写的；这里头在词元前面。

输入：`q`、`k`，形状`(B, H, L, D)`，D为偶数，通道$i$与$i+D/2$为一对；
词元位置依次为`start`、`start + 1`……；base（底数）为10000。
输出：逆时针旋转后的两者，组成元组。""",
    ),
    signature="clinic_rope_heads_first(q, k, start=0) -> (q, k)",
    points=1,
    difficulty=2,
    minutes=6,
    broken="along_heads",
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
            en="The angles must be `(L, D/2)`: as many rows as `q` has tokens, and no axis for the "
            "heads, which then share them.",
            zh="角度的形状应为`(L, D/2)`：`q`有几个词元就有几行，不留头的轴，各个头共用。",
        ),
    ),
)


@exercise.truth
def along_tokens(q: Tensor, k: Tensor, start: int = 0) -> Pair:
    """Return both rotated, with angles in float64."""
    return turned(q, start), turned(k, start)


def _qk(rng: torch.Generator, *shape: int) -> Pair:
    """Return queries and keys whose axes are not in the order of memory."""
    B, H, L, D = shape
    return tuple(torch.randn(2, B, L, H, D, generator=rng).transpose(2, 3).unbind())


def _pair(got: object, shape: tuple[int, ...]) -> Pair:
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "return two tensors: the rotated queries and the rotated keys",
        "请返回两个张量：旋转后的查询和旋转后的键",
    )
    return expect_shape(got[0], shape), expect_shape(got[1], shape)


@exercise.check(en="two tensors of the shape of q", zh="两个与q同形状的张量")
def shape(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 3, 5, 8), (1, 1, 1, 2)):
        _pair(answer(*_qk(rng, *shape)), shape)


@exercise.check(en="all heads turn a token alike", zh="各个头对同一个词元的转法相同", weight=1)
def heads_alike(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(1, 1, 5, 8, generator=rng).repeat(1, 4, 1, 1)
    for got in _pair(answer(x, x, 2), (1, 4, 5, 8)):
        one_head = expect_finite(got, (1, 4, 5, 8))[:, :1].detach().clone()
        expect_close(got, one_head.expand(1, 4, 5, 8))


@exercise.check(
    en="the same word is turned differently at two places",
    zh="同一个词放在两处，结果不同",
    weight=1,
)
def tokens_differ(answer: Function, rng: torch.Generator) -> None:
    x = torch.randn(1, 3, 1, 8, generator=rng).repeat(1, 1, 5, 1)
    for got in _pair(answer(x, x), (1, 3, 5, 8)):
        gap = (got[:, :, 1:] - got[:, :, :1]).abs().amax((0, 3))
        expect(
            bool((gap > 0.01).all()),
            "the same word is turned alike at two places",
            "同一个词在两个位置转得一样",
        )


@exercise.check(en="both turned in the half-split layout", zh="两者都按前后半排布旋转", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    later, far = torch.randint(1, 1000, (2,), generator=rng).tolist()
    for shape, start in (
        ((2, 3, 5, 8), 0),
        ((1, 4, 6, 4), later),
        ((1, 1, 1, 34), far),
        ((1, 2, 600, 6), 1),
        ((1, 1, 3, 2), 100_000),  # ω = 1 alone: such angles are exact
    ):
        q, k = _qk(rng, *shape)
        got = _pair(answer(q, k, start) if start else answer(q, k), shape)
        for mine, right in zip(got, exercise.true_answer(q, k, start), strict=True):
            expect_close(mine, right, atol=5e-4)


add_wrong_rotations(exercise)


@exercise.misconception(
    en="`a` and `b` are views of the input: writing into them changes q and k themselves, and the "
    "second half is computed from a first half that has turned already. Compute both halves, then "
    "join them to a new tensor.",
    zh="`a`和`b`是输入的视图：往里面写，改掉的就是q和k本身，而且算后一半时，前一半已经转过了。"
    "先算出两半，再拼成新的张量。",
)
def overwritten_in_place(q: Tensor, k: Tensor, start: int = 0) -> Pair:
    angles = angles_of(q, start)
    for x in (q, k):
        (a, b), c, s = x.chunk(2, -1), angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a[:] = a * c - b * s
        b[:] = a * s + b * c
    return q, k
