"""Kernels that need not import torch: they are forked from a process that has done so.

The kernelspec python3 becomes a small client, which asks a server to fork itself. Every kernel
imports the course's own packages afresh. Elsewhere than on Linux, where to fork is not safe,
kernels stay what they are.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.warm_kernels.client import SOCKET

FOLDER = Path(__file__).parent
SPEC = {
    "argv": [sys.executable, "-IS", str(FOLDER / "client.py"), "-f", "{connection_file}"],
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
}


@pytest.fixture(scope="module")
def warm_kernels(kernel_environment: dict[str, str]) -> Iterator[None]:
    """Let whatever starts kernels in this file ask for warm ones."""
    with patch.dict(os.environ, kernel_environment):
        yield


@pytest.fixture(scope="session")
def kernel_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve kernels until all tests are done; return the environment in which Jupyter asks here."""
    if sys.platform != "linux":
        yield {}
        return
    folder = tmp_path_factory.mktemp("kernels")
    spec = folder / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(json.dumps(SPEC), encoding="utf-8")
    command = [sys.executable, str(FOLDER / "server.py"), str(folder / "socket")]
    # only a process without other threads may be forked; two in each kernel wait for each other
    one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **one}
    ) as server:
        assert server.stdout.readline()  # it listens
        yield {SOCKET: str(folder / "socket"), "JUPYTER_PATH": str(folder)}
        server.stdin.close()  # the server ends; kernels end with their clients
