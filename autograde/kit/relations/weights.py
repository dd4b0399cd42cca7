"""Attention weights: too sharp or too flat, or partly in places that must get 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from autograde.kit.relations.as_numbers import Numbers, same_shapes
from autograde.kit.relations.evidence import bits
from autograde.kit.relations.factor import name_of_factor
from autograde.kit.relations.mask import some_zeros, zeros
from bilingual import Text


def sharpness(pairs: Sequence[Numbers]) -> Text | None:
    """Compare the scores behind the weights: is a factor missing before softmax, or too many?"""
    for pair in pairs:
        shares = pair.want.ndim > 0 and bool((pair.want >= 0).all() and (pair.got >= 0).all())
        if not shares or pair.got.shape != pair.want.shape:
            return None
        if not all((side.sum(-1) - 1).abs().max() < 1e-3 for side in (pair.got, pair.want)):
            return None
    scores = [replace(pair, got=scores_of(pair.got), want=scores_of(pair.want)) for pair in pairs]
    name = name_of_factor(scores)
    if not name:
        return None
    return Text(
        en=f"Your weights are the softmax of {name} times the right scores: a factor is missing, "
        "or too many, before the softmax.",
        zh=f"你的权重是正确得分的{name}倍的softmax：softmax之前少乘或多乘了这个因子。",
    )


def scores_of(shares: Tensor) -> Tensor:
    """Return the scores behind the weights of a softmax, with mean 0 in each row."""
    logs = shares.log()
    seen = logs.isfinite()
    mean = torch.where(seen, logs, 0.0).sum(-1, keepdim=True) / seen.sum(-1, keepdim=True)
    return logs - mean


def shared_out(pairs: Sequence[Numbers]) -> Text | None:
    """Find weights in the right proportion, some of them in places where the truth has 0."""
    if not some_zeros(pairs) or not same_shapes(pairs):
        return None
    if any((pair.got < 0).any() for pair in pairs):
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
