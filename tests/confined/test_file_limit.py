"""A confined process cannot write a file larger than its limit, with namespaces or without."""

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="Windows has no limits for a process")

WRITE = """
import sys
from dataclasses import replace

from confined.limits import MEBI, Limits
from confined.process_limits import set_process_limits

set_process_limits(replace(Limits(), file=1))
with open(sys.argv[1], "wb", buffering=0) as file:
    file.write(bytes(MEBI))
    file.write(b"x")
"""


def test_a_file_ends_at_its_limit(tmp_path):
    path = tmp_path / "large"
    run = subprocess.run([sys.executable, "-c", WRITE, path], capture_output=True, text=True)
    assert "File too large" in run.stderr
    assert path.stat().st_size == 2**20
