"""The text of the laboratory, frozen in `shakespeare.txt.xz`: its bytes are the tokens.

40000 lines of Shakespeare's plays, in the public domain: `data/tinyshakespeare/input.txt` of
https://github.com/karpathy/char-rnn at commit 6f9487a. The first eight tenths are for training, the
ninth (validation) chooses learning rates, the last (test) is used for measuring only.
"""

from __future__ import annotations

import hashlib
import lzma
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

PATH = Path(__file__).parent / "shakespeare.txt.xz"


@dataclass(frozen=True)
class Corpus:
    """Bytes as tokens 0 … vocabulary - 1; train, validation and test are (n,) int64."""

    sha256: str
    vocabulary: int
    train: Tensor
    validation: Tensor
    test: Tensor


def corpus() -> Corpus:
    """Return the frozen text."""
    text = lzma.decompress(PATH.read_bytes())
    symbols, tokens = torch.tensor(list(text)).unique(return_inverse=True)
    tenth = len(text) // 10
    sizes = [len(text) - 2 * tenth, tenth, tenth]
    return Corpus(hashlib.sha256(text).hexdigest(), len(symbols), *tokens.split(sizes))


def batch(text: Tensor, rows: int, length: int, generator: torch.Generator) -> Tensor:
    """Return windows that start anywhere in the text, (rows, length + 1): inputs and targets."""
    starts = torch.randint(len(text) - length, (rows, 1), generator=generator)
    return text[starts + torch.arange(length + 1)]


def windows(text: Tensor, length: int, stride: int) -> Tensor:
    """Return the windows that start at 0, stride, 2 stride, …, (n, length + 1)."""
    return text.unfold(0, length + 1, stride)
