"""Starts the workers of one grader, each a fork of it, and ends them.

It is a fork of the fork server, in a view of its own, and runs no student's code either: a worker
does, after giving up the rest. The grader's first message sets limits and language; then a byte `S`
with the worker's own socket starts a worker, `K` and a process number ends one. When the grader's
socket closes the zygote ends, and every worker with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from confined import kernel
from confined.confine import Setup, confine, own_world
from confined.failures import WORDS
from confined.frames import KILL, ProtocolError, receive, send
from confined.limits import Limits
from confined.shell import Shell
from confined.worker import serve


def serve_grader(control: socket.socket, shell: Shell, setup: Setup) -> NoReturn:
    """Start and end workers until the grader has gone; then end this process."""
    scratch: dict[int, str] = {}
    try:
        settings, _ = receive(control, None)
        os.environ.update(settings["environment"])
        setup = replace(setup, limits=Limits(**settings["limits"]))
        send(control, {"process": os.getpid()})
        while _follow_order(control, scratch, shell, setup):
            pass
    except ProtocolError:
        pass  # the grader has gone
    for process, folder in scratch.items():
        _end_and_clear(process, folder)
    os._exit(0)


def _follow_order(
    control: socket.socket, scratch: dict[int, str], shell: Shell, setup: Setup
) -> bool:
    order, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if order == b"S":
        folder = tempfile.mkdtemp()
        process = os.fork()
        if process == 0:
            control.close()
            _start(socket.socket(fileno=descriptors[0]), folder, shell, setup)
        os.close(descriptors[0])
        scratch[process] = folder
        send(control, {"started": process})
    elif order == b"K":
        (process,) = KILL.unpack(control.recv(KILL.size, socket.MSG_WAITALL))
        if process in scratch:  # else it has already been ended
            _end_and_clear(process, scratch.pop(process))
        send(control, {"ended": process})
    return bool(order)


def _end_and_clear(process: int, scratch: str) -> None:
    os.kill(process, signal.SIGTERM)
    os.waitpid(process, 0)
    shutil.rmtree(scratch, ignore_errors=True)


def _start(channel: socket.socket, scratch: str, shell: Shell, setup: Setup) -> NoReturn:
    """Fork the worker, the first process of its own world, and end it when told to."""
    try:
        number = os.getpid()  # no other worker on this machine has it
        with _failure_sent(channel):
            os.setsid()  # a session is scheduled as one: many processes get no more than a few
            _close_stderr()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
            kernel.process_control(kernel.PR_SET_PDEATHSIG, signal.SIGTERM)
            kernel.process_control(kernel.PR_SET_CHILD_SUBREAPER, 1)
            if not channel.recv(1):  # else the grader has put this process into its cgroup
                raise ProtocolError("the grader has gone")
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


@contextmanager
def _failure_sent(channel: socket.socket) -> Iterator[None]:
    """Tell the grader why a worker does not start: its stderr goes nowhere."""
    try:
        yield
    except Exception as error:
        with suppress(ProtocolError):  # the grader has gone
            send(channel, {"failure": repr(error)[:WORDS]})
        raise


def _close_stderr() -> None:
    """Detach from the zygote's stderr, a file that a student's output would fill."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _end(worker: int) -> None:
    """End the worker and all that it has started; in its own PID namespace they end with it."""
    os.kill(worker, signal.SIGKILL)
    orphans = Path(f"/proc/self/task/{os.getpid()}/children")  # not in a view: it has no orphans
    while True:
        try:
            os.wait()
            for process in orphans.read_text().split() if orphans.exists() else []:
                os.kill(int(process), signal.SIGKILL)
        except ChildProcessError:
            return


def _work(
    channel: socket.socket, number: int, scratch: str, shell: Shell, setup: Setup
) -> NoReturn:
    try:
        with _failure_sent(channel):
            layers = confine(number, scratch, setup)
        send(channel, {"layers": layers})
        serve(channel, shell, setup.limits)
    except ProtocolError:
        pass  # the grader has gone
    finally:
        os._exit(0)
