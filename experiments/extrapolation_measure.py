"""Excess loss: what a byte costs in a long window, beyond what it costs in a fresh trained one.

A later byte of a text may be harder or easier than an earlier one, whatever the model does with
positions. So each byte is its own control: its loss at position p of a long window, minus its loss
in the second half of a window of the trained length L, where it has L/2 … L-1 bytes before it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from experiments.extrapolation_data import windows
from posenc_ref import TinyLM

AT_ONCE = 2**11  # tokens in a batch of windows: their scores stay in the cache of a CPU
DIGITS = 4


@torch.no_grad()
def byte_losses(model: TinyLM, cut: Tensor) -> Tensor:
    """Return the loss of every target in nats; windows (n, L + 1) → (n, L), on the CPU."""
    where = next(model.parameters()).device
    rows = max(1, AT_ONCE // cut.shape[1])
    return torch.cat([_losses(model, part.to(where)).cpu() for part in cut.split(rows)])


def _losses(model: TinyLM, cut: Tensor) -> Tensor:
    return cross_entropy(model(cut[:, :-1]).mT, cut[:, 1:], reduction="none")


def fresh_losses(model: TinyLM, text: Tensor, trained: int) -> Tensor:
    """Return for the targets from trained/2 on their loss in fresh windows, (n, trained/2).

    Row r are the targets (r + 1) · trained/2 … (r + 2) · trained/2 - 1 of the text.
    """
    half = trained // 2
    return byte_losses(model, windows(text, trained, half))[:, half:]


def excess(model: TinyLM, text: Tensor, fresh: Tensor, trained: int, length: int) -> dict[str, Any]:
    """Return loss, fresh loss and excess in the second half of windows of `length`, nats a byte.

    fresh: of `fresh_losses`. by_position: the excess at trained/2, 2 · trained/2, …, each the mean
    over the trained/2 positions from there on.
    """
    half = trained // 2
    losses = byte_losses(model, windows(text, length, length))  # (n, length)
    bins = losses.unflatten(1, (-1, half))  # (n, length/half, half)
    # bin b of window w begins at byte w · length + b · half: row w · length/half + b - 1 of fresh
    row = torch.arange(len(bins))[:, None] * bins.shape[1] + torch.arange(bins.shape[1]) - 1
    controls = fresh[row[:, 1:]]  # (n, length/half - 1, half): the first bin has no control
    more = bins[:, 1:] - controls
    late = bins.shape[1] // 2
    numbers = {
        "loss": bins[:, late:].mean(),
        "fresh": controls[:, late - 1 :].mean(),
        "excess": more[:, late - 1 :].mean(),
    }
    return {
        "length": length,
        **{name: round(number.item(), DIGITS) for name, number in numbers.items()},
        "by_position": [round(number, DIGITS) for number in more.mean((0, 2)).tolist()],
    }
