"""Programs that smallest_test compares: a model of two lines, and what spoils its logits."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Program = Callable[[Tensor], Tensor]  # tokens (B, L) → logits (B, L, V)
Spoil = Callable[[Tensor], Tensor]  # logits → logits with a fault
KINDS, VOCABULARY = 30, 12  # of tokens; of logits


def model(rng: torch.Generator, scale: float = 1.0, peak: float = 8.0) -> Program:
    """Return a program whose logits depend on the tokens so far; entry 0 is the largest by far."""
    table = torch.randn(KINDS, VOCABULARY, generator=rng)
    table[:, 0] = peak
    return lambda tokens: scale * table[tokens].cumsum(1)


def reaching(start: int, right: Program, spoil: Spoil) -> Program:
    """Return a program whose logits are spoiled as soon as a text reaches position `start`."""
    return lambda tokens: spoil(right(tokens)) if tokens.shape[1] > start else right(tokens)


def with_number(
    *, row: int, at: int, entry: int, value: float | None = None, share: float = 0.0
) -> Spoil:
    """Return what puts a number, or adds a share of the largest, at one row, position, entry."""

    def spoil(logits: Tensor) -> Tensor:
        largest = logits[logits.isfinite()].abs().max()
        old = logits[row, at, entry]
        logits[row, at, entry] = old + share * largest if value is None else value
        return logits

    return spoil


def then(first: Spoil, second: Spoil) -> Spoil:
    """Return what does both."""
    return lambda x: second(first(x))


def raising(error: Exception) -> Spoil:
    """Return what raises this error."""

    def spoil(logits: Tensor) -> Tensor:
        raise error

    return spoil


def negated(spoil: Spoil) -> Spoil:
    """Return what does the same, with the opposite infinity."""

    def opposite(logits: Tensor) -> Tensor:
        spoiled = spoil(logits)
        return spoiled.where(spoiled.isfinite(), -spoiled)

    return opposite


def counted(program: Program, runs: list[int], longest: int) -> Program:
    """Return a program that counts how often it runs, and runs on no case behind the answer."""

    def run(tokens: Tensor) -> Tensor:
        if tokens.shape[1] > longest:
            raise RuntimeError("this case comes after the one to return: do not run it")
        runs.append(tokens.shape[1])
        return program(tokens)

    return run
