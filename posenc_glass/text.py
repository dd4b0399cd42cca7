"""The bilingual text, frozen in course.txt.xz: prose of this course; its bytes are the tokens.

Chapter by chapter, each cell in English, then in Chinese, under the licence of the course's texts
(LICENSE-TEXT). The last TEST bytes, from two chapters of their own, are not used for training.
`experiments/glass_text.py` made it.
"""

from __future__ import annotations

import lzma
from importlib import resources
from typing import Literal

import torch
from torch import Tensor

VOCABULARY = 256
TEST = 65536  # bytes
Part = Literal["train", "test"]


def text_part(part: Part) -> Tensor:
    """Return the bytes of a part, (n,) int64 in 0 … 255.

    Raises:
        ValueError: there is no such part.
    """
    if part not in ("train", "test"):
        raise ValueError(f"part must be one of train, test, got {part!r}")
    packed = (resources.files("posenc_glass") / "course.txt.xz").read_bytes()
    tokens = torch.tensor(list(lzma.decompress(packed)))
    return tokens[:-TEST] if part == "train" else tokens[-TEST:]


def windows(tokens: Tensor, length: int) -> Tensor:
    """Return all adjacent windows, (n, length): inputs and the last target."""
    return tokens.unfold(0, length, length)
