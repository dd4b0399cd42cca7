"""Measurements of a model under glass: where its heads look, and its loss at each target."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from posenc_glass.tasks import NOTHING, Rows, lookup
from posenc_ref import AttentionRecord, DecodingCache, TinyLM

PIECE = 128  # tokens read at once
SCORES = 2**18  # of a head, computed at once: more at once is slower


@torch.no_grad()
def attention_of(model: TinyLM, tokens: Tensor) -> list[Tensor]:
    """Return the attention weights of each layer, (B, H, L, L)."""
    record: list[AttentionRecord] = []
    model(tokens, record=record)
    return [layer.weights for layer in record]


def one_back(weights: Tensor) -> Tensor:
    """Return each head's mean weight on the previous key, (B, H, L, L) → (H,)."""
    return weights.diagonal(-1, -2, -1).mean((0, -1))


def after_the_same(weights: Tensor, tokens: Tensor) -> Tensor:
    """Return each head's mean weight on the key after the query token's last occurrence, (H,).

    The mean is over queries (B, L) whose token has occurred before.
    """
    same = (tokens[:, :, None] == tokens[:, None]).tril(-1)  # (B, L, L), query by key
    key = (same * torch.arange(1, tokens.shape[1] + 1)).amax(-1)  # 0 if there is none
    picked = weights.gather(-1, key[:, None, :, None].expand(*weights.shape[:3], 1))[..., 0]
    return picked.transpose(0, 1)[:, key > 0].mean(-1)


@torch.no_grad()
def losses(model: TinyLM, rows: Rows) -> Tensor:
    """Return the loss of each target in nats, (B, L); NaN where there is no target."""
    values = cross_entropy(_logits(model, rows.tokens).mT, rows.targets, reduction="none")
    return values.where(rows.targets != NOTHING, torch.nan)


def text_rows(tokens: Tensor, length: int, count: int) -> Rows:
    """Return the first `count` windows of a text: each byte's target is the next one."""
    window = tokens.unfold(0, length + 1, length)[:count]
    return Rows(window[:, :-1], window[:, 1:])


@torch.no_grad()
def needles_found(model: TinyLM, length: int, depths: Sequence[float], rows: int) -> Tensor:
    """Return the share of needles that the model finds at each depth, (len(depths),)."""
    generator = Generator().manual_seed(length)
    parts = [lookup(rows, length, generator, depth=depth) for depth in depths]
    answers = _logits(model, torch.cat([part.tokens for part in parts]))[:, -1].argmax(-1)
    right = answers == torch.cat([part.targets[:, -1] for part in parts])
    return right.view(len(depths), rows).float().mean(1)


def _logits(model: TinyLM, tokens: Tensor) -> Tensor:
    """Return the logits (B, L, V), read in pieces, to save the scores with far later keys."""
    rows = max(1, SCORES // (PIECE * tokens.shape[1]))
    return torch.cat([_read_in_pieces(model, part) for part in tokens.split(rows)])


def _read_in_pieces(model: TinyLM, tokens: Tensor) -> Tensor:
    cache = DecodingCache(len(model.blocks))
    return torch.cat([model(piece, cache=cache) for piece in tokens.split(PIECE, dim=1)], dim=1)
