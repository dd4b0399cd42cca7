"""T5's relative bias, Raffel et al. 2020, §2.1: a learned number per head and bucket of distances.

Half of the buckets hold one distance each, the others grow logarithmically up to `max_distance`,
beyond which all distances share the last. Two directions split the buckets between past and
future; `bidirectional=False` (a decoder) puts every key ahead of the query into bucket 0.

The bias is added to scores that are *not* divided by √D: T5's scaling is 1. One table serves all
layers. The last causal bucket of the default (32, 128) begins at distance 113, not 128. The KERPLE
paper prints the formula without its "+ buckets/2": there, distance 16 would fall into bucket 0.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from posenc_ref.positions import checked_positions, relative_positions
from posenc_ref.scalars import require_integers, require_reals


def t5_bucket(
    relative: Tensor, *, bidirectional: bool, buckets: int = 32, max_distance: float = 128
) -> Tensor:
    """Return the bucket of each relative position (key - query): (…, Lq, Lk) → same, int64.

        n if n < e, else min(e + ⌊ln(n/e) / ln(max_distance/e) · (m - e)⌋, m - 1)
        n = |distance|, m buckets a side, e = m/2; the future, if seen, adds m

    Source: Raffel et al. 2020, §2.1; `_relative_position_bucket` in mesh-tensorflow.
    Raises:
        TypeError: relative positions or buckets are not integers.
        ValueError: too few buckets, or max_distance lies within the exact ones or is not finite.
    Example:
        >>> from posenc_ref import t5_bucket
        >>> t5_bucket(torch.tensor([0, -15, -16, -112, -113, 5]), bidirectional=False).tolist()
        [0, 15, 16, 30, 31, 0]
    """
    relative = checked_positions(relative, integral=True)
    require_integers(buckets=buckets)
    require_reals(max_distance=max_distance)
    if not isinstance(bidirectional, bool):
        raise TypeError(f"bidirectional must be True or False, got {bidirectional!r}")
    side = buckets // 2 if bidirectional else buckets
    exact = side // 2
    if exact < 1 or not exact < max_distance < math.inf:
        raise ValueError(f"{buckets} buckets up to distance {max_distance} leave no exact bucket")
    ahead = (relative > 0).long() * side if bidirectional else torch.zeros_like(relative)
    distance = relative.abs() if bidirectional else (-relative).clamp(min=0)
    # float32 like every upstream: the borders are part of the checkpoints
    ratio = distance.clamp(min=1).float().div(exact).log() / math.log(max_distance / exact)
    far = (exact + (ratio * (side - exact)).long()).clamp(max=side - 1)
    return ahead + torch.where(distance < exact, distance, far)


class T5Bias(nn.Module):
    """The table, (buckets, heads), and the bias that it gives.

        bias[h, i, j] = weight[t5_bucket(k_j - q_i), h]

    Source: Raffel et al. 2020, §2.1; `T5Attention.compute_bias` in Hugging Face transformers.
    Raises:
        TypeError: a size is not an integer.
        ValueError: heads is not positive; as `t5_bucket`.
    Example:
        >>> from posenc_ref import T5Bias, positions
        >>> T5Bias(heads=2, bidirectional=True)(positions(3), positions(5)).shape
        torch.Size([2, 3, 5])
    """

    def __init__(
        self, heads: int, *, bidirectional: bool, buckets: int = 32, max_distance: float = 128
    ) -> None:
        """Make a table drawn from N(0, 1)."""
        super().__init__()
        t5_bucket(
            torch.tensor(0), bidirectional=bidirectional, buckets=buckets, max_distance=max_distance
        )  # refuses what can never work
        require_integers(heads=heads)
        if heads < 1:
            raise ValueError(f"heads must be positive, got {heads}")
        self.bidirectional, self.max_distance = bidirectional, max_distance
        self.weight = nn.Parameter(torch.randn(buckets, heads))

    def forward(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the bias (H, Lq, Lk), with a batch of positions (B, H, Lq, Lk).

        Decoding hands in the position of the new token: one row, nothing is rebuilt.
        """
        bucket = t5_bucket(
            relative_positions(q_positions, k_positions),
            bidirectional=self.bidirectional,
            buckets=self.weight.shape[0],
            max_distance=self.max_distance,
        )
        return self.weight[bucket].movedim(-1, -3)  # (…, Lq, Lk, H) → (…, H, Lq, Lk)
