"""Recurrent position: a GRU reads the embeddings first, and its states know where they are.

No table and no longest text: order comes from reading in order, at the price of one step after
another. A causal model may use it (a state has seen only the past), and decoding passes on the last
state instead of a position.

torch.compile takes torch's GRU in pieces only (fullgraph=True raises). It exports, with a warning
of torch. vmap has no rule for it and raises.
"""

from __future__ import annotations

from torch import Tensor, nn

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_one_dtype


class RecurrentEmbedding(nn.Module):
    """A GRU in front of the Transformer: x (B, L, d) → (B, L, d), and the state (1, B, d).

        h_t = (1 - z) ⊙ n + z ⊙ h,   h = h_{t-1}        (each product below with its own bias)
        r = σ(W_r x_t + U_r h),  z = σ(W_z x_t + U_z h),  n = tanh(W_n x_t + r ⊙ U_n h)

    Source: `torch.nn.GRU` in torch, a variant of Cho et al. 2014, §2.3; as a front end, Neishi and
    Yoshinaga 2019.
    Raises:
        TypeError: dim is not an integer.
        ValueError: dim is not positive.
    Example:
        >>> from posenc_ref import RecurrentEmbedding
        >>> states, last = RecurrentEmbedding(dim=4)(torch.zeros(2, 3, 4))
        >>> states.shape, last.shape
        (torch.Size([2, 3, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(self, dim: int) -> None:
        """Make the GRU with torch's own initial weights."""
        super().__init__()
        require_integers(dim=dim)
        if dim < 1:
            raise ValueError(f"dim must be positive, got {dim}")
        self.gru = nn.GRU(int(dim), int(dim), batch_first=True)  # torch takes none of numpy's

    def forward(self, x: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the states of all tokens, and the last one, to go on from when decoding.

        Raises:
            TypeError: x, state and the weights are not of one float dtype.
            ValueError: x is not (B, L, d) with L ≥ 1, or state is not (1, B, d).
        """
        inputs, d = {"x": x} if state is None else {"x": x, "state": state}, self.gru.input_size
        require_one_dtype(**inputs, weights=self.gru.weight_ih_l0)
        if x.dim() != 3 or x.shape[-1] != d or not x.shape[1]:
            raise ValueError(f"x must be (B, L, {d}) with L ≥ 1, got {tuple(x.shape)}")
        if state is not None and state.shape != (1, len(x), d):
            raise ValueError(f"state must be (1, {len(x)}, {d}), got {tuple(state.shape)}")
        return self.gru(x, state)
