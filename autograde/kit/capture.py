"""Keeps prints out of the cell's output: nbgrader gives 0 points if anything is on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator

PRINTED = 2_000  # characters of a learner's own prints that are shown


class Captured(io.StringIO):
    """The beginning of what was printed: an endless loop may print for ten seconds."""

    def write(self, text: str) -> int:
        """Keep at most one character more than is shown."""
        room = PRINTED + 1 - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)


@contextlib.contextmanager
def capture() -> Iterator[Captured]:
    """Catch stdout and stderr in the block; drop warnings, and stderr of compiled code."""
    printed = Captured()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        warnings.catch_warnings(),
        _without_stderr(),
    ):
        warnings.simplefilter("ignore")
        yield printed


@contextlib.contextmanager
def _without_stderr() -> Iterator[None]:
    # torch's C++ code writes to file descriptor 2, past sys.stderr
    stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)
