"""One training run of a model under glass, which can be stopped and resumed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from experiments.extrapolation_data import batch, windows
from experiments.extrapolation_train import Run
from posenc_glass import NOTHING, TASKS, Rows, text_part, untrained
from posenc_glass.models import trained_length
from posenc_ref import TinyLM

TEST_SEED = 10_000  # of the rows that a task is tested on
TEST_ROWS = 256


@dataclass(frozen=True)
class Recipe:
    """All that a run depends on, besides the code: the rows follow from the seed."""

    subject: str  # a task, or "text"
    encoding: str
    seed: int
    steps: int
    rows: int  # in a batch
    rate: float = 0.005  # of AdamW at its highest; a cosine falls to 0
    warmup: int = 50  # steps from 0 to the rate

    @property
    def name(self) -> str:
        """The name of its weights and of its entry in recipes.json, the same for all seeds."""
        return f"{self.subject}-{self.encoding}"

    @property
    def hash(self) -> str:
        """The SHA-256 of the recipe; it covers the text if that is the subject."""
        parts = asdict(self) | {"length": trained_length(self.subject)}
        if self.subject == "text":
            parts["text"] = hashlib.sha256(bytes(text_part("train").tolist())).hexdigest()
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def rows_of(recipe: Recipe) -> Callable[[Generator], Rows]:
    """Return a function that draws a batch."""
    length = trained_length(recipe.subject)
    if recipe.subject in TASKS:
        return lambda generator: TASKS[recipe.subject](recipe.rows, length, generator)
    tokens = text_part("train")

    def drawn(generator: Generator) -> Rows:
        window = batch(tokens, recipe.rows, length, generator)
        return Rows(window[:, :-1], window[:, 1:])

    return drawn


def held_out(subject: str) -> Rows:
    """Return the rows that all models of a subject are tested on."""
    length = trained_length(subject)
    if subject in TASKS:
        return TASKS[subject](TEST_ROWS, length, Generator().manual_seed(TEST_SEED))
    window = windows(text_part("test"), length, length)
    return Rows(window[:, :-1], window[:, 1:])


def loss(model: TinyLM, rows: Rows) -> Tensor:
    """Return the mean loss over all targets, in nats."""
    logits = model(rows.tokens).flatten(0, 1)
    return cross_entropy(logits, rows.targets.flatten(), ignore_index=NOTHING)


@torch.no_grad()
def measured(model: TinyLM, subject: str) -> dict[str, float]:
    """Return loss and accuracy on the test rows."""
    rows = held_out(subject)
    is_question = rows.targets != NOTHING
    right = (model(rows.tokens).argmax(-1) == rows.targets)[is_question]
    values = {"loss": loss(model, rows).item(), "accuracy": right.float().mean().item()}
    return {name: round(value, 4) for name, value in values.items()}


def train(
    recipe: Recipe, checkpoint: Path, report: Callable[[str], None], interval: int = 100
) -> TinyLM:
    """Return the trained model; from its checkpoint, if there is one.

    interval: steps between two checkpoints, each followed by a report.
    """
    model, draw = untrained(recipe.subject, recipe.encoding, recipe.seed), rows_of(recipe)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98))
    run = Run(model, optimizer, Generator().manual_seed(recipe.seed), 0, [])
    if checkpoint.exists():
        run.load(checkpoint)
    while run.step < recipe.steps:
        value = _step(run, draw(run.generator), recipe)
        if run.step % interval == 0 or run.step == recipe.steps:
            run.save(checkpoint)
            report(f"seed {recipe.seed} {recipe.name} {run.step}/{recipe.steps}: {value:.3f}")
    return model


def _step(run: Run, rows: Rows, recipe: Recipe) -> float:
    rising = min(1.0, (run.step + 1) / recipe.warmup)
    falling = (1 + math.cos(math.pi * run.step / recipe.steps)) / 2
    for group in run.optimizer.param_groups:
        group["lr"] = recipe.rate * rising * falling
    value = loss(run.model, rows)
    run.optimizer.zero_grad()
    value.backward()
    run.optimizer.step()
    run.step += 1
    return value.item()
