"""Texts with extreme scores, and the softmaxes that are right of ordinary scores alone."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.exercises._shared_mistakes import SharedMistakes

Softmax = Callable[[Tensor, Tensor], Tensor]  # of scores and what is seen: the weights

WRONG_SOFTMAXES = SharedMistakes()  # a Softmax each
ROUNDED = 1e-3  # the rtol for extreme texts: a log of 1600 is known to 1e-4


def extreme_texts(rng: torch.Generator, length: int) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return texts q, k, v (1, 1, L, 16): scores are all 0, all 1600, and all −1600.

    Such scores are exact in float32, also after steps of 1/4, as a bias may add them. Their
    logsumexp is not: compare with `ROUNDED`.
    """
    vector = torch.zeros(1, 1, length, 16)
    vector[..., 0] = 80
    values = torch.randn(vector.shape, generator=rng)
    return [(sign * vector, vector, values) for sign in (0.0, 1.0, -1.0)]


def attended(
    softmax: Softmax, q: Tensor, k: Tensor, v: Tensor, seen: Tensor, bias: Tensor | float = 0.0
) -> Tensor:
    """Return attention with this softmax; the bias is added to the scaled scores."""
    return softmax(q @ k.mT / q.shape[-1] ** 0.5 + bias, seen.expand(q.shape[-2], -1)) @ v


@WRONG_SOFTMAXES.version(
    en="You hid every score that *is* 0 after tril, even a visible one that happens to be 0. Make "
    "the mask from positions, not from scores.",
    zh="tril之后凡是等于0的得分你都遮住了，看得见的得分碰巧是0时也不例外。"
    "掩码要由位置来定，不能由得分来定。",
)
def hides_zeros(scores: Tensor, seen: Tensor) -> Tensor:
    return scores.masked_fill(~seen | (scores == 0), -torch.inf).softmax(-1)


@WRONG_SOFTMAXES.version(
    en="exp overflows in float32 beyond 88, and inf/inf is NaN. Subtract the largest score of the "
    "row first, as torch.softmax does.",
    zh="float32的exp超过88就会溢出，inf/inf得NaN。先减去该行的最大得分，torch.softmax就是这样做的。",
)
def overflow(scores: Tensor, seen: Tensor) -> Tensor:
    odds = scores.exp().masked_fill(~seen, 0)
    return odds / odds.sum(-1, keepdim=True)


@WRONG_SOFTMAXES.version(
    en="You masked with a finite number. It is not small enough: the future keeps a weight, and "
    "more of it when visible scores are low. Only −inf gives exactly 0 whatever the scores are.",
    zh="你用一个有限的数来遮。它不够小：未来仍有权重，看得见的得分越低，漏得越多。"
    "只有−inf才能保证恰好得到0。",
)
def finite(scores: Tensor, seen: Tensor) -> Tensor:
    return scores.masked_fill(~seen, -100.0).softmax(-1)
