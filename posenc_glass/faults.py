"""The faults of chapter 12's clinic, each planted in a trained model by its number.

    patient = planted(6)         the model of the text, healthy and broken: the same weights

Three of the 21 are not here: 12 needs an encoder, 13 Transformer-XL, 20 fewer KV heads than heads.
In 18 and 19 the model is right, but the loop that generates gives it wrong positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from posenc_glass import faulty_encodings as faulty
from posenc_glass.encodings import DIM
from posenc_glass.faulty_encodings import HEAD_DIM, OMEGA, Turned, turning
from posenc_glass.models import glass
from posenc_ref import (
    AddedEncoding,
    BiasEncoding,
    DecodingCache,
    Encoding,
    RotaryEncoding,
    TinyLM,
    frequencies,
    ntk_aware,
    position_interpolation,
    sinusoidal,
    with_encoding,
)

STRETCH = 4.0  # of cases 14 and 15, which show only when stretched
Count = Callable[[Sequence[int]], Tensor]  # sizes of pieces -> positions of all their tokens


class Patient(NamedTuple):
    """A model without and with a fault, and how the broken one counts positions.

    name: the healthy model's; cases with the same name share it.
    """

    name: str
    healthy: TinyLM
    broken: TinyLM
    positions: Count


def in_order(sizes: Sequence[int]) -> Tensor:
    """Return 0, 1, 2, …, whatever the pieces."""
    return torch.arange(sum(sizes))


def one_too_far(sizes: Sequence[int]) -> Tensor:
    """Case 18: tokens after the first piece get positions that are too large by 1."""
    at = in_order(sizes)
    return at + (at >= sizes[0])


def number_times_length(sizes: Sequence[int]) -> Tensor:
    """Case 19: a piece begins at its index times its own length."""
    return torch.cat([n * size + torch.arange(size) for n, size in enumerate(sizes)])


EXPONENT = torch.arange(0, DIM, 2, dtype=torch.float64) / DIM
TABLES = {
    1: faulty.table(10000.0**EXPONENT),
    2: faulty.table(10000.0 ** -EXPONENT.floor()),
    3: AddedEncoding(partial(sinusoidal, dim=DIM, layout="concatenated"), scale=DIM**0.5),
    4: faulty.CountedAlongTheBatch(partial(sinusoidal, dim=DIM), scale=DIM**0.5),
}
ROTATIONS: dict[int, Encoding] = {
    5: Turned(turning(), turning(layout="interleaved")),
    6: Turned(turning(-OMEGA)),
    7: Turned(faulty.by_head),
    8: Turned(turning(frequencies(DIM)[: HEAD_DIM // 2])),
    9: Turned(faulty.in_place),
    14: Turned(turning(frequencies(HEAD_DIM, base=10000.0 * STRETCH))),
    15: Turned(turning(OMEGA / STRETCH**2)),
    16: Turned(faulty.rounded_positions),
    17: Turned(turning(OMEGA.bfloat16().double())),
}
BIASES = {10: faulty.slopes_from_0, 21: faulty.rows_from_the_top}
STRETCHED = {14: ntk_aware(HEAD_DIM, STRETCH), 15: position_interpolation(HEAD_DIM, STRETCH)}
COUNTS: dict[int, Count] = {18: one_too_far, 19: number_times_length}
CASES = sorted((*TABLES, *ROTATIONS, *BIASES, 11, *COUNTS))


def planted(number: int) -> Patient:
    """Return the trained model of the text for that case, healthy and broken.

    Raises:
        ValueError: the case is not one of CASES.
    """
    if number not in CASES:
        raise ValueError(f"case must be one of {CASES}, got {number}")
    if number in TABLES:
        model = glass("text", "sinusoidal")
        return Patient("sinusoidal", model, with_encoding(model, TABLES[number]), in_order)
    if number in BIASES:
        model = glass("text", "alibi")
        broken = with_encoding(model, BiasEncoding(BIASES[number]))
        return Patient("alibi", model, broken, in_order)
    if number == 11:
        model = glass("text", "t5")
        broken = faulty.without_exact_buckets(model.encoding.bias)
        return Patient("t5", model, with_encoding(model, broken), in_order)
    name, model = "rope", glass("text", "rope")
    if number in COUNTS:
        return Patient(name, model, model, COUNTS[number])
    if number in STRETCHED:
        name = f"{name}, stretched as in case {number}"
        model = with_encoding(model, RotaryEncoding(*STRETCHED[number]))
    return Patient(name, model, with_encoding(model, ROTATIONS[number]), in_order)


def read(model: TinyLM, tokens: Tensor, sizes: Sequence[int], count: Count = in_order) -> Tensor:
    """Return the logits (B, L, V) of tokens (B, L) read in pieces of these sizes, with a cache."""
    cache, sizes = DecodingCache(len(model.blocks)), list(sizes)
    pieces = zip(tokens.split(sizes, 1), count(sizes).split(sizes), strict=True)
    return torch.cat([model(piece, at, cache) for piece, at in pieces], 1)
