"""A disk that is full: no file that is written can be kept."""

import errno
import os

import pytest


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", no_space)


def no_space(*arguments: object) -> None:
    """Raise what any call raises there."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
