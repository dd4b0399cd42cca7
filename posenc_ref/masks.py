"""Masks besides causality: a local window with sinks, and documents packed into one row.

    window:     k - q > -window, or k < sinks        (by position; & with causal_mask)
    documents:  document of q = document of k

True = may attend, as everywhere. The window counts the query itself, as `sliding_window` of Hugging
Face transformers does: with `window=1` it sees only itself. (Mistral's paper: from i - W to i, one
more.) Llama 4's local layers have chunks instead: a document mask over `positions // chunk`.

A token of a packed row stands at a position counted in its own document
(`positions_from_documents`), so positions repeat, and a mask by position alone lets documents read
each other: later ones too.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_ref.positions import relative_positions
from posenc_ref.scalars import require_integers
from posenc_ref.tensors import require_tensors


def window_mask(q_positions: Tensor, k_positions: Tensor, *, window: int, sinks: int = 0) -> Tensor:
    """Return True at keys less than `window` before the query, and at positions below `sinks`.

        mask[i, j] = (k_j - q_i > -window) or (k_j < sinks)

    (Lq,), (Lk,) → (Lq, Lk), boolean; with a batch (B, Lq), (B, Lk) → (B, Lq, Lk). Keys after the
    query are not hidden: `&` it with `causal_mask`.

    Source: Beltagy et al. 2020, §3.1 (window); Xiao et al. 2024, §3.2 (sinks), as a mask;
    `sliding_window_overlay` in Hugging Face transformers.
    Raises:
        TypeError: window or sinks is not an integer; as `relative_positions`.
        ValueError: window is not positive, sinks negative; as `relative_positions`.
    Example:
        >>> from posenc_ref import positions, window_mask
        >>> window_mask(positions(1, start=4), positions(5), window=2, sinks=1).tolist()
        [[True, False, False, True, True]]
    """
    require_integers(window=window, sinks=sinks)
    if window < 1 or sinks < 0:
        raise ValueError(f"window must be positive, sinks at least 0, got {window} and {sinks}")
    near = relative_positions(q_positions, k_positions) > -window
    return near | (k_positions < sinks)[..., None, :]


def document_mask(q_documents: Tensor, k_documents: Tensor) -> Tensor:
    """Return True where query and key are of one document.

        mask[i, j] = (k_document_j = q_document_i)

    (Lq,), (Lk,) → (Lq, Lk), boolean; with a batch (B, Lq), (B, Lk) → (B, Lq, Lk). Documents are
    numbered by any integers.

    Source: Krell et al. 2021; `packed_sequence_mask_function` in Hugging Face transformers.
    Raises:
        TypeError: documents are not tensors of integers.
        ValueError: as `relative_positions`.
    Example:
        >>> from posenc_ref import document_mask
        >>> documents = torch.tensor([0, 0, 1])
        >>> document_mask(documents, documents).int().tolist()
        [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    require_documents(q_documents)
    require_documents(k_documents)
    return relative_positions(q_documents, k_documents) == 0


def positions_from_documents(documents: Tensor) -> Tensor:
    """Return where each token stands in its own document: documents (L,) or (B, L), alike, int64.

        p[l] = Σ_{t<l} (document[t] = document[l])

    Source: none for documents in pieces, which are counted on; else Krell et al. 2021.
    Raises:
        TypeError: documents are not a tensor of integers.
        ValueError: documents are not (L,) or (B, L).
    Example:
        >>> from posenc_ref import positions_from_documents
        >>> positions_from_documents(torch.tensor([7, 7, 7, 2, 2])).tolist()
        [0, 1, 2, 0, 1]
    """
    require_documents(documents)
    if documents.dim() not in (1, 2):
        raise ValueError(f"documents must be (L,) or (B, L), got {tuple(documents.shape)}")
    return document_mask(documents, documents).tril(-1).sum(-1)


def require_documents(documents: Tensor) -> None:
    """Raise a TypeError unless it is a tensor of integers.

    Raises:
        TypeError: not a tensor; of floats, complex numbers or booleans.
    """
    require_tensors(documents=documents)
    kind = documents.dtype
    if kind.is_floating_point or kind.is_complex or kind == torch.bool:
        raise TypeError(f"documents must be integers, got {kind}")
