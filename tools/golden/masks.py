"""What transformers masks besides the future: windows, chunks, packed documents.

__main__.py says how to run this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from transformers import LlamaConfig
from transformers.masking_utils import (
    create_causal_mask,
    create_chunked_causal_mask,
    create_sliding_window_causal_mask,
)


def _config(**fields: int) -> LlamaConfig:
    return LlamaConfig(hidden_size=4, num_attention_heads=1, attn_implementation="sdpa", **fields)


def _arguments(positions: list[list[int]]) -> dict[str, Any]:
    """Return what every mask is made from: no padding, no cache."""
    return {
        "inputs_embeds": torch.zeros(len(positions), len(positions[0]), 4),
        "attention_mask": None,
        "past_key_values": None,
        "position_ids": torch.tensor(positions),
        "allow_is_causal_skip": False,
    }


def mask_window() -> Iterator[dict[str, Any]]:
    """Causal and less than `window` back; true = may attend."""
    for length, window in ((6, 1), (7, 3), (5, 9)):
        mask = create_sliding_window_causal_mask(
            config=_config(sliding_window=window), **_arguments([list(range(length))])
        )
        yield {"length": length, "window": window, "values": mask[0, 0].int().tolist()}


def mask_chunks() -> Iterator[dict[str, Any]]:
    """Causal and within one chunk of positions, as in Llama 4; true = may attend."""
    for length, chunk in ((7, 3), (4, 1), (5, 8)):
        mask = create_chunked_causal_mask(
            config=_config(attention_chunk_size=chunk), **_arguments([list(range(length))])
        )
        yield {"length": length, "chunk": chunk, "values": mask[0, 0].int().tolist()}


def mask_documents() -> Iterator[dict[str, Any]]:
    """Packed rows, whose documents transformers reads off positions that start again."""
    for positions in (
        [[0, 1, 2, 0, 1], [0, 1, 2, 3, 0]],
        [[0, 0, 0, 1, 2, 0, 1]],
    ):
        mask = create_causal_mask(config=_config(), **_arguments(positions))
        yield {"positions": positions, "values": mask[:, 0].int().tolist()}


GOLDENS = [  # library, call, cases
    (
        "transformers",
        "create_sliding_window_causal_mask(config, x, None, None, positions)",
        mask_window,
    ),
    ("transformers", "create_chunked_causal_mask(config, x, None, None, positions)", mask_chunks),
    ("transformers", "create_causal_mask(config, x, None, None, positions)", mask_documents),
]
