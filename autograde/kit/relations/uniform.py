"""Results that are one number everywhere: evidence of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from autograde.kit.relations.as_numbers import Numbers, Relation, same_shapes
from autograde.kit.relations.evidence import is_uniform
from bilingual import Text

ORIGINS = {  # of numbers that are not finite
    "NaN": Text(
        en="NaN comes from 0/0, ∞ − ∞, 0·∞ and a softmax over nothing but −∞: print the first step "
        "that has one.",
        zh="0/0、∞ − ∞、0·∞、对全是−∞的一行做softmax，都会得到NaN：把各步打印出来，"
        "看它最先出现在哪一步。",
    ),
    "inf": Text(
        en="Infinity comes from a division by 0, log(0) and an exp that overflows: print the first "
        "step that has one.",
        zh="除以0、log(0)、exp溢出，都会得到无穷大：把各步打印出来，看它最先出现在哪一步。",
    ),
}


def uniform(pairs: Sequence[Numbers]) -> Text | None:
    """Find one number, or NaN, everywhere, although the right numbers differ."""
    if not (is_uniform(pairs) and same_shapes(pairs)) or is_uniform(
        [replace(pair, got=pair.want) for pair in pairs]
    ):
        return None
    first = next(pair.got.flatten()[0].item() for pair in pairs if pair.got.numel())
    value = f"{first:g}".replace("nan", "NaN")
    if all(getattr(pair.call.result, "dtype", None) == torch.bool for pair in pairs):
        value = str(bool(first))
    sentence = Text(
        en=f"Your result is {value} everywhere, in every call.",
        zh=f"你的结果在每次调用里处处都是{value}。",
    )
    origin = ORIGINS.get(value.lstrip("-"))
    if origin is None:
        return sentence
    return Text(en=f"{sentence.en} {origin.en}", zh=sentence.zh + origin.zh)


RELATIONS: tuple[Relation, ...] = (uniform,)
