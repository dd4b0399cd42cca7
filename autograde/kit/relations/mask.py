"""Masks that are missing or the wrong way round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, same_shapes
from autograde.kit.relations.evidence import bits, holds
from bilingual import Text

HIDDEN = 1e4  # a finite score of that size stands for minus infinity


def inverted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the inverted truth: True for False."""
    both = torch.tensor([0.0, 1.0], dtype=torch.float64)
    if not all(torch.isin(pair.want, both).all() for pair in pairs):
        return None
    if not holds(pairs, lambda pair: 1 - pair.want):
        return None
    return Text(
        en="Your mask is the right one the other way round: True for False.",
        zh="你的掩码正好反了：该为True的都是False，该为False的都是True。",
    )


def _hidden(pair: Numbers) -> Tensor:
    return pair.want.isneginf()


def other_side(pairs: Sequence[Numbers]) -> Text | None:
    """Find −∞ on the other side of the diagonal."""
    if not same_shapes(pairs) or any(pair.want.ndim < 2 for pair in pairs):
        return None
    if sum(int(_hidden(pair).sum()) for pair in pairs) < 3:
        return None
    for pair in pairs:
        if not torch.equal(pair.got.isneginf(), _hidden(pair).transpose(-1, -2)):
            return None
    return Text(
        en="−∞ stands on the other side of the diagonal: what should be seen is hidden, and the "
        "other way round.",
        zh="−∞放到了对角线的另一边：该看到的被遮住了，该遮住的却看得到。",
    )


def _only_there(
    pairs: Sequence[Numbers], there: Callable[[Numbers], Tensor], mine: Callable[[Tensor], Tensor]
) -> bool:
    """Return whether results are wrong only in the mask `there`, and `mine` holds all over it."""
    if not same_shapes(pairs):
        return False
    count = 0
    for pair in pairs:
        mask = there(pair)
        if not pair.alike(pair.got, pair.want)[~mask].all() or not mine(pair.got[mask]).all():
            return False
        count += int((mask & ~pair.alike(pair.got, pair.want)).sum())
    return count >= 3 and sum(bits(pair.want) for pair in pairs) >= 20


def minus_infinity(pairs: Sequence[Numbers]) -> Text | None:
    """Find a different value where the truth has −∞."""
    if not any(_hidden(pair).any() for pair in pairs):
        return None
    for words, mine in (
        (Text(en="0", zh="0"), lambda got: got == 0),
        (
            Text(en="a large negative number", zh="很大的负数"),
            lambda got: (got < -HIDDEN) & got.isfinite(),
        ),
        (Text(en="+∞", zh="+∞"), torch.isposinf),
        (Text(en="NaN", zh="NaN"), torch.isnan),
        (
            Text(en="the number that nothing hides", zh="没有遮住的数"),
            lambda got: got.isfinite(),
        ),
    ):
        if _only_there(pairs, _hidden, mine):
            return Text(
                en=f"Your result is right wherever nothing is masked; where the right one is −∞, "
                f"yours is {words.en}.",
                zh=f"没有遮住的地方你的结果都对；正确结果为−∞处，你的是{words.zh}。",
            )
    return None


def zeros(pair: Numbers) -> Tensor:
    """Return where the truth is 0."""
    return pair.want == 0


def some_zeros(pairs: Sequence[Numbers]) -> bool:
    """Return whether the truth of some call is 0 in places, and not everywhere."""
    return any(zeros(pair).any() and not zeros(pair).all() for pair in pairs)


def unmasked(pairs: Sequence[Numbers]) -> Text | None:
    """Find wrong numbers only where the truth is 0, as if a mask were missing."""
    if not some_zeros(pairs) or not _only_there(pairs, zeros, torch.isfinite):
        return None
    if all(_is_mask(pair) for pair in pairs):
        return Text(
            en="Your mask is True wherever it has to be, and in other places too: it lets too much "
            "through.",
            zh="该为True的地方你的掩码都为True，但有些该为False的地方也成了True：放过的太多。",
        )
    return Text(
        en="Your result is right wherever a number other than 0 belongs; it goes wrong only where "
        "0 belongs.",
        zh="该是非零数的地方你都对；错的都在该为0的地方。",
    )


def _is_mask(pair: Numbers) -> bool:
    result = pair.call.result
    return isinstance(result, Tensor) and result.dtype == torch.bool


RELATIONS: tuple[Relation, ...] = (inverted, other_side, minus_infinity)
LAST: tuple[Relation, ...] = (unmasked,)
