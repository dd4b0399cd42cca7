"""A process with Python, torch and IPython loaded; every zygote is a fork of it.

Importing torch takes 1.3 s, a fork some milliseconds, so the graders of one machine share a fork
server. It never runs a student's code. Each byte on its one socket orders a zygote, and brings that
zygote's socket and a file for its stderr. The fork server ends when its socket closes, a zygote
when its own does.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
import tempfile
import traceback
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import torch

from confined import huge_pages
from confined.confine import Setup, leave_world, prepare
from confined.frames import receive
from confined.limits import Limits
from confined.shell import Shell, new_shell, run_cell
from confined.stand_in import stand_in_for
from confined.zygote import serve_grader


def main() -> None:
    """Serve on the socket whose number is the first argument."""
    orders = socket.socket(fileno=int(sys.argv[1]))
    settings, _ = receive(orders, None)
    _prefer_as_victim()
    setup = Setup(tuple(settings["hidden"]))
    with redirect_stderr(StringIO()):  # no warnings: stderr is for the reason why it ended
        _load()
        prepare(setup)
        stand_in_for(setup.hidden)
        shell = _shell()
    huge_pages.gather()
    gc.freeze()  # else a worker's first collection writes to, and so copies, every page it shares
    gc.enable()  # `START` disabled it, which saves a fifth of the import time
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a zygote
    _fork_zygotes(orders, shell, setup, settings["namespaces"])
    os._exit(0)  # Python would take 0.3 s to tidy up


def _prefer_as_victim() -> None:
    """If memory runs out, let the kernel end a worker, not the grader."""
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text("1000")


def _load() -> None:
    """Import what chapters use, and have torch examine the processor while it is visible."""
    for name in ("numpy", "matplotlib.font_manager", "matplotlib.pyplot", "torch.nn.functional"):
        importlib.import_module(name)
    importlib.import_module("matplotlib_inline.backend_inline")
    torch.set_num_threads(1)
    torch.ones(64, 64).bfloat16().matmul(torch.ones(64, 64).bfloat16()).float()


def _shell() -> Shell:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IPYTHONDIR"] = folder  # else IPython makes folders in the grader's home
        shell = new_shell()
        run_cell(shell, "1 / 0", Limits().cell_seconds, 0)  # a first traceback takes 50 ms
    del os.environ["IPYTHONDIR"]
    return shell


def _fork_zygotes(orders: socket.socket, shell: Shell, setup: Setup, namespaces: bool) -> None:
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, 1, 2)
        if not order:  # no grader is left
            return
        control, stderr = descriptors
        try:
            zygote = os.fork()
        except OSError:  # no room for another zygote: graders that have one go on
            os.write(stderr, traceback.format_exc().encode())
            zygote = None
        if zygote == 0:
            orders.close()
            os.dup2(stderr, 2)  # its own: no grader mistakes another's output for its zygote's
            os.close(stderr)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if namespaces:  # one view per zygote: workers in it share a user's limit and its root
                leave_world(setup)
            serve_grader(socket.socket(fileno=control), shell, setup)
        os.close(control)
        os.close(stderr)
