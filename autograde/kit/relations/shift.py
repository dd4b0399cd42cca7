"""The right numbers one place further on or back; the place at the edge may be anything."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, Relation, axis_words
from autograde.kit.relations.evidence import holds
from bilingual import Text


def shifted(pairs: Sequence[Numbers]) -> Text | None:
    """Compare each place with its neighbour in the truth; the place at the edge may be anything."""
    for axis in range(-1, -min(pair.want.ndim for pair in pairs) - 1, -1):
        for step in (1, -1):
            if all(_is_shifted(pair, axis, step) for pair in pairs) and _tells(pairs, axis):
                along, sign = axis_words(axis), "+" if step > 0 else "−"
                return Text(
                    en=f"Along {along.en} each place i of your result holds what belongs at "
                    f"i {sign} 1.",
                    zh=f"沿{along.zh}，你的结果第i位放的是本该在第i{sign}1位的数。",
                )
    return None


def _is_shifted(pair: Numbers, axis: int, step: int) -> bool:
    size = pair.want.shape[axis]
    if pair.got.shape != pair.want.shape or size < 3:
        return False
    early, late = 0, 1
    mine, right = (early, late) if step > 0 else (late, early)
    return pair.equal(
        pair.got.narrow(axis, mine, size - 1), pair.want.narrow(axis, right, size - 1)
    )


def _tells(pairs: Sequence[Numbers], axis: int) -> bool:
    # if neighbours in the truth are equal, nothing shows a shift
    def image(pair: Numbers) -> Tensor:
        return pair.got

    changing = all(pair.want.diff(dim=axis).abs().max() > 10 * pair.tolerance for pair in pairs)
    return changing and holds(pairs, image)


RELATIONS: tuple[Relation, ...] = (shifted,)
