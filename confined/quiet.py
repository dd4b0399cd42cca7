"""Keeps what a function says away from the cell: nbgrader gives 0 points for a word on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator

PRINTED = 2_000  # characters of a learner's own prints that are shown


class Said(io.StringIO):
    """What was printed, its beginning only: an endless loop may print for ten seconds."""

    def write(self, text: str) -> int:
        """Keep `text` up to one character more than is shown."""
        room = PRINTED + 1 - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)


@contextlib.contextmanager
def quiet() -> Iterator[Said]:
    """Catch prints and errors in the block, and drop warnings, of Python and of compiled code."""
    said = Said()
    with (
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        warnings.catch_warnings(),
        _quiet_descriptor(),
    ):
        warnings.simplefilter("ignore")
        yield said


@contextlib.contextmanager
def _quiet_descriptor() -> Iterator[None]:
    # torch's C++ code writes to file descriptor 2, past sys.stderr
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
