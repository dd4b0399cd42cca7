"""Files are written whole, or not at all."""

import os
import threading

import pytest

from bilingual.files import write_whole
from tests.full_disk import fill_disk


def test_a_full_disk_costs_nothing_that_was_there(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("old")
    fill_disk(monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a", b"new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_stays_a_pipe(tmp_path):
    """As /dev/stdout may be one, or /dev/null, which root could replace by a file."""
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    descriptor = os.open(pipe, os.O_RDWR)  # so that nobody waits for the other
    try:
        reader = threading.Thread(target=lambda: received.append(os.read(descriptor, 10)))
        reader.start()
        write_whole(pipe, b"data")
        assert pipe.is_fifo()
        reader.join(timeout=10)
        assert received == [b"data"]
    finally:
        os.write(descriptor, b"end")  # where the pipe was replaced, the reader still waits
        os.close(descriptor)
