"""Messages between the grader and a worker: two lengths, a JSON header, raw bytes. Never pickle.

A frame is `>II` (length of the header, length of the payload), the header, a JSON object in UTF-8,
and the payload. The reader trusts nothing: lengths are capped before anything is read, the whole
frame must arrive before one deadline, and anything else is a `ProtocolError`.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

HEADER_BYTES = 1 << 20
PAYLOAD_BYTES = 1 << 28
LENGTHS = struct.Struct(">II")
KILL = struct.Struct(">I")  # to the zygote: which process to end


class ProtocolError(Exception):
    """What arrived is not a message of this protocol, or the other side has gone."""


def send(
    channel: socket.socket,
    header: dict[str, Any],
    payload: bytes = b"",
    seconds: float | None = None,
) -> None:
    """Send one frame; `ProtocolError` if it exceeds the caps or is not taken within `seconds`."""
    head = json.dumps(header, ensure_ascii=False).encode("utf-8", "replace")
    if len(head) > HEADER_BYTES or len(payload) > PAYLOAD_BYTES:
        raise ProtocolError(f"a message of {len(head)} + {len(payload)} bytes is too long")
    try:
        channel.settimeout(seconds)
        channel.sendall(LENGTHS.pack(len(head), len(payload)) + head + payload)
    except OSError as error:
        raise ProtocolError(f"nobody listens: {error}") from error


def receive(
    channel: socket.socket, seconds: float | None, most: int = PAYLOAD_BYTES
) -> tuple[dict[str, Any], bytearray]:
    """Return header and payload, of at most `most` bytes, of the next frame.

    Raises `TimeoutError` if it is incomplete after `seconds` (None: no limit), `ProtocolError`
    if it is not a frame.
    """
    until = None if seconds is None else time.monotonic() + seconds
    try:
        head, body = LENGTHS.unpack(_exactly(channel, LENGTHS.size, until))
        if head > HEADER_BYTES or body > most:
            raise ProtocolError(f"a message of {head} + {body} bytes is too long")
        header = json.loads(_exactly(channel, head, until))
        # JSON can hold a lone surrogate, and no file can
        json.dumps(header, ensure_ascii=False).encode()
        payload = _exactly(channel, body, until)
    except TimeoutError:
        raise
    except (OSError, ValueError, RecursionError) as error:  # no JSON, no UTF-8, a closed socket
        raise ProtocolError(f"{type(error).__name__}: {error}"[:500]) from error
    if not isinstance(header, dict):
        raise ProtocolError("the header is not an object")
    return header, payload


def _exactly(channel: socket.socket, count: int, until: float | None) -> bytearray:
    content = bytearray(count)
    view, filled = memoryview(content), 0
    while filled < count:
        if until is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            channel.settimeout(left)
        else:
            channel.settimeout(None)
        read = channel.recv_into(view[filled:])
        if not read:
            raise ProtocolError("the other side has gone")
        filled += read
    return content
