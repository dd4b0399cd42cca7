"""Tasks in which only position matters, drawn from a generator.

Rows have any length; ValueError if that is too short for the task.

A row begins with the name of its task, where a head can also look when it has nothing to look for.
`targets` holds the right answer at each token, or `NOTHING`.

| task | a row | asked |
|---|---|---|
| copy | `COPY` and random symbols | the symbol three tokens back |
| induction | `INDUCTION`, noise and a block of 8 to 16 different symbols in turns | the next one |
| lookup | `LOOKUP`, noise, once `MARK` and a symbol, noise with `ASK` in it | that symbol |
| count | `COUNT`, noise with `MARK` in it | how often `MARK` has come, 15 at most |
| sort | `SORT`, noise of 8 symbols, 8 others strewn in it, `ASK` and these | the next of the 8 |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Generator, Tensor

SYMBOLS = 24
MARK, ASK, COPY, INDUCTION, LOOKUP, COUNT = range(SYMBOLS, SYMBOLS + 6)
SORT = COUNT + 1  # added last: models of the other tasks have no row for it
NOTHING = -100  # cross_entropy ignores it
BACK = 3  # how far `copy` looks back
SHORTEST_BLOCK, LONGEST_BLOCK = 8, 16  # of `induction`, in symbols
LONGEST_GAP = 12  # of noise between two turns of the block
MOST = 15  # `count` counts no further
ONE_IN = 8  # on average, one token in 8 is a MARK to count, or an ASK
ITEMS = 8  # listed by `sort`; none is among the first SORT_NOISE symbols
SORT_NOISE = 8


class Rows(NamedTuple):
    """Tokens and the target at each, both (B, L) int64; NOTHING where there is no target."""

    tokens: Tensor
    targets: Tensor


def copy_back(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows whose target is the symbol BACK tokens before."""
    tokens = _noise(rows, length, COPY, generator)
    targets = torch.full_like(tokens, NOTHING)
    targets[:, BACK + 1 :] = tokens[:, 1:-BACK]
    return Rows(tokens, targets)


def induction(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows with a block that repeats, between noise of other symbols.

    From its second turn on, the target is the next symbol of the block. Turns are not equally far
    apart, so no fixed distance leads to the answer.
    """
    order = torch.rand(rows, SYMBOLS, generator=generator).argsort(1)  # different symbols
    size = torch.randint(SHORTEST_BLOCK, LONGEST_BLOCK + 1, (rows, 1), generator=generator)
    turns = length // SHORTEST_BLOCK + 1
    gaps = torch.randint(1, LONGEST_GAP + 1, (rows, turns), generator=generator)
    starts = (size + gaps).cumsum(1) - size  # (B, turns)
    at = torch.arange(length + 1).repeat(rows, 1)
    turn = torch.searchsorted(starts, at, right=True) - 1  # (B, L + 1), -1 before the first
    into = at - starts.gather(1, turn.clamp(min=0))  # place in the block, or behind it
    is_block = (turn >= 0) & (into < size)
    noise = size + (torch.rand(at.shape, generator=generator) * (SYMBOLS - size)).long()
    tokens = order.gather(1, into.where(is_block, noise))
    tokens[:, 0] = INDUCTION
    is_asked = is_block & (turn > 0) & (into < size - 1)
    return Rows(tokens[:, :-1], tokens[:, 1:].where(is_asked[:, :-1], NOTHING))


def lookup(rows: int, length: int, generator: Generator, depth: float | None = None) -> Rows:
    """Return rows with one MARKed symbol, the target of each ASK; the last token is an ASK.

    depth: where MARK stands: 0 right after the task's name, 1 right before its symbol and the last
    ASK; by default drawn for each row. With a depth, only the last token asks: a needle in a
    haystack.
    Raises ValueError for a depth that is not between 0 and 1.
    """
    _require_length(length, 4)  # LOOKUP, MARK, symbol, ASK
    if depth is not None and not 0 <= depth <= 1:
        raise ValueError(f"a depth lies between 0 and 1, got {depth}")
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


def sort(rows: int, length: int, generator: Generator) -> Rows:
    """Return rows that list, after ASK, the ITEMS strewn before it, in the order of positions.

    Every item is a target: the first at ASK, each other one at the item before it.
    """
    _require_length(length, 1 + 2 * ITEMS)
    before = length - ITEMS  # SORT, noise and items
    tokens = torch.randint(SORT_NOISE, (rows, before), generator=generator)
    tokens[:, 0] = SORT
    places = 1 + torch.rand(rows, before - 1, generator=generator).argsort(1)[:, :ITEMS]
    names = torch.rand(rows, SYMBOLS - SORT_NOISE, generator=generator).argsort(1)[:, :ITEMS]
    items = SORT_NOISE + names  # (B, ITEMS), all different
    tokens.scatter_(1, places.sort(1).values, items)
    asking = torch.cat((torch.full((rows, 1), ASK), items[:, :-1]), 1)
    targets = torch.full((rows, before), NOTHING)
    return Rows(torch.cat((tokens, asking), 1), torch.cat((targets, items), 1))


TASKS: dict[str, Callable[[int, int, Generator], Rows]] = {
    "copy": copy_back,
    "induction": induction,
    "lookup": lookup,
    "count": count,
    "sort": sort,
}


def vocabulary(task: str) -> int:
    """Return the vocabulary size of a task's models."""
    return SORT + 1 if task == "sort" else SORT


def _require_length(length: int, least: int) -> None:
    if length < least:
        raise ValueError(f"this task needs rows of at least {least} tokens, got {length}")


def _noise(rows: int, length: int, name: int, generator: Generator) -> Tensor:
    tokens = torch.randint(SYMBOLS, (rows, length), generator=generator)
    tokens[:, 0] = name
    return tokens
