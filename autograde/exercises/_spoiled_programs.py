"""Programs that smallest_test compares: a model of two lines, and what spoils its logits."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from autograde.kit.callback import INTEGERS, Callback, Intended, has_axes
from bilingual import Text

Program = Callable[[Tensor], Tensor]  # tokens (B, L) → logits (B, L, V)
Spoil = Callable[[Tensor], Tensor]  # logits → logits with a fault
KINDS, VOCABULARY = 30, 12  # of tokens; of logits
NEEDS = Text(
    en="right(tokens) and broken(tokens) take one of `cases`, an integer tensor (B, L)",
    zh="right(tokens)和broken(tokens)的参数是`cases`中的一个用例，整数张量(B, L)",
)


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
    """Return what raises this error, for an answer to meet."""

    def spoil(logits: Tensor) -> Tensor:
        raise Intended(error)

    return spoil


def negated(spoil: Spoil) -> Spoil:
    """Return what does the same, with the opposite infinity."""

    def opposite(logits: Tensor) -> Tensor:
        spoiled = spoil(logits)
        return spoiled.where(spoiled.isfinite(), -spoiled)

    return opposite


def counted(program: Program, runs: list[int]) -> Program:
    """Return a program that notes how long the case is, whenever it runs.

    It runs on any case: an answer that is refused one would learn where to stop.
    """

    def run(tokens: Tensor) -> Tensor:
        runs.append(tokens.shape[1])
        return program(tokens)

    return run


def callback(program: Program, cases: list[Tensor]) -> Callback:
    """Return a program as an answer gets it: it takes texts with the rows and tokens of cases."""

    def arguments(tokens: Tensor) -> tuple[Tensor]:
        if not has_axes(tokens, 2, INTEGERS) or len(tokens) != len(cases[0]):
            raise TypeError
        lowest, highest = map(int, tokens.aminmax())
        if lowest < 0 or highest >= KINDS:
            raise TypeError
        return (tokens,)

    return Callback(program, NEEDS, arguments)
