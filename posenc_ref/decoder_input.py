"""What a decoder is given: tokens (B, L), where they stand, and which of them are padding."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.decoding_cache import DecodingCache
from posenc_ref.kv_cache import next_positions
from posenc_ref.masks import positions_from_documents, require_documents
from posenc_ref.positions import checked_positions, positions_from_mask
from posenc_ref.tensors import require_tensors


def decoder_positions(
    tokens: Tensor,
    positions: Tensor | None,
    cache: DecodingCache | None,
    visible: Tensor | None,
    documents: Tensor | None = None,
) -> Tensor:
    """Return the positions of tokens (B, L), (L,) or (B, L): as given, or computed.

    Without positions: after those of a filled cache, or counted in each document, or by visible, or
    0, 1, 2, …

    Raises:
        ValueError: visible comes with a filled cache, and positions do not.
    """
    batch, length = tokens.shape
    if positions is not None:
        shared = positions.dim() == 2 and len(positions) == 1  # (1, L): the same for all rows
        return positions[0] if shared else positions
    if cache is not None and cache.layers[0] is not None:
        if visible is not None:
            raise ValueError("visible behind a filled cache needs positions")
        return next_positions(cache.layers[0], batch, length)
    if documents is not None:
        return positions_from_documents(documents)
    if visible is not None:
        return positions_from_mask(visible)
    return torch.arange(length, device=tokens.device)


def require_decoder_input(tokens: Tensor, positions: Tensor | None, visible: Tensor | None) -> None:
    """Raise an error that names the input of a decoder that does not fit.

    Raises:
        TypeError: one is not a tensor; tokens are not integers, visible is not boolean.
        ValueError: the shapes disagree.
    """
    require_tensors(tokens=tokens)
    shape = tokens.shape
    if tokens.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"tokens must be int64 or int32, got {tokens.dtype}")
    if len(shape) != 2:
        raise ValueError(f"tokens must be (B, L), got {tuple(shape)}")
    fitting = (shape, shape[1:], (1, *shape[1:]))
    if positions is not None and checked_positions(positions).shape not in fitting:
        both = f"{tuple(shape)} and {tuple(positions.shape)}"
        raise ValueError(f"tokens (B, L) and positions disagree: {both}")
    if visible is None:
        return
    require_tensors(visible=visible)
    if visible.dtype != torch.bool:
        raise TypeError(f"visible must be boolean, true at tokens, got {visible.dtype}")
    if visible.shape != shape:
        both = f"{tuple(shape)} and {tuple(visible.shape)}"
        raise ValueError(f"tokens (B, L) and visible disagree: {both}")


def require_packed(tokens: Tensor, cache: DecodingCache | None, documents: Tensor) -> None:
    """Raise an error unless documents fit tokens (B, L), read at once.

    Raises:
        TypeError: documents are not a tensor of integers.
        ValueError: they are not (L,) or (B, L), or come with a cache, which would mix them later.
    """
    require_documents(documents)
    if documents.shape not in (tokens.shape, tokens.shape[1:]):
        both = f"{tuple(tokens.shape)} and {tuple(documents.shape)}"
        raise ValueError(f"tokens (B, L) and documents (L,) or (B, L) disagree: {both}")
    if cache is not None:
        raise ValueError("documents are packed for one pass; a cache keeps one text for each row")
