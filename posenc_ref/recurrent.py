"""Recurrent position: a GRU reads the embeddings first, and its states know where they are.

No table and no longest text: order comes from reading in order, at the price of a step after the
other. A causal model may use it (a state has seen the past alone), and decoding hands on the last
state instead of a position.

torch.compile takes torch's GRU, and so both names here, in pieces only (fullgraph=True raises).
Both export, `RecurrentEmbedding` with a warning of torch. vmap has no rule for the GRU and raises;
`gru_step` maps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_one_dtype


class RecurrentEmbedding(nn.Module):
    """A GRU in front of the Transformer: x (B, L, d) → (B, L, d), and the state (1, B, d).

        h_t = GRU(x_t, h_{t-1}),   one step is `gru_step`

    Source: `torch.nn.GRU` in torch, Cho et al. 2014; as a front end, Neishi and Yoshinaga 2019.
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


def gru_step(x: Tensor, state: Tensor, gru: nn.GRU) -> Tensor:
    """Return the next state (B, d) of a one-layer GRU from x (B, d) and state (B, d): the formula.

        r = σ(W_r x + U_r h),  z = σ(W_z x + U_z h),  n = tanh(W_n x + r ⊙ U_n h)
        h' = (1 - z) ⊙ n + z ⊙ h          (each product with its own bias)

    Source: Cho et al. 2014, §2.3, in the variant of `torch.nn.GRU`.
    Raises:
        TypeError: gru is no `nn.GRU`; x, state and its weights are not of one float dtype.
        ValueError: x and state disagree; the GRU has other sizes, several layers, two directions.
    Example:
        >>> from posenc_ref import RecurrentEmbedding, gru_step
        >>> module, x = RecurrentEmbedding(dim=2), torch.ones(1, 2)
        >>> step = gru_step(x, torch.zeros(1, 2), module.gru)
        >>> torch.allclose(step, module(x[None])[0][0])
        True
    """
    if not isinstance(gru, nn.GRU):
        raise TypeError(f"gru must be nn.GRU, got {type(gru).__name__}")
    require_one_dtype(x=x, state=state, weights=gru.weight_ih_l0)
    if x.dim() != 2 or x.shape != state.shape:
        raise ValueError(f"x and state must be (B, d): {tuple(x.shape)} and {tuple(state.shape)}")
    sizes, kind = (gru.input_size, gru.hidden_size), (gru.num_layers, gru.bidirectional)
    if sizes != (x.shape[1], x.shape[1]) or kind != (1, False):
        raise ValueError(f"gru must be nn.GRU({x.shape[1]}, {x.shape[1]}), one layer, got {gru}")
    biases = (gru.bias_ih_l0, gru.bias_hh_l0) if gru.bias else (None, None)
    of_x = nn.functional.linear(x, gru.weight_ih_l0, biases[0]).chunk(3, dim=-1)
    of_h = nn.functional.linear(state, gru.weight_hh_l0, biases[1]).chunk(3, dim=-1)
    r, z = torch.sigmoid(of_x[0] + of_h[0]), torch.sigmoid(of_x[1] + of_h[1])
    n = torch.tanh(of_x[2] + r * of_h[2])
    return (1 - z) * n + z * state
