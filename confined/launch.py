"""The grader's end: starts the zygote and its workers, and ends all of their processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from confined.bubblewrap import wrapped
from confined.confine import Layers
from confined.control_group import ControlGroup, new_group
from confined.frames import KILL, PAYLOAD_BYTES, ProtocolError, receive, send
from confined.limits import Limits
from confined.outputs import Output, fit_outputs

START = "from confined.zygote import main; main()"
STARTING = 120.0  # seconds for a machine that is busy
ENDING = 10.0
JSON_BYTES = 16  # of a reply for each character of output: escapes, and what stands around it
GRACE = 2.0  # seconds that a worker has beyond its own clock to say that it is late
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "MPLCONFIGDIR", "LD_LIBRARY_PATH")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
TOO_BUSY = (
    f"本机太忙，{STARTING:.0f}秒内没能启动评分进程；请减小--workers，再运行同一条命令 · "
    f"this machine is too busy: nothing to grade in has started within {STARTING:.0f} s; "
    "run the same command again, with fewer --workers"
)
NO_MEMORY = (
    "本机内存不足，评分用的进程因此被结束；请减小--workers，再运行同一条命令 · "
    "this machine has too little memory, which ended a process that grades: run the same command "
    "again, with fewer --workers"
)
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)  # bubblewrap says the second


class WorkerLost(Exception):
    """The worker died, hung, or spoke nonsense: the student's doing, and the worker is gone."""


class GraderError(RuntimeError):
    """The grader's own machinery failed: no student is to blame, and grading can be retried."""


@dataclass
class Worker:
    """One confined process with one student's cells; `close` ends it and all that it started."""

    zygote: Zygote
    channel: socket.socket
    process: int
    layers: Layers
    limits: Limits
    memory_events: tuple[int, int] = (0, 0)  # of its cgroup, when it was started

    def write(self, files: dict[str, bytes]) -> None:
        """Put files beside the notebook; names are relative, and were checked before."""
        listed = [[name, len(content)] for name, content in files.items()]
        self.ask({"do": "files", "files": listed}, 10.0, b"".join(files.values()))

    def run(self, source: str) -> tuple[list[Output], str | None]:
        """Return the outputs of a cell, and the name of the error that ended it, if one did."""
        order = {"do": "run", "source": source}
        most = JSON_BYTES * self.limits.output
        _, payload = self.ask(order, self.limits.cell_seconds, most=most)
        try:
            reply = json.loads(payload)
            error = reply["error"]
            outputs = fit_outputs(reply["outputs"], self.limits.output)
        except (ValueError, KeyError, TypeError, RecursionError) as nonsense:
            raise WorkerLost(f"it spoke nonsense: {nonsense}") from nonsense
        return outputs, error[:200] if isinstance(error, str) else None

    def ask(
        self,
        order: dict[str, Any],
        seconds: float,
        payload: bytes = b"",
        most: int = PAYLOAD_BYTES,
    ) -> tuple[dict[str, Any], bytearray]:
        """Return the reply to an order; `WorkerLost` if none comes within `seconds` and grace."""
        try:
            send(self.channel, order, payload, seconds + GRACE)
            return receive(self.channel, seconds + GRACE, most)
        except TimeoutError as late:
            raise WorkerLost(f"no end after {seconds:g} s") from late
        except ProtocolError as gone:
            raise WorkerLost(str(gone)) from gone

    def close(self) -> None:
        """End it; returns when none of its processes is left.

        Raises `GraderError` if one of them ended because this machine had no memory for it.
        """
        self.channel.close()
        self.zygote.end(self.process)
        at_limit, ended = self.zygote.memory_events()
        if ended > self.memory_events[1] and at_limit == self.memory_events[0]:
            raise GraderError(NO_MEMORY)

    def __enter__(self) -> Worker:
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close."""
        self.close()


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
        self.group, self.no_group = _group(limits)

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()


def _group(limits: Limits) -> tuple[ControlGroup | None, str]:
    try:
        return new_group(limits), ""
    except (OSError, ValueError) as error:
        return None, f"{type(error).__name__}: {error}"
