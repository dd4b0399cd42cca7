"""A process with Python, torch and IPython loaded, of which every worker is a fork.

Importing torch takes 1.3 s, a fork some milliseconds. The zygote never runs a student's line and
never leaves the view it has entered; a worker is forked from it, gives up the rest, and serves.
It is told what to do over one socket: a byte `S` with the worker's own socket starts a worker, `K`
and a process number ends one. When that socket closes it ends, and every worker with it.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from confined import huge_pages, kernel
from confined.confine import Setup, confine, leave_world, own_world, prepare
from confined.frames import KILL, ProtocolError, receive, send
from confined.limits import Limits
from confined.shell import Shell, new_shell, run_cell
from confined.stand_in import stand_in_for
from confined.worker import serve


def main() -> None:
    """Serve on the socket whose number is the first argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    settings, _ = receive(control, None)
    _prefer_as_victim()
    _load()
    setup = Setup(tuple(settings["hidden"]), Limits(**settings["limits"]))
    prepare(setup)
    huge_pages.gather()  # while /proc can be seen
    stand_in_for(setup.hidden)
    if settings["namespaces"]:
        leave_world(setup)
    shell = new_shell()
    run_cell(shell, "1 / 0", setup.limits.cell_seconds, 0)  # a first traceback takes 50 ms
    gc.freeze()  # else a worker's first collection writes to, and so copies, every page it shares
    gc.enable()  # `launch.START` disables it, a fifth of the time that imports take
    send(control, {"ready": setup.layers})
    _start_and_kill(control, shell, setup)
    os._exit(0)  # Python would take 0.3 s to tidy up


def _prefer_as_victim() -> None:
    """When memory runs out let the kernel end a worker, not the grader."""
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text("1000")


def _load() -> None:
    """Import what chapters use, and have torch look at the processor while it can be seen."""
    for name in ("numpy", "matplotlib.font_manager", "matplotlib.pyplot", "torch.nn.functional"):
        importlib.import_module(name)
    importlib.import_module("matplotlib_inline.backend_inline")
    torch.set_num_threads(1)
    torch.ones(64, 64).bfloat16().matmul(torch.ones(64, 64).bfloat16()).float()


def _start_and_kill(control: socket.socket, shell: Shell, setup: Setup) -> None:
    scratch: dict[int, str] = {}
    while True:
        order, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not order:  # the grader has gone
            break
        if order == b"S":
            folder = tempfile.mkdtemp()
            process = os.fork()
            if process == 0:
                control.close()
                channel = socket.socket(fileno=descriptors[0])
                _start(channel, folder, shell, setup)
            os.close(descriptors[0])
            scratch[process] = folder
            send(control, {"started": process})
        else:
            (process,) = KILL.unpack(control.recv(KILL.size, socket.MSG_WAITALL))
            _end_and_clear(process, scratch.pop(process))
            send(control, {"ended": process})
    for process, folder in scratch.items():
        _end_and_clear(process, folder)


def _end_and_clear(process: int, scratch: str) -> None:
    os.kill(process, signal.SIGTERM)
    os.waitpid(process, 0)
    shutil.rmtree(scratch, ignore_errors=True)


def _start(channel: socket.socket, scratch: str, shell: Shell, setup: Setup) -> Any:
    """Fork the worker, the first process of its own world, and end it when told to."""
    try:
        number = os.getpid()  # of all workers on this machine no other has it
        os.setsid()  # a session is scheduled as one: many processes get no more than a few
        _close_stderr()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        kernel.process_control(kernel.PR_SET_PDEATHSIG, signal.SIGTERM)
        kernel.process_control(kernel.PR_SET_CHILD_SUBREAPER, 1)
        if channel.recv(1):  # the grader has put this process into its cgroup
            own_world(setup)
            worker = os.fork()
            if worker == 0:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
                _work(channel, number, scratch, shell, setup)
            channel.close()
            signal.sigwait({signal.SIGTERM})
            _end(worker)
    finally:
        os._exit(0)


def _close_stderr() -> None:
    """Let go of the zygote's stderr: nobody reads it, and writing to a full pipe blocks."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _end(worker: int) -> None:
    """End the worker and all that it has started; in a world of its own that goes with it."""
    os.kill(worker, signal.SIGKILL)
    orphans = Path(f"/proc/self/task/{os.getpid()}/children")  # not in a view: none are left there
    while True:
        try:
            os.wait()
            for process in orphans.read_text().split() if orphans.exists() else []:
                os.kill(int(process), signal.SIGKILL)
        except ChildProcessError:
            return


def _work(channel: socket.socket, number: int, scratch: str, shell: Shell, setup: Setup) -> Any:
    try:
        layers = confine(number, scratch, setup)
        send(channel, {"layers": layers})
        serve(channel, shell, setup.limits)
    except ProtocolError:
        pass  # the grader has gone
    finally:
        os._exit(0)
