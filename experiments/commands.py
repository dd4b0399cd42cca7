"""Runs a user's commands, and measures their time and memory."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MODULE = (sys.executable, "-m")
# nbgrader calls `alembic` by name
PATH = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])


class Cost(NamedTuple):
    """The cost of a command and of the processes that it starts."""

    seconds: float
    cpu_seconds: float
    peak: int  # MiB of its largest process

    @property
    def row(self) -> dict[str, float]:
        """The seconds as they are stored."""
        return {"s": round(self.seconds, 1), "cpu_s": round(self.cpu_seconds, 1)}


def adopt_orphans() -> None:
    """Let `run` wait for processes that outlive their parents, and count them; only on Linux."""
    PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(folder: Path, *command: str, codes: Sequence[int] = (0,), **environment: str) -> Cost:
    """Run a command in `folder`; return its cost.

    Raises RuntimeError, with the command's output, unless it ends with one of `codes`.
    """
    start, environment = time.perf_counter(), {**os.environ, "PATH": PATH, **environment}
    with tempfile.TemporaryFile() as output:
        streams = {"stdout": output, "stderr": output}
        with subprocess.Popen(command, cwd=folder, env=environment, **streams) as process:
            _, status, usage = os.wait4(process.pid, 0)  # of this command, not of all before it
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds, usages = time.perf_counter() - start, [usage]
        with suppress(ChildProcessError):  # no more orphans
            while True:
                usages.append(os.wait3(0)[2])
        if process.returncode not in codes:
            output.seek(0)
            printed = output.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{printed}")
    cpu_seconds = sum(one.ru_utime + one.ru_stime for one in usages)
    return Cost(seconds, cpu_seconds, max(one.ru_maxrss for one in usages) // 1024)
