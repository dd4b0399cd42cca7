"""Exercise mend_step_at_zero: a layer that counts only the tokens it is given."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="mend_step_at_zero",
    chapter="08_kv_cache",
    title=Text(en="Mend: every new token at position 0", zh="修错：每个新词元都在位置0"),
    task=Text(
        en=r"""Mend `scores_from_zero`: RoPE scores (half-split layout) of new queries against the
cached keys, which are rotated already, and the new ones. The cache is whole: its columns stand at
0, 1, 2, …, and the new tokens behind them.

In: `q`, `k` `(B, H, new, D)`, not rotated; `keys` `(B, H, past, D)`, rotated; `omega` `(D/2,)`.
Out: `(B, H, new, past + new)`, divided by $\sqrt D$, without a mask.""",
        zh=r"""修好`scores_from_zero`：新查询对缓存的键（已旋转）和新键的RoPE得分（前后半排布）。
缓存是完整的：各列站在0、1、2……，新词元接在后面。

输入：`q`、`k`，形状`(B, H, new, D)`，未旋转；`keys`，形状`(B, H, past, D)`，已旋转；
`omega`，形状`(D/2,)`。输出：`(B, H, new, past + new)`，除以$\sqrt D$，不加掩码。""",
    ),
    signature="mend_step_at_zero(q, k, keys, omega) -> (B, H, new, past + new)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="While decoding, `q.shape[2]` is 1. What does `torch.arange(1)` say about where the "
            "token stands?",
            zh="解码时`q.shape[2]`是1。`torch.arange(1)`说这个词元站在哪里？",
        ),
        Text(
            en="The cache knows how many tokens came before: `keys.shape[2]`.",
            zh="前面有多少词元，缓存知道：`keys.shape[2]`。",
        ),
        Text(
            en="`positions = torch.arange(past, past + q.shape[2])`; the rest was right.",
            zh="`positions = torch.arange(past, past + q.shape[2])`，其余都没错。",
        ),
    ),
)

OMEGA = torch.tensor([1.0, 0.1, 0.01])


def _turn(x: Tensor, start: int, omega: Tensor) -> Tensor:
    at = torch.arange(start, start + x.shape[2]).double()
    turned = torch.complex(*x.double().chunk(2, -1)) * torch.exp(
        1j * torch.outer(at, omega.double())
    )
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)


def _scores(q: Tensor, keys: Tensor) -> Tensor:
    return q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5


def _case(rng: torch.Generator, past: int, new: int) -> tuple[Tensor, ...]:
    q, k = torch.randn(2, 2, 3, new, 6, generator=rng)
    return q, k, _turn(torch.randn(2, 3, past, 6, generator=rng), 0, OMEGA), OMEGA


@exercise.check(en="one score for each new query and key", zh="每个新查询对每个键一个得分")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng, 5, 2)), (2, 3, 2, 7))


@exercise.check(
    en="new tokens stand behind the cached ones", zh="新词元接在缓存的词元后面", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for past, new in ((7, 1), (1, 4), (0, 3), (30, 1)):
        q, k, keys, omega = given = _case(rng, past, new)
        grown = torch.cat((keys, _turn(k, past, omega)), 2)
        expect_close(answer(*given), _scores(_turn(q, past, omega), grown))


@exercise.check(
    en="decoding gives the last row of the scores of the whole text",
    zh="解码得到的，就是整段文本得分的最后一行",
    weight=2,
)
def last_row(answer: Function, rng: torch.Generator) -> None:
    q, k = torch.randn(2, 1, 2, 9, 4, generator=rng)
    omega = torch.tensor([1.0, 0.1])
    turned_q, turned_k = _turn(q, 0, omega), _turn(k, 0, omega)
    got = answer(q[:, :, 8:], k[:, :, 8:], turned_k[:, :, :8], omega)
    expect_close(got, _scores(turned_q[:, :, 8:], turned_k))


@exercise.misconception(
    en="Still the broken version: positions count from 0 in every call, so each new token stands "
    "at the beginning of the text.",
    zh="还是有错的那个版本：每次调用都从0数起，每个新词元都站在了文本开头。",
)
def unchanged(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    return _scores(_turn(q, 0, omega), torch.cat((keys, _turn(k, 0, omega)), 2))


@exercise.misconception(
    en="The query moved behind the cache, but its own key was left at 0: the key goes wrong into "
    "the cache and stays there.",
    zh="查询挪到了缓存后面，它自己的键却还在0：错的键进了缓存，就一直错下去。",
)
def query_only(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    past = keys.shape[2]
    return _scores(_turn(q, past, omega), torch.cat((keys, _turn(k, 0, omega)), 2))


@exercise.misconception(
    en="Off by one: the first new token stands at past + 1, and a gap opens behind the cache.",
    zh="差了1：第一个新词元站在了past + 1，缓存后面空出一格。",
)
def off_by_one(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    start = keys.shape[2] + 1
    return _scores(_turn(q, start, omega), torch.cat((keys, _turn(k, start, omega)), 2))


@exercise.misconception(
    en="You joined first and rotated all keys from 0: the cached ones, turned twice, stand at 2p.",
    zh="你先拼接，再把所有键从0起转了一遍：缓存的键转了两次，站到了2p。",
)
def keys_twice(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    grown = _turn(torch.cat((keys, k), 2), 0, omega)
    return _scores(_turn(q, keys.shape[2], omega), grown)


@exercise.misconception(
    en="All new tokens stand at `past`. Right for one, but several stand at past, past + 1, …",
    zh="所有新词元都站在了`past`。只有一个时没错，几个则应站在past、past + 1……",
)
def all_at_past(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    def turned(x: Tensor) -> Tensor:
        rows = (_turn(row, keys.shape[2], omega) for row in x.split(1, dim=2))
        return torch.cat(list(rows), dim=2)

    return _scores(turned(q), torch.cat((keys, turned(k)), 2))


@exercise.misconception(
    en="The key moved behind the cache, but its query was left at 0: it scores every key as if all "
    "of them lay ahead.",
    zh="键挪到了缓存后面，查询却还在0：它给各个键打分时，好像键都在自己前方。",
)
def key_only(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    return _scores(_turn(q, 0, omega), torch.cat((keys, _turn(k, keys.shape[2], omega)), 2))


@exercise.misconception(
    en="The positions are right, but a causal mask was added: here the bare scores are asked.",
    zh="位置对了，但多加了因果掩码：这里要的是不加掩码的得分。",
)
def masked(q: Tensor, k: Tensor, keys: Tensor, omega: Tensor) -> Tensor:
    past = keys.shape[2]
    scores = _scores(_turn(q, past, omega), torch.cat((keys, _turn(k, past, omega)), 2))
    return scores.masked_fill(torch.ones_like(scores).tril(past) == 0, -torch.inf)
