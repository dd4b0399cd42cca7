"""Ablation: a copy of a trained decoder without one part, to see what the part was for.

A head is silenced where its output enters the sum (zero ablation). A rotary pair can lose two
things: its turning, so that it compares only content, or its channels, so that it scores nothing.

Nothing is hooked into the model: each function copies it and changes the copy's weights or its
frequencies, so what is left runs, decodes and trains like any other.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_ref.decoder_block import DecoderBlock
from posenc_ref.encoding import Encoding
from posenc_ref.encoding_rotary import RotaryEncoding
from posenc_ref.scalars import require_integers
from posenc_ref.tiny_lm import TinyLM


def without_head(model: TinyLM, layer: int, head: int) -> TinyLM:
    """Return a copy in which this head of this layer, both counted from 0, adds nothing.

        W_o (d, H·D): columns head · D … (head + 1) · D - 1 = 0

    Source: none, plumbing; Michel et al. 2019, whose mask is 0 for the head.
    Raises:
        TypeError: a number is not an integer.
        ValueError: the model has no such layer or head.
    Example:
        >>> from posenc_ref import TinyLM, without_head
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=1)
        >>> without_head(model, layer=0, head=1).blocks[0].out.weight[0, 4:].tolist()
        [0.0, 0.0, 0.0, 0.0]
    """
    changed = copy.deepcopy(model)
    block = _block(changed, layer)
    with torch.no_grad():
        block.out.weight[:, _channels_of(block, head)] = 0.0
    return changed


def without_turning(model: TinyLM, pairs: Sequence[int]) -> TinyLM:
    """Return a copy in which these rotary pairs, 0 the fastest, stand still in all layers.

        ω (D/2,): ω_i = 0 for i in pairs, whose part of q·k compares content alone

    Source: none, an experiment of this course.
    Raises:
        TypeError: a number is not an integer; the model has no rotary encoding.
        ValueError: there is no such pair.
    Example:
        >>> from posenc_ref import TinyLM, without_turning
        >>> model = TinyLM(vocabulary=10, dim=16, heads=2, layers=1)
        >>> without_turning(model, [0, 3]).encoding.frequencies.tolist()
        [0.0, 0.1, 0.01, 0.0]
    """
    changed = copy.deepcopy(model)
    rotary = [part for part in changed.encoding.modules() if isinstance(part, RotaryEncoding)]
    if not rotary:
        raise TypeError(f"encoding must be rotary, got {type(model.encoding).__name__}")
    for encoding in rotary:
        still = _pairs_of(encoding, pairs)
        encoding.frequencies = encoding.frequencies.index_fill(0, still, 0.0)
    return changed


def without_pairs(model: TinyLM, pairs: Sequence[int], *, layer: int, head: int) -> TinyLM:
    """Return a copy in which these rotary pairs of one head's queries are 0: they score nothing.

        W_q (H·D, d): rows of both channels of each pair = 0

    Source: none, an experiment of this course.
    Raises:
        TypeError, ValueError: as `without_turning` and `without_head`.
    Example:
        >>> from posenc_ref import TinyLM, without_pairs
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=1)
        >>> changed = without_pairs(model, [1], layer=0, head=0)
        >>> changed.blocks[0].q.weight.any(dim=1).tolist()
        [True, False, True, False, True, True, True, True]
    """
    changed = copy.deepcopy(model)
    block = _block(changed, layer)
    first = _channels_of(block, head).start
    encoding = changed.encoding.of_layer(layer)
    if not isinstance(encoding, RotaryEncoding):
        raise TypeError(f"layer {layer} must be rotary, got {type(encoding).__name__}")
    at, half = _pairs_of(encoding, pairs), len(encoding.frequencies)
    rows = torch.cat((at, at + half) if encoding.layout == "half" else (2 * at, 2 * at + 1))
    with torch.no_grad():
        block.q.weight[first + rows] = 0.0
    return changed


def with_encoding(model: TinyLM, encoding: Encoding) -> TinyLM:
    """Return a copy with the same weights and another encoding: none, a scaled one, a faulty one.

        logits (B, L, V) = model with `encoding` in place of its own

    Encoding() removes a bias. The weights of the old encoding itself are lost.

    Source: none, plumbing.
    Raises:
        TypeError: encoding is not an Encoding.
    Example:
        >>> from posenc_ref import Encoding, TinyLM, with_encoding
        >>> model = TinyLM(vocabulary=10, dim=8, heads=2, layers=1, encoding="alibi")
        >>> type(with_encoding(model, Encoding()).encoding).__name__
        'Encoding'
    """
    if not isinstance(encoding, Encoding):
        raise TypeError(f"encoding must be an Encoding, got {type(encoding).__name__}")
    changed = copy.deepcopy(model)
    changed.encoding = encoding
    return changed


def _block(model: TinyLM, layer: int) -> DecoderBlock:
    require_integers(layer=layer)
    if not 0 <= layer < len(model.blocks):
        raise ValueError(f"layer must be 0 … {len(model.blocks) - 1}, got {layer}")
    return model.blocks[layer]


def _channels_of(block: DecoderBlock, head: int) -> slice:
    require_integers(head=head)
    heads = block.out.in_features // block.head_dim
    if not 0 <= head < heads:
        raise ValueError(f"head must be 0 … {heads - 1}, got {head}")
    return slice(head * block.head_dim, (head + 1) * block.head_dim)


def _pairs_of(encoding: RotaryEncoding, pairs: Sequence[int]) -> Tensor:
    count = len(encoding.frequencies)
    for pair in pairs:
        require_integers(pair=pair)
        if not 0 <= pair < count:
            raise ValueError(f"pair must be 0 … {count - 1}, got {pair}")
    return torch.tensor(list(pairs), dtype=torch.long, device=encoding.frequencies.device)
