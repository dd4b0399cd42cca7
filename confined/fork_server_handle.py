"""The graders' end of the fork server: starts it, and has it fork zygotes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from typing import BinaryIO

from confined.bubblewrap import wrapped
from confined.failures import GraderError, PermanentError, last_words
from confined.frames import ProtocolError, send
from confined.limits import Limits
from confined.zygote_handle import Zygote

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder of this code
OTHER = "the code of another folder: "
START = f"""
import gc, os, sys
gc.disable()
import confined
folder = os.path.dirname(confined.__path__[0])
if not os.path.samefile(folder, sys.argv[2]):
    sys.exit({OTHER!r} + folder)
from confined.fork_server import main
main()
"""
TWO_FOLDERS = (
    "本命令运行{ours}里的代码，而这个Python环境装的是{theirs}里的，评分进程会用后者："
    "请在{ours}里运行pip install -e .，或改到{theirs}里运行本命令 · "
    "this command runs the code of {ours}, but this Python environment has that of {theirs} "
    "installed, and processes that grade would run it: run `pip install -e .` in {ours}, or this "
    "command in {theirs}"
)
ENDING = 10.0
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "MPLCONFIGDIR", "LD_LIBRARY_PATH")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
NO_FORK = "评分需要Linux或macOS，Windows上用WSL · grading needs Linux or macOS, on Windows WSL"


class ForkServer:
    """The process that zygotes are forked from.

    hidden: packages that stand-ins replace in graded code. Forks of the process that started it
    may use it too: it ends when all of them are gone.
    """

    def __init__(self, hidden: tuple[str, ...], *, namespaces: bool = True) -> None:
        """Start it without waiting; `GraderError` if this machine cannot."""
        if not hasattr(os, "fork"):
            raise GraderError(NO_FORK)
        self.orders, theirs = socket.socketpair()
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        # what ends it writes to stderr, unless it is the kernel
        command = [sys.executable, "-I", "-X", "faulthandler", "-c", START]
        command += [str(theirs.fileno()), HERE]
        self.no_bubblewrap = "not asked for"
        try:
            with theirs, ExitStack() as opened:
                self.stderr = opened.enter_context(tempfile.TemporaryFile())
                if namespaces:
                    command, self.no_bubblewrap = wrapped(command, hidden)
                self.process = subprocess.Popen(
                    command,
                    pass_fds=[theirs.fileno()],
                    env={**environment, **ONE_THREAD},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self.stderr,
                    cwd="/",
                )
                opened.pop_all()
        except OSError as error:
            self.orders.close()
            raise GraderError(f"cannot start a grading process: {error!r}") from error
        with suppress(ProtocolError):  # it is gone, and its first zygote will report that
            send(self.orders, {"hidden": hidden, "namespaces": namespaces})

    def zygote(self, limits: Limits) -> Zygote:
        """Return a zygote of this process's own; `GraderError` if it does not come up."""
        return Zygote(self, limits)

    def fork(self, control: socket.socket, stderr: BinaryIO) -> None:
        """Have it fork a zygote that serves on `control`; OSError if it is gone."""
        socket.send_fds(self.orders, [b"Z"], [control.fileno(), stderr.fileno()])

    def is_gone(self) -> bool:
        """Return whether it has ended."""
        try:
            return not self.orders.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:  # it ended with unread data
            return True

    def last_words(self) -> str:
        """Return what it wrote as it ended; "" if it runs, or if the kernel ended it for memory.

        Raises `PermanentError` if it would have run another folder's code, not this one's.
        """
        words = last_words(self.stderr) if self.is_gone() else ""
        _, other, folder = words.rpartition(OTHER)
        if other:
            raise PermanentError(TWO_FOLDERS.format(ours=HERE, theirs=folder.strip()))
        return words

    def close(self) -> None:
        """Let it end, and wait for that; kill it after `ENDING` seconds."""
        self.orders.close()
        try:
            self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stderr.close()

    def __enter__(self) -> ForkServer:
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Close."""
        self.close()
