"""The fork servers of this process; forks of it, as the processes of a pool are, share them."""

from __future__ import annotations

from multiprocessing.util import Finalize

from confined.fork_server_handle import ForkServer
from confined.view import COURSE

# what graded code cannot import while it is scored, and while it is run for pictures
HIDDEN_FROM_ANSWERS, HIDDEN_FROM_PICTURES = COURSE, ("autograde",)

_STARTED: dict[tuple[str, ...], ForkServer] = {}  # one for the process: each holds 400 MB


def fork_server(hidden: tuple[str, ...]) -> ForkServer:
    """Return the fork server of zygotes for which these packages are hidden; `GraderError`."""
    if hidden in _STARTED and _STARTED[hidden].is_gone():  # the kernel ended it, for memory
        _STARTED.pop(hidden).close()
    if hidden not in _STARTED:
        server = _STARTED[hidden] = ForkServer(hidden)
        Finalize(server, server.close, exitpriority=0)  # not in a fork: others use it still
    return _STARTED[hidden]


def close_fork_servers() -> None:
    """Leave those that there are, one of which may be gone; the next are new ones."""
    while _STARTED:
        _STARTED.popitem()[1].close()
