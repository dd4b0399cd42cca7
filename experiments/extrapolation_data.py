"""The text of the laboratory: bytes that every machine has, or a file; a part is held out."""

from __future__ import annotations

import hashlib
import pydoc_data.topics
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

HELD_OUT = 8  # one byte in so many is never trained on: the end of the text


class TextError(ValueError):
    """The text cannot be used; the message says why."""


@dataclass(frozen=True)
class Corpus:
    """Bytes as tokens 0 … vocabulary - 1, `train` and `held_out`, both (n,) int64."""

    name: str
    sha256: str
    vocabulary: int
    train: Tensor
    held_out: Tensor


def corpus(path: Path | None, longest: int) -> Corpus:
    """Return the text of `path`, or else the help topics that come with Python.

    longest: the longest window that will be measured, in bytes.
    Raises:
        TextError: the file cannot be read, or its held-out part is shorter than such a window.
    """
    name, text = _topics() if path is None else _file(path)
    if len(text) // HELD_OUT <= longest:
        least = HELD_OUT * (longest + 1)
        raise TextError(
            f"{name}: {len(text)} bytes are too short for windows of {longest}; "
            f"one byte in {HELD_OUT} is held out, so at least {least} are needed"
        )
    vocabulary, tokens = torch.tensor(list(text)).unique(return_inverse=True)
    border = len(text) - len(text) // HELD_OUT
    digest = hashlib.sha256(text).hexdigest()
    return Corpus(name, digest, len(vocabulary), tokens[:border], tokens[border:])


def _topics() -> tuple[str, bytes]:
    topics = pydoc_data.topics.topics
    return "pydoc_data.topics", "\n".join(topics[name] for name in sorted(topics)).encode()


def _file(path: Path) -> tuple[str, bytes]:
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise TextError(f"{path}: {error.strerror}") from error


def batch(text: Tensor, rows: int, length: int, generator: torch.Generator) -> Tensor:
    """Return windows that start anywhere in the text, (rows, length + 1): inputs and targets."""
    starts = torch.randint(len(text) - length, (rows, 1), generator=generator)
    return text[starts + torch.arange(length + 1)]


def windows(text: Tensor, length: int, stride: int) -> Tensor:
    """Return the windows that start at 0, stride, 2 stride, …, (n, length + 1)."""
    return text.unfold(0, length + 1, stride)
