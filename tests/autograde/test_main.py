"""`python -m autograde`: what holds for every command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograde import __main__

ROOT = Path(__file__).parents[2]


def test_a_reader_that_has_gone_ends_a_command_without_a_word():
    """Seen: `python -m autograde grades … | head` ended in a traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "autograde", "doctor"]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.stderr, done.returncode) == (b"", 1)


def test_ctrl_c_while_a_command_is_read_in_shows_no_traceback(monkeypatch):
    def stopped(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(__main__, "import_module", stopped)
    monkeypatch.setattr(sys, "argv", ["autograde", "doctor"])
    with pytest.raises(SystemExit) as exit_:
        __main__.main()
    assert exit_.value.code == 130
