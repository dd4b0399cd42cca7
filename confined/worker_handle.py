"""The grader's end of one worker: orders and replies."""

from __future__ import annotations

import errno
import json
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from confined.confine import Layers
from confined.failures import NO_MEMORY, GraderError, WorkerLost
from confined.frames import PAYLOAD_BYTES, ProtocolError, receive, send
from confined.limits import Limits
from confined.outputs import Output, fit_outputs

if TYPE_CHECKING:
    from confined.zygote_handle import Zygote

JSON_BYTES = 16  # of a reply per character of output: escapes, and the JSON around it
# errors that the files cause: too large for the limits, or names that this system refuses
UNFIT = {
    errno.EFBIG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ,
}  # fmt: skip
WRITING = 120.0  # seconds to write files, before any line of a student's: a machine may be busy
GRACE = 2.0  # seconds that a worker has beyond its own clock to report that it is late


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
        """Put files beside the notebook before a cell is run; names are relative.

        Raises `WorkerLost` if the files do not fit into what a worker may write, `GraderError` if
        this machine fails: no student's code runs yet.
        """
        # in the payload: a header has no room for the longest names, nor for names in no encoding
        names = json.dumps([[name, len(content)] for name, content in files.items()]).encode()
        order = {"do": "files", "first_byte": len(names)}
        try:
            reply, _ = self.ask(order, WRITING, b"".join((names, *files.values())))
        except WorkerLost as lost:
            raise GraderError(f"a worker could not write files: {lost}") from lost
        if "error" not in reply:
            return
        # ENOSPC: in a view the folder of the allowed size is full, else this machine's disk
        unfit = UNFIT if self.layers["namespaces"] else UNFIT | {errno.ENOSPC}
        failure = WorkerLost if reply["errno"] in unfit else GraderError
        raise failure(f"a worker could not write files: {reply['error']}")

    def run(self, source: str) -> list[Output]:
        """Return the outputs of a cell."""
        order = {"do": "run", "source": source}
        most = JSON_BYTES * self.limits.output
        _, payload = self.ask(order, self.limits.cell_seconds, most=most)
        try:
            return fit_outputs(json.loads(payload), self.limits.output)
        except (ValueError, RecursionError) as nonsense:
            raise WorkerLost(f"malformed reply: {nonsense}") from nonsense

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
