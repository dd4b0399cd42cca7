"""Starts the zygote and its workers, and ends all of their processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from confined.bubblewrap import wrapped
from confined.confine import Layers
from confined.control_group import ControlGroup, new_group
from confined.failures import NO_MEMORY, GraderError
from confined.frames import KILL, ProtocolError, receive, send
from confined.limits import Limits
from confined.worker_handle import Worker

START = "import gc; gc.disable(); from confined.zygote import main; main()"
STARTING = 120.0  # seconds for a machine that is busy
ENDING = 10.0
PASSED_ON = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "MPLCONFIGDIR", "LD_LIBRARY_PATH"),
    "POSENC_LANGUAGE",  # what figures and this package itself say is said in it
)
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
TOO_BUSY = (
    f"本机太忙，{STARTING:.0f}秒内没能启动评分进程；请减小--workers，再运行同一条命令 · "
    f"this machine is too busy: nothing to grade in has started within {STARTING:.0f} s; "
    "run the same command again, with fewer --workers"
)
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)  # bubblewrap says the second


class Zygote:
    """The process that workers are forked from.

    hidden: packages that stand-ins replace in graded code.
    """

    def __init__(self, limits: Limits, hidden: tuple[str, ...], *, namespaces: bool = True) -> None:
        """Start it; `GraderError` if it does not come up."""
        if not hasattr(os, "fork"):
            raise GraderError("评分需要Linux或macOS，Windows上用WSL · it needs Linux, macOS or WSL")
        self.limits = limits
        self.group: ControlGroup | None = None
        self.control, theirs = socket.socketpair()
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        command = [sys.executable, "-I", "-c", START, str(theirs.fileno())]
        self.no_bubblewrap = "not asked for"
        if namespaces:
            command, self.no_bubblewrap = wrapped(command, hidden)
        with theirs:
            self.process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                env={**environment, **ONE_THREAD},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd="/",
            )
        settings = {"limits": asdict(limits), "hidden": hidden, "namespaces": namespaces}
        try:
            self.layers: Layers = self._ask(lambda: send(self.control, settings))["ready"]
        except GraderError:
            self.close()
            raise
        try:
            self.group, self.no_group = new_group(limits), ""
        except (OSError, ValueError) as error:
            self.no_group = f"{type(error).__name__}: {error}"

    def worker(self) -> Worker:
        """Return a new worker, confined before it has read anything."""
        events = self.memory_events()
        channel, theirs = socket.socketpair()
        try:
            with theirs:
                reply = self._ask(lambda: socket.send_fds(self.control, [b"S"], [theirs.fileno()]))
        except GraderError:
            channel.close()
            raise
        worker = Worker(self, channel, reply["started"], {}, self.limits, events)
        try:
            if self.group:
                self.group.add(worker.process)
            channel.sendall(b"g")
            header, _ = receive(channel, STARTING)
            of_zygote = {"bubblewrap": self.no_bubblewrap, "cgroup": self.no_group}
            worker.layers = {**header["layers"], **of_zygote}
        except TimeoutError as late:
            worker.close()
            raise GraderError(TOO_BUSY) from late
        except (ProtocolError, OSError, KeyError) as error:
            worker.close()
            raise GraderError(f"a worker did not start: {error!r} {self._stderr()}") from error
        return worker

    def memory_events(self) -> tuple[int, int]:
        """Return those of the cgroup, none without one; `GraderError` if it is gone."""
        try:
            return self.group.memory_events() if self.group else (0, 0)
        except OSError as gone:
            raise GraderError(f"the cgroup is gone: {gone}") from gone

    def end(self, process: int) -> None:
        """End a worker's process and wait until it is gone."""
        self._ask(lambda: self.control.sendall(b"K" + KILL.pack(process)))

    def close(self) -> None:
        """End it, and every worker with it."""
        self.control.close()
        self.process.stderr.close()
        try:
            self.process.wait(ENDING)  # it ends its workers and removes their files
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.group:
            self.group.close()

    def _ask(self, order: Any) -> dict[str, Any]:
        try:
            order()
            return receive(self.control, STARTING)[0]
        except TimeoutError as late:
            raise GraderError(TOO_BUSY) from late
        except (OSError, ProtocolError) as error:
            gone = f"the zygote is gone: {error!r} {self._stderr()}"
            raise GraderError(NO_MEMORY if self._was_killed() else gone) from error

    def _was_killed(self) -> bool:
        # by the kernel when memory runs out: nothing else may
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        return self.process.returncode in KILLED

    def _stderr(self) -> str:
        if self.process.poll() is None:
            return ""
        return self.process.stderr.read().decode(errors="replace")[-2000:]

    def __enter__(self) -> Zygote:
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close."""
        self.close()
