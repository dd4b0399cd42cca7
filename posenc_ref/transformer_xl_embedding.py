"""The weights of Transformer-XL's scores, as a module; the formula is in transformer_xl.py."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.scalars import require_integers
from posenc_ref.transformer_xl import transformer_xl_terms


class TransformerXLEmbedding(nn.Module):
    """The weights u, v (H, D) and W (H·D, d), and the scores that they give.

        scores = Σ of the four `transformer_xl_terms`,   (B, H, Lq, Lk)

    Source: Dai et al. 2019, §3.3.
    Raises:
        TypeError: a size is not an integer.
        ValueError: a size is not positive, or dim is odd.
    Example:
        >>> from posenc_ref import TransformerXLEmbedding
        >>> TransformerXLEmbedding(heads=2, head_dim=4, dim=8).weight.shape
        torch.Size([8, 8])
    """

    def __init__(self, heads: int, head_dim: int, dim: int) -> None:
        """Draw all weights from N(0, 0.02²)."""
        super().__init__()
        require_integers(heads=heads, head_dim=head_dim, dim=dim)
        if min(heads, head_dim, dim) < 1 or dim % 2:
            sizes = f"{heads}, {head_dim} and {dim}"
            raise ValueError(f"heads and head_dim must be positive, dim even, got {sizes}")
        self.u = nn.Parameter(0.02 * torch.randn(heads, head_dim))
        self.v = nn.Parameter(0.02 * torch.randn(heads, head_dim))
        self.weight = nn.Parameter(0.02 * torch.randn(heads * head_dim, dim))

    def forward(self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the scores (B, H, Lq, Lk)."""
        inputs = (q, k, q_positions, k_positions, self.u, self.v, self.weight)
        return sum(transformer_xl_terms(*inputs))
