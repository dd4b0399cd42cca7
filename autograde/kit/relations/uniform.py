"""Results that are one number everywhere: evidence of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from autograde.kit.relations.as_numbers import Numbers, Relation, same_shapes
from autograde.kit.relations.evidence import is_uniform
from bilingual import Text


def uniform(pairs: Sequence[Numbers]) -> Text | None:
    """Find one number, or NaN, wherever the right ones differ."""
    if not (is_uniform(pairs) and same_shapes(pairs)) or is_uniform(
        [replace(pair, got=pair.want) for pair in pairs]
    ):
        return None
    first = next(pair.got.flatten()[0].item() for pair in pairs if pair.got.numel())
    value = f"{first:g}".replace("nan", "NaN")
    if all(getattr(pair.call.result, "dtype", None) == torch.bool for pair in pairs):
        value = str(bool(first))
    return Text(
        en=f"Your result is {value} everywhere, in every call.",
        zh=f"你的结果在每次调用里处处都是{value}。",
    )


RELATIONS: tuple[Relation, ...] = (uniform,)
