"""Forgetting attention, Lin et al. 2025: what a token says decides how much the past still counts.

A gate f_t = σ(w·x_t + b), between 0 and 1, is read off each token, for each head. A key j is seen
from the query i through all gates between them:

    softmax(q kᵀ/√D + d),   d_ij = Σ_{l = j+1 … i} ln f_l,   e^d_ij = f_{j+1} ⋯ f_i

A bias like ALiBi's, which is the case of equal gates: f = e^-m gives -m (i - j). But a single token
with a gate near 0 closes the door on all that came before it. It is what the forget gate of a
recurrent network does, S_t = f_t S_{t-1} + …, for softmax attention.

The gates need x, not q and k: `ForgettingEncoding.keys` appends the logarithms of a token's gates
to its key as extra channels, which the cache keeps too; no query meets them.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from posenc_ref.encoding import Encoding
from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_integers
from posenc_ref.score_inputs import checked_mask
from posenc_ref.tensors import require_floats


def forgetting_bias(
    log_gates: Tensor, q_positions: Tensor, k_positions: Tensor, *, mask: Tensor | None = None
) -> Tensor:
    """Return the bias (B, H, Lq, Lk), -inf at keys ahead or masked; log_gates ln f (B, H, Lk).

        d_ij = Σ_{l > j, p_l ≤ i} ln f_l

    Keys stand in the order of their positions (L,) or (B, L). mask: boolean, True = may attend, as
    in `attention`; the gate of a masked key (padding) is not counted. Added up in float32 or
    better, the dtype of the result.

    Source: Lin et al. 2025; `forgetting_attention` in zhixuan-lin/forgetting-transformer.
    Raises:
        TypeError: log_gates are not of floats; the mask is not boolean; as `relative_positions`.
        ValueError: log_gates (B, H, Lk), positions or the mask disagree; as `relative_positions`.
    Example:
        >>> from posenc_ref import forgetting_bias, positions
        >>> gates = torch.tensor([1.0, 0.5, 0.25]).view(1, 1, 3)
        >>> forgetting_bias(gates.log2(), positions(3), positions(3)).tolist()  # in powers of 2
        [[[[0.0, -inf, -inf], [-1.0, 0.0, -inf], [-3.0, -2.0, 0.0]]]]
    """
    require_floats(log_gates=log_gates)
    relative = relative_positions(q_positions, k_positions)
    relative = relative if relative.dim() == 3 else relative[None]  # (B or 1, Lq, Lk)
    shape = tuple(log_gates.shape)
    if len(shape) != 3 or relative.shape[2] != shape[2] or len(relative) not in (1, shape[0]):
        shapes = f"{shape} and {tuple(q_positions.shape)}, {tuple(k_positions.shape)}"
        raise ValueError(f"log_gates (B, H, Lk) and positions disagree: {shapes}")
    visible = (relative <= 0)[:, None]  # (B or 1, 1, Lq, Lk)
    if mask is not None:
        visible = visible & checked_mask(mask, (*shape[:2], *relative.shape[1:]))
    counted = log_gates.to(torch.promote_types(log_gates.dtype, torch.float32))[:, :, None]
    counted = counted.where(visible, 0.0)  # (B, H, Lq, Lk)
    from_key = counted.flip(-1).cumsum(-1).flip(-1)  # its own gate too
    return (from_key - counted).masked_fill(~visible, -torch.inf)


class ForgettingEncoding(Encoding):
    """Forgetting attention without any other encoding, with trained gates; causal.

        scores = q kᵀ/√D + `forgetting_bias`,   f = σ(W x + b), one for each head

    In the paper each layer has its own gates: use `LayerEncodings`.

    Source: Lin et al. 2025; `ForgettingAttentionLayer` in zhixuan-lin/forgetting-transformer.
    Raises:
        TypeError: dim or heads is not an integer.
        ValueError: dim or heads is not positive.
    Example:
        >>> from posenc_ref import ForgettingEncoding
        >>> x, k = torch.zeros(1, 5, 8), torch.zeros(1, 2, 5, 4)
        >>> ForgettingEncoding(dim=8, heads=2).keys(x, k).shape  # a gate beside each key
        torch.Size([1, 2, 5, 5])
    """

    def __init__(self, dim: int, heads: int) -> None:
        """Draw the weights as torch does; b = 0, so that a gate starts near a half."""
        super().__init__()
        require_integers(dim=dim, heads=heads)
        if min(dim, heads) < 1:
            raise ValueError(f"dim and heads must be positive, got {dim} and {heads}")
        self.gate = nn.Linear(dim, heads)
        nn.init.zeros_(self.gate.bias)

    def keys(self, x: Tensor, k: Tensor) -> Tensor:
        """Return keys (B, Hkv, L, D + H/Hkv): with ln f of each head that they serve."""
        log_gates = logsigmoid(self.gate(x))  # (B, L, H)
        of_keys = torch.unflatten(log_gates, -1, (k.shape[1], -1)).transpose(1, 2)
        return torch.cat((k, of_keys.to(k.dtype)), dim=-1)

    def scores(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the scores, in the dtype of q, -inf at keys ahead or masked.

        Raises:
            TypeError: as `Encoding.scores`.
            ValueError: as `Encoding.scores`; keys carry no gates (see `keys`).
        """
        dim = q.shape[-1]
        plain = super().scores(q, k[..., :dim], q_positions, k_positions)
        heads, served = q.shape[1], k.shape[-1] - dim  # of them share a key
        if served < 1 or heads % served:
            raise ValueError(f"k must carry gates behind its {dim} channels, got {tuple(k.shape)}")
        mine = torch.arange(heads, device=k.device) % served
        log_gates = k[..., dim:].gather(-1, mine.view(1, -1, 1, 1).expand(*k.shape[:3], 1))
        bias = forgetting_bias(log_gates[..., 0], q_positions, k_positions, mask=mask)
        return (plain + bias).to(q.dtype)
