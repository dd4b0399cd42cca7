"""Log buckets of DeBERTa v2 and v3: near distances one by one, far ones by their logarithm.

Within ±m/2 a distance is its own bucket. Beyond, the bucket grows with ln |distance|, from m/2 to m
at max_distance; beyond that it goes on growing, and the caller clips (deberta.py).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_ref.positions import checked_positions
from posenc_ref.scalars import require_integers, require_reals


def deberta_bucket(distance: Tensor, *, buckets: int = 256, max_distance: float = 512) -> Tensor:
    """Return the signed bucket of each distance δ = query - key: (…, Lq, Lk) → same, int64.

        δ if |δ| ≤ c, else sign(δ) (c + ⌈(c - 1) ln(|δ|/c) / ln((max_distance - 1)/c)⌉)
        c = ⌊buckets / 2⌋

    Source: `make_log_bucket_dict` in microsoft/DeBERTa, `make_log_bucket_position` in transformers.
    Raises:
        TypeError: distances or buckets are not integers.
        ValueError: buckets is less than 4; max_distance does not exceed buckets/2 + 1 or is
            infinite.
    Example:
        >>> from posenc_ref import deberta_bucket
        >>> distance = torch.tensor([-600, -100, -3, 0, 4, 5, 40])
        >>> deberta_bucket(distance, buckets=8, max_distance=64).tolist()
        [-10, -8, -3, 0, 4, 5, 7]
    """
    distance = checked_positions(distance, integral=True)
    require_integers(buckets=buckets)
    require_reals(max_distance=max_distance)
    middle = buckets // 2
    if buckets < 4 or not middle + 1 < max_distance < math.inf:
        raise ValueError(f"{buckets} buckets do not fit distances up to {max_distance}")
    size = distance.abs().clamp(min=middle)
    # float32 like upstream: the borders are part of the checkpoints
    share = (size.float() / middle).log() / math.log((max_distance - 1) / middle)
    far = (share * (middle - 1)).ceil().long() + middle
    return torch.where(distance.abs() <= middle, distance, far * distance.sign())
