"""Tasks in which position is all that matters, drawn from a generator, of any length.

A row begins with the name of its task, which is also a place to look at when there is nothing to
look for. `targets` say what follows or what is asked, `NOTHING` where nothing is.

| task | a row | asked |
|---|---|---|
| copy | `COPY` and random symbols | the symbol three tokens back |
| induction | `INDUCTION`, noise and a block of 8 to 16 different symbols in turns | the next one |
| lookup | `LOOKUP`, noise, once `MARK` and a symbol, noise with `ASK` in it | that symbol |
| count | `COUNT`, noise with `MARK` in it | how often `MARK` has come, 15 at most |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Generator, Tensor

SYMBOLS = 24
MARK, ASK, COPY, INDUCTION, LOOKUP, COUNT = range(SYMBOLS, SYMBOLS + 6)
VOCABULARY = SYMBOLS + 6
NOTHING = -100  # what cross_entropy leaves out
BACK = 3  # how far `copy` looks back
SHORTEST_BLOCK, LONGEST_BLOCK = 8, 16  # of `induction`, in symbols
LONGEST_GAP = 12  # of noise between two turns of the block
MOST = 15  # that `count` counts
ONE_IN = 8  # tokens is a MARK to count, or an ASK


class Rows(NamedTuple):
    """Tokens and what is asked at each, both (B, L) int64; NOTHING where nothing is."""

    tokens: Tensor
    targets: Tensor


def copy_back(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows whose target is the symbol BACK tokens before."""
    tokens = _noise(rows, length, COPY, generator)
    targets = torch.full_like(tokens, NOTHING)
    targets[:, BACK + 1 :] = tokens[:, 1:-BACK]
    return Rows(tokens, targets)


def induction(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows with a block that comes again and again, between noise of other symbols.

    From its second turn on the next symbol of the block is asked. Turns are not equally far apart,
    so no fixed distance leads to the answer.
    """
    order = torch.rand(rows, SYMBOLS, generator=generator).argsort(1)  # different symbols
    size = torch.randint(SHORTEST_BLOCK, LONGEST_BLOCK + 1, (rows, 1), generator=generator)
    turns = length // SHORTEST_BLOCK + 1
    gaps = torch.randint(1, LONGEST_GAP + 1, (rows, turns), generator=generator)
    starts = (size + gaps).cumsum(1) - size  # (B, turns)
    at = torch.arange(length + 1).repeat(rows, 1)
    turn = torch.searchsorted(starts, at, right=True) - 1  # (B, L + 1), -1 before the first
    into = at - starts.gather(1, turn.clamp(min=0))  # the block, or behind it
    is_block = (turn >= 0) & (into < size)
    noise = size + (torch.rand(at.shape, generator=generator) * (SYMBOLS - size)).long()
    tokens = order.gather(1, into.where(is_block, noise))
    tokens[:, 0] = INDUCTION
    is_asked = is_block & (turn > 0) & (into < size - 1)
    return Rows(tokens[:, :-1], tokens[:, 1:].where(is_asked[:, :-1], NOTHING))


def lookup(rows: int, length: int, generator: Generator, depth: float | None = None) -> Rows:
    """Return rows with one MARKed symbol; each ASK, the last token one of them, asks for it.

    depth: where MARK stands, 0 right behind the task's name, 1 right before the last ASK; drawn for
    each row by default. With a depth, the last token alone asks: a needle in a haystack.
    """
    tokens = _noise(rows, length, LOOKUP, generator)
    asks = torch.rand(rows, length, generator=generator) < 1 / ONE_IN
    latest = length - 3  # MARK, symbol, ASK
    share = torch.rand(rows, 1, generator=generator)
    share = share if depth is None else torch.full_like(share, depth)
    mark = 1 + (share * (latest - 1)).round().long()  # (B, 1)
    asks &= (torch.arange(length) > mark + 1) & (depth is None)
    asks[:, -1] = True
    value = tokens.gather(1, mark + 1)
    tokens = tokens.masked_fill(asks, ASK).scatter(1, mark, MARK)
    return Rows(tokens, value.expand(-1, length).where(asks, NOTHING))


def count(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows whose target is the number of MARKs so far, MOST at most."""
    tokens = _noise(rows, length, COUNT, generator)
    marks = torch.rand(rows, length, generator=generator) < 1 / ONE_IN
    marks[:, 0] = False
    tokens = tokens.masked_fill(marks, MARK)
    targets = marks.long().cumsum(1).clamp(max=MOST)
    targets[:, 0] = NOTHING
    return Rows(tokens, targets)


TASKS: dict[str, Callable[[int, int, Generator], Rows]] = {
    "copy": copy_back,
    "induction": induction,
    "lookup": lookup,
    "count": count,
}


def _noise(rows: int, length: int, name: int, generator: Generator) -> Tensor:
    tokens = torch.randint(SYMBOLS, (rows, length), generator=generator)
    tokens[:, 0] = name
    return tokens
