"""Masks that are missing or the wrong way round, and where NaN comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from autograde.kit.relations.pair import Numbers, Relation, bits, holds
from bilingual import Text

HIDDEN = 1e4  # a finite score of that size stands for minus infinity


def inverted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth with True for False."""
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


def _same_shapes(pairs: Sequence[Numbers]) -> bool:
    return all(pair.got.shape == pair.want.shape for pair in pairs)


def other_side(pairs: Sequence[Numbers]) -> Text | None:
    """Find −∞ on the other side of the diagonal, and the diagonal itself on either."""
    if not _same_shapes(pairs) or any(pair.want.ndim < 2 for pair in pairs):
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
    """Return whether results are right elsewhere, and `mine` holds at each wrong place."""
    if not _same_shapes(pairs):
        return False
    places = 0
    for pair in pairs:
        mask = there(pair)
        if not pair.alike(pair.got, pair.want)[~mask].all() or not mine(pair.got[mask]).all():
            return False
        places += int((mask & ~pair.alike(pair.got, pair.want)).sum())
    return places >= 3 and sum(bits(pair.want) for pair in pairs) >= 20


def minus_infinity(pairs: Sequence[Numbers]) -> Text | None:
    """Find something else where the truth has −∞."""
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


def unmasked(pairs: Sequence[Numbers]) -> Text | None:
    """Find other numbers just where the truth is 0, as a mask leaves it."""

    def zeros(pair: Numbers) -> Tensor:
        return pair.want == 0

    if not any(zeros(pair).any() and not zeros(pair).all() for pair in pairs):
        return None
    if not _only_there(pairs, zeros, torch.isfinite):
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


def shared_out(pairs: Sequence[Numbers]) -> Text | None:
    """Find weights in the right proportion, some of which went where the truth has none."""

    def zeros(pair: Numbers) -> Tensor:
        return pair.want == 0

    if not any(zeros(pair).any() and not zeros(pair).all() for pair in pairs):
        return None
    if not _same_shapes(pairs) or any((pair.got < 0).any() for pair in pairs):
        return None

    def shares(pair: Numbers) -> Tensor:
        visible = pair.got * (pair.want != 0)
        return visible / visible.sum(-1, keepdim=True)

    rows_are_shares = all(_sums_to_one(pair.want) for pair in pairs)
    if rows_are_shares and all(pair.equal(shares(pair), pair.want) for pair in pairs):
        if sum(bits(pair.want) for pair in pairs) < 40:
            return None
        if all((pair.got[zeros(pair)] == 0).all() for pair in pairs):
            return Text(
                en="Divide each row of your weights by its sum, and they are right: masked after "
                "the softmax, a row no longer adds up to 1.",
                zh="把你的每行权重除以该行总和，就对了：在softmax之后才加掩码，一行之和不再是1。",
            )
        return Text(
            en="Your weights are in the right proportion wherever the right ones are not 0; the "
            "rest of each row went to places that must get 0.",
            zh="正确权重不为0之处，你的权重比例都对；但每行还有一部分权重给了本该为0的位置。",
        )
    return None


def _sums_to_one(values: Tensor) -> bool:
    sums = values.sum(-1) if values.ndim else values
    return values.ndim > 0 and bool(torch.isclose(sums, torch.ones_like(sums), atol=1e-3).all())


def nan(pairs: Sequence[Numbers]) -> Text | None:
    """Find what NaN comes from: beside −∞ it is 0 · ∞, in whole rows a softmax of nothing."""
    if not _same_shapes(pairs) or not any(pair.got.isnan().any() for pair in pairs):
        return None
    if any(pair.want.isnan().any() for pair in pairs):
        return None
    if not all(
        pair.alike(pair.got, pair.want)[~pair.got.isnan()].all() or pair.got.isnan().all()
        for pair in pairs
    ):
        return None
    if all(_zero_times_infinity(pair) for pair in pairs):
        return Text(
            en="NaN stands just where the right result is finite, −∞ where it is −∞: 0·∞ is NaN. "
            "`mask * -inf` has it wherever mask is 0; `masked_fill` or `torch.where` puts −∞ in "
            "without a product.",
            zh="NaN恰好出现在正确结果为有限数的地方，为−∞处则是−∞：0·∞等于NaN。"
            "mask为0处，`mask * -inf`就是它；`masked_fill`或`torch.where`直接填入−∞，不做乘法。",
        )
    whole = [pair for pair in pairs if pair.got.isnan().any() and _whole_rows(pair)]
    if whole and all(not pair.got.isnan().any() or _whole_rows(pair) for pair in pairs):
        return Text(
            en="Whole rows are NaN, and the others are right. A softmax over a row that is −∞ "
            "everywhere gives NaN, and so do 0/0 and ∞/∞, where exp has overflowed.",
            zh="有的行整行都是NaN，其余的行都对。整行都是−∞时softmax会得到NaN，"
            "0/0和exp溢出后的∞/∞也是。",
        )
    return None


def _zero_times_infinity(pair: Numbers) -> bool:
    hidden = pair.want.isinf()
    return bool(hidden.any()) and torch.equal(pair.got.isnan(), ~hidden)


def _whole_rows(pair: Numbers) -> bool:
    rows = pair.got.isnan()
    if rows.ndim == 0 or rows.all():
        return False
    return any(
        torch.equal(rows.any(axis), rows.all(axis)) for axis in range(-1, -rows.ndim - 1, -1)
    )


RELATIONS: tuple[Relation, ...] = (nan, inverted, other_side, minus_infinity, shared_out)
LAST: tuple[Relation, ...] = (unmasked,)
