"""Exercise clinic_decode_alibi: rows of the bias taken from the top."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="clinic_decode_alibi",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: the nearest key is forgotten",
        zh="修错：忘了最近的键",
    ),
    task=Text(
        en=r"""Mend `case_21`: causal attention with ALiBi's bias $-m_h\,(i-j)$, continuing from
a cache. Token by token must give what one pass gives.

In: `q`, `k`, `v` `(B, H, new, D)`; `slopes` `(H,)`; `cache` is None at first, then the pair
that you returned last. Out: `(B, H, new, D)`, and the pair `(keys, values)`, each
`(B, H, past + new, D)`.""",
        zh=r"""修好`case_21`：带ALiBi偏置$-m_h\,(i-j)$的因果注意力，从缓存接着算。
逐个词元算，必须与一次算完的结果相同。

输入：`q`、`k`、`v`，形状`(B, H, new, D)`；`slopes`，形状`(H,)`；`cache`起初为None，
之后是你上次返回的那一对。输出：`(B, H, new, D)`，以及`(keys, values)`这一对，
形状都是`(B, H, past + new, D)`。""",
    ),
    signature="clinic_decode_alibi(q, k, v, slopes, cache=None) -> (out, (keys, values))",
    points=1,
    difficulty=2,
    minutes=7,
    hints=(
        Text(
            en="One new token, three in the cache: print the row of the bias that is added.",
            zh="缓存里有3个词元，来1个新的：打印加上去的那一行偏置。",
        ),
        Text(
            en="The new tokens are the *last* rows of the square bias.",
            zh="新词元对应方阵偏置的*最后*几行。",
        ),
        Text(
            en="`bias[:, -new:]` instead of `bias[:, :new]`.",
            zh="`bias[:, -new:]`，而不是`bias[:, :new]`。",
        ),
    ),
)


@exercise.check(en="one pass is right", zh="一次算完是对的")
def one_pass(answer: Function, rng: torch.Generator) -> None:
    given, slopes = torch.randn(3, 2, 2, 6, 8, generator=rng).unbind(), torch.tensor([0.5, 0.1])
    expect_close(_run(answer, (6,), given, slopes), _step(*given, slopes, None)[0])


@exercise.check(en="token by token equals one pass", zh="逐个词元算与一次算完相同", weight=3)
def decode(answer: Function, rng: torch.Generator) -> None:
    given, slopes = torch.randn(3, 1, 3, 9, 8, generator=rng).unbind(), torch.tensor([1, 0.3, 0.05])
    for sizes in ((1,) * 9, (5, 1, 1, 1, 1), (4, 3, 2)):
        expect_close(_run(answer, sizes, given, slopes), _step(*given, slopes, None)[0])


def _run(
    answer: Function, sizes: tuple[int, ...], given: tuple[Tensor, ...], slopes: Tensor
) -> Tensor:
    pieces, cache, outs = zip(*(x.split(sizes, 2) for x in given), strict=True), None, []
    for piece in pieces:
        got = answer(*piece, slopes, cache)
        expect(
            isinstance(got, tuple | list) and len(got) == 2,
            "return two things: the output and the pair (keys, values)",
            "请返回两样东西：输出，以及(keys, values)这一对",
        )
        out, cache = got
        outs.append(expect_shape(out, tuple(piece[0].shape)))
    return torch.cat(outs, 2)


def _step(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: tuple[Tensor, Tensor] | None,
    first: int | None = None,
    sign: float = 1.0,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0 if cache is None else cache[0].shape[2]
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    rows = torch.arange(q.shape[2])[:, None]
    distance = (rows + (past if first is None else first) - torch.arange(k.shape[2])).abs()
    seen = torch.arange(k.shape[2]) <= rows + past
    bias = (-sign * slopes[:, None, None] * distance).masked_fill(~seen, -torch.inf)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias), (k, v)


@exercise.misconception(
    en="Still the broken version: the rows are taken from the top, so a new token favours key 0 "
    "and penalises its neighbour most.",
    zh="还是有错的那个版本：取的是最上面几行，新词元偏爱键0，对紧挨着的键扣得最多。",
)
def unchanged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, slopes, cache, first=0)


@exercise.misconception(
    en="The row is right, the sign is not: the farthest key is now rewarded most.",
    zh="行对了，符号不对：最远的键加分最多。",
)
def rewarded(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, slopes, cache, sign=-1.0)


@exercise.misconception(
    en="The bias is gone altogether: near and far count the same.",
    zh="偏置整个没了：远近一视同仁。",
)
def no_bias(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    return _step(q, k, v, slopes, cache, sign=0.0)


@exercise.misconception(
    en="The bias is right, the causal mask is gone: `attn_mask=bias` alone lets a token see later "
    "ones.",
    zh="偏置对了，因果掩码却没了：只给`attn_mask=bias`，词元就看得到后面的词元。",
)
def no_mask(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    slopes: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    if cache is not None:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    at = torch.arange(k.shape[2])
    bias = -slopes[:, None, None] * (at[-q.shape[2] :, None] - at).abs()
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias), (k, v)
