"""Where NaN comes from."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograde.kit.relations.as_numbers import Numbers, Relation, same_shapes
from bilingual import Text


def nan(pairs: Sequence[Numbers]) -> Text | None:
    """Find the origin of NaN: 0 · ∞ if −∞ is beside it, in whole rows a softmax of nothing."""
    if not same_shapes(pairs) or not any(pair.got.isnan().any() for pair in pairs):
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


RELATIONS: tuple[Relation, ...] = (nan,)
