"""The fork servers of this process; its forks, such as the processes of a pool, share them."""

from __future__ import annotations

from multiprocessing.util import Finalize

from confined.fork_server_handle import ForkServer
from confined.view import COURSE

# what graded code cannot import while it is scored, and while it is run for pictures
HIDDEN_FROM_ANSWERS, HIDDEN_FROM_PICTURES = COURSE, ("autograde",)

_STARTED: dict[tuple[str, ...], ForkServer] = {}  # one of each per process: it takes 400 MB


def fork_server(hidden: tuple[str, ...]) -> ForkServer:
    """Return the fork server whose zygotes do not see these packages; raises `GraderError`."""
    if hidden in _STARTED and _STARTED[hidden].is_gone():  # the kernel killed it to free memory
        _STARTED.pop(hidden).close()
    if hidden not in _STARTED:
        server = _STARTED[hidden] = ForkServer(hidden)
        Finalize(server, server.close, exitpriority=0)  # skipped in a fork: others still use it
    return _STARTED[hidden]


def close_fork_servers() -> None:
    """Close all of them, even one that is gone; `fork_server` then starts new ones."""
    while _STARTED:
        _STARTED.popitem()[1].close()
