"""One training run of the laboratory, which can be stopped at any moment and resumed.

A checkpoint holds all that the next step depends on: weights, optimizer, step, and the state of the
generator that draws the batches. A resumed run gives the same weights as one that was never
stopped.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bilingual.files import write_whole
from experiments.extrapolation_data import batch
from posenc_ref import TinyLM

History = list[list[float]]  # [step, results of `evaluate` …] each


@dataclass(frozen=True)
class Plan:
    """How long, on what windows and how fast to train."""

    steps: int
    length: int  # of a window, in tokens
    rows: int  # windows in a batch
    rate: float  # of AdamW at the start; a cosine falls to 0
    factor: float  # multiplies the rate for the encoding's own weights
    seed: int
    interval: int  # steps between two evaluations, each followed by a checkpoint


@dataclass
class Run:
    """The state of a training run: the content of a checkpoint."""

    model: TinyLM
    optimizer: torch.optim.Optimizer
    generator: torch.Generator
    step: int
    history: History

    def save(self, path: Path) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "step": self.step,
            "history": self.history,
        }
        torch.save(state, packed := io.BytesIO())
        write_whole(path, packed.getvalue())

    def load(self, path: Path) -> None:
        """Resume from what `save` wrote."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.step, self.history = state["step"], state["history"]


def train(
    model: TinyLM,
    text: Tensor,
    plan: Plan,
    checkpoint: Path,
    evaluate: Callable[[TinyLM], list[float]],
) -> History:
    """Train `model` in place, from its checkpoint if there is one; return the history."""
    run = Run(model, _optimizer(model), torch.Generator().manual_seed(plan.seed), 0, [])
    if checkpoint.exists():
        run.load(checkpoint)
    else:
        run.history.append([0, *evaluate(model)])
    while run.step < plan.steps:
        _step(run, batch(text, plan.rows, plan.length, run.generator), plan)
        if run.step % plan.interval == 0 or run.step == plan.steps:
            run.history.append([run.step, *evaluate(model)])
            run.save(checkpoint)
    return run.history


def _optimizer(model: TinyLM) -> torch.optim.Optimizer:
    """Return AdamW with the encoding's own weights in a separate group, which may be empty."""
    encoding = list(model.encoding.parameters())
    own = {id(parameter) for parameter in encoding}
    weights = [parameter for parameter in model.parameters() if id(parameter) not in own]
    return torch.optim.AdamW([{"params": weights}, {"params": encoding}])


def _step(run: Run, windows: Tensor, plan: Plan) -> None:
    rate = plan.rate * (1 + math.cos(math.pi * run.step / plan.steps)) / 2
    for group, factor in zip(run.optimizer.param_groups, (1.0, plan.factor), strict=True):
        group["lr"] = rate * factor
    logits = run.model(windows[:, :-1])  # (rows, length, vocabulary)
    loss = cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
    run.optimizer.zero_grad()
    loss.backward()
    run.optimizer.step()
    run.step += 1
