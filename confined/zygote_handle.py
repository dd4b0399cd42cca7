"""The grader's end of one zygote: starts workers, and ends all of their processes."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from confined.control_group import ControlGroup, new_group
from confined.failures import NO_MEMORY, GraderError, last_words
from confined.frames import KILL, ProtocolError, receive, send
from confined.limits import Limits
from confined.worker_handle import Worker

if TYPE_CHECKING:
    from confined.fork_server_handle import ForkServer

STARTING = 120.0  # seconds for a machine that is busy
ENDING = 10.0
LANGUAGE = "POSENC_LANGUAGE"  # the language of figures and of this package's messages
TOO_BUSY = (
    f"本机太忙，{STARTING:.0f}秒内没能启动评分进程；请减小--workers，再运行同一条命令 · "
    f"this machine is too busy: no grading process started within {STARTING:.0f} s; "
    "run the same command again, with fewer --workers"
)


class Zygote:
    """The process that workers are forked from, with limits for each of them."""

    def __init__(self, server: ForkServer, limits: Limits) -> None:
        """Have the fork server fork it; `GraderError` if it does not come up."""
        self.server, self.limits = server, limits
        self.group: ControlGroup | None = None
        environment = {LANGUAGE: os.environ[LANGUAGE]} if LANGUAGE in os.environ else {}
        settings = {"limits": asdict(limits), "environment": environment}
        try:
            with ExitStack() as opened:
                self.stderr = opened.enter_context(tempfile.TemporaryFile())
                self.control, theirs = socket.socketpair()
                opened.enter_context(self.control)
                self.process: int = self._ask(lambda: self._fork(theirs, settings))["process"]
                opened.pop_all()
        except OSError as error:
            raise GraderError(f"cannot start a zygote: {error!r}") from error
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
            with suppress(ConnectionError):  # it has ended, and has sent why
                channel.sendall(b"g")
            header, _ = receive(channel, STARTING)
            if "failure" in header:  # in its own words, not as the KeyError that it would be here
                raise GraderError(f"a worker did not start: {header['failure']}")
            of_zygote = {"bubblewrap": self.server.no_bubblewrap, "cgroup": self.no_group}
            worker.layers = {**header["layers"], **of_zygote}
        except TimeoutError as late:
            worker.close()
            raise GraderError(TOO_BUSY) from late
        except GraderError:
            worker.close()
            raise
        except (ProtocolError, OSError, KeyError) as error:
            worker.close()
            raise GraderError(f"a worker did not start: {error!r}") from error
        return worker

    def memory_events(self) -> tuple[int, int]:
        """Return the cgroup's events, (0, 0) without a cgroup; `GraderError` if it is gone."""
        try:
            return self.group.memory_events() if self.group else (0, 0)
        except OSError as gone:
            raise GraderError(f"the cgroup is gone: {gone}") from gone

    def end(self, process: int) -> None:
        """End a worker's process and wait until it is gone."""
        self._ask(lambda: self.control.sendall(b"K" + KILL.pack(process)))

    def close(self) -> None:
        """End it, and every worker with it."""
        try:
            self.control.shutdown(socket.SHUT_WR)
            self.control.settimeout(ENDING)
            while self.control.recv(1 << 16):  # until it has ended its workers, and itself
                pass
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        except OSError:
            pass  # it is gone
        self.control.close()
        self.stderr.close()
        if self.group:
            self.group.close()

    def _fork(self, theirs: socket.socket, settings: dict[str, Any]) -> None:
        with theirs:
            self.server.fork(theirs, self.stderr)
        send(self.control, settings)

    def _ask(self, order: Any) -> dict[str, Any]:
        try:
            order()
            return receive(self.control, STARTING)[0]
        except TimeoutError as late:
            raise GraderError(TOO_BUSY) from late
        except (OSError, ProtocolError) as error:
            words = last_words(self.stderr) or self.server.last_words()
            gone = f"the zygote is gone: {error!r} {words}"
            raise GraderError(gone if words else NO_MEMORY) from error

    def __enter__(self) -> Zygote:
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close."""
        self.close()
