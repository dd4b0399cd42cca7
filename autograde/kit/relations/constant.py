"""The right numbers plus a constant."""

from __future__ import annotations

from collections.abc import Sequence

from autograde.kit.relations.as_numbers import Numbers, Relation
from autograde.kit.relations.evidence import holds
from bilingual import Text


def constant(pairs: Sequence[Numbers]) -> Text | None:
    """Compare with the truth plus a constant."""
    differences = []
    for pair in pairs:
        if pair.got.shape != pair.want.shape:
            return None
        finite = (pair.got - pair.want).flatten()
        finite = finite[finite.isfinite()]
        differences += finite[:1].tolist()
    if not differences:
        return None
    value = differences[0]
    small = value in (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
    if not holds(pairs, lambda pair: pair.want + value, parameter=0 if small else 25):
        return None
    sign = "+" if value > 0 else "−"
    more = Text(en="more" if value > 0 else "less", zh="大" if value > 0 else "小")
    return Text(
        en=f"Your result is the right one {sign} {abs(value):.6g}, everywhere: {abs(value):.6g} "
        f"{more.en}.",
        zh=f"你的结果处处比正确结果{more.zh}{abs(value):.6g}。",
    )


RELATIONS: tuple[Relation, ...] = (constant,)
