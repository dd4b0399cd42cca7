"""The weights of XLNet's scores, as a module; the formula is in xlnet.py."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.scalars import require_integers
from posenc_ref.score_inputs import require_scores
from posenc_ref.transformer_xl_embedding import TransformerXLEmbedding
from posenc_ref.xlnet import xlnet_scores


class XLNetEmbedding(TransformerXLEmbedding):
    """Transformer-XL's weights and those of the segments, of `segment_length` tokens each.

        scores = `xlnet_scores` with "same" where ⌊p_i / S⌋ = ⌊p_j / S⌋,   (B, H, Lq, Lk)

    With one segment the segments' term is the same for all keys, and softmax does not see it.

    Source: Yang et al. 2019, §2.4-2.5.
    Raises:
        TypeError: a size is not an integer.
        ValueError: segment_length is not positive; as `TransformerXLEmbedding`.
    Example:
        >>> from posenc_ref import XLNetEmbedding
        >>> XLNetEmbedding(heads=2, head_dim=4, dim=8, segment_length=16).segment_embedding.shape
        torch.Size([2, 2, 4])
    """

    def __init__(self, heads: int, head_dim: int, dim: int, *, segment_length: int = 16) -> None:
        """Draw all weights from N(0, 0.02²)."""
        super().__init__(heads, head_dim, dim)
        require_integers(segment_length=segment_length)
        if segment_length < 1:
            raise ValueError(f"segment_length must be positive, got {segment_length}")
        self.segment_length = segment_length
        self.segment_bias = nn.Parameter(0.02 * torch.randn(heads, head_dim))
        self.segment_embedding = nn.Parameter(0.02 * torch.randn(2, heads, head_dim))

    def forward(self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the scores (B, H, Lq, Lk)."""
        require_scores(q, k, q_positions, k_positions)
        of_q, of_k = (at // self.segment_length for at in (q_positions, k_positions))
        same = (of_q[..., :, None] == of_k[..., None, :]).expand(len(q), -1, -1)
        return xlnet_scores(
            *(q, k, q_positions, k_positions, self.u, self.v, self.weight),
            same_segment=same,
            segment_bias=self.segment_bias,
            segment_embedding=self.segment_embedding,
        )
