"""Excess loss: the loss of a byte in a long window minus its loss in a fresh window.

A later byte of a text may be harder or easier than an earlier one, whatever the model does with
positions. So each byte is its own control: its loss as target p of a long window, minus its loss in
the second half of a fresh window, of the trained length L, where L/2 + 1 … L bytes precede it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from experiments.extrapolation_data import windows
from posenc_ref import TinyLM

AT_ONCE = 2**11  # tokens in a batch of windows: their scores stay in the cache of a CPU


@torch.no_grad()
def byte_losses(model: TinyLM, cut: Tensor) -> Tensor:
    """Return the loss of every target in nats; windows (n, L + 1) → (n, L)."""
    rows = max(1, AT_ONCE // cut.shape[1])
    return torch.cat(
        [
            cross_entropy(model(part[:, :-1]).mT, part[:, 1:], reduction="none")
            for part in cut.split(rows)
        ]
    )


def fresh_losses(model: TinyLM, text: Tensor, trained: int) -> Tensor:
    """Return the losses in fresh windows that start every trained/2 bytes, (n, trained).

    The second half of row r are the targets (r + 1) · trained/2 … (r + 2) · trained/2 - 1.
    """
    return byte_losses(model, windows(text, trained, trained // 2))


@dataclass(frozen=True)
class Excess:
    """The losses at one length, in nats per byte, in the second halves of its windows.

    by_position: the excess at trained/2, 2 · trained/2, …, each the mean over the trained/2
    positions from there on. blocks (b,): the excess in each block of the text, for the error over
    text; a block is as long as the longest window.
    """

    loss: float
    fresh: float
    by_position: list[float]
    blocks: Tensor

    @property
    def mean(self) -> float:
        """The mean excess."""
        return self.blocks.mean().item()


def excess(
    model: TinyLM, text: Tensor, fresh: Tensor, trained: int, length: int, blocks: int
) -> Excess:
    """Return loss, control and excess of windows of `length`; fresh: from `fresh_losses`."""
    half = trained // 2
    losses = byte_losses(model, windows(text, length, length))  # (n, length)
    bins = losses.unflatten(1, (-1, half))  # (n, length/half, half)
    # bin b of window w begins at byte w · length + b · half: row w · length/half + b - 1 of fresh
    row = torch.arange(len(bins))[:, None] * bins.shape[1] + torch.arange(bins.shape[1]) - 1
    controls = fresh[row[:, 1:], half:]  # (n, length/half - 1, half): the first bin has no control
    more = bins[:, 1:] - controls
    late = bins.shape[1] // 2
    return Excess(
        loss=bins[:, late:].mean().item(),
        fresh=controls[:, late - 1 :].mean().item(),
        by_position=more.mean((0, 2)).tolist(),
        blocks=more[:, late - 1 :].flatten().view(blocks, -1).mean(1),
    )


def by_context(fresh: Tensor) -> list[float]:
    """Return the mean loss with 1, 2-3, 4-7, … bytes of context in fresh windows (n, trained)."""
    doublings = fresh.shape[1].bit_length() - 1
    return [fresh[:, 2**i - 1 : 2 ** (i + 1) - 1].mean().item() for i in range(doublings)]
