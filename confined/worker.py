"""Runs a student's cells and calls their answers: the student may control this whole process.

It takes four orders: `files` (put files beside the notebook), `run` (a cell), `open` (fork, and in
the fork look up an answer), and in the fork `call` (the answer) until `close`. The grader trusts
nothing that comes back: it compares results with right ones, which are never in this process.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import socket
import traceback
import warnings
from pathlib import Path
from typing import Any

from confined.deadline import TooSlow, call_within
from confined.frames import ProtocolError, receive, send
from confined.limits import Limits
from confined.shell import Outputs, Shell, run_cell, streams
from confined.stand_in import StandIn
from confined.values import Decoder, Encoder

Header = dict[str, Any]
# errors of the grader's functions that keep their type here; others become a ValueError
RAISED = {kind.__name__: kind for kind in (IndexError, RuntimeError, TypeError, ValueError)}
PRINTED = 4_000  # characters sent of what an answer prints in one call


def serve(channel: socket.socket, shell: Shell, limits: Limits) -> None:
    """Carry out orders until the grader has gone."""
    while True:
        order, payload = receive(channel, None)
        if order["do"] == "files":
            send(channel, _write_files(order["first_byte"], payload))
        elif order["do"] == "run":
            outputs = run_cell(shell, order["source"], limits.cell_seconds, limits.output)
            send(channel, {}, json.dumps(outputs).encode())
        elif order["do"] == "open":
            _open(channel, shell, order["answer"])
        else:  # meant for a fork that has ended too early
            send(channel, {"closed": True})


def _write_files(start: int, payload: bytearray) -> Header:
    """Write the files that are listed before byte `start`; return the error that stopped it."""
    try:
        for name, size in json.loads(payload[:start]):
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(payload[start : start + size])
            start += size
    except (OSError, UnicodeError) as error:
        return {"errno": getattr(error, "errno", errno.EILSEQ), "error": repr(error)}
    return {}


def _open(channel: socket.socket, shell: Shell, name: str) -> None:
    gc.freeze()  # a collection in the fork would copy every page that it shares
    child = os.fork()
    if child == 0:
        try:
            _answer(channel, shell, name)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    send(channel, {"closed": True})


def _answer(channel: socket.socket, shell: Shell, name: str) -> None:
    if name not in shell.user_ns:
        send(channel, {"kind": "missing"})
    elif not callable(shell.user_ns[name]):
        send(channel, {"kind": "value", "type": type(shell.user_ns[name]).__name__})
    else:
        send(channel, {"kind": "function"})
    StandIn.cut_off = True
    while True:
        order, payload = receive(channel, None)
        if order["do"] == "close":
            return
        header, content = _call(channel, shell.user_ns[name], order, payload)
        try:
            send(channel, header, content)
        except ProtocolError:  # above the caps
            send(channel, {"error": {"type": "ValueError", "repr": "", "text": "too much"}})


def _call(
    channel: socket.socket, function: Any, order: Header, payload: bytearray
) -> tuple[Header, bytes]:
    def function_of_grader(number: int) -> Any:
        return lambda *args, **kwargs: _ask(channel, number, args, kwargs)

    def inputs() -> tuple[Any, Any]:
        decoder = Decoder(payload, function_of_grader)
        return decoder.decode(order["args"]), decoder.decode(order["kwargs"])

    args, kwargs = inputs()
    error: BaseException | None = None
    result = None
    outputs = Outputs(PRINTED)
    with streams(outputs):
        warnings.simplefilter("ignore")
        try:
            result = call_within(order["seconds"], function, *args, **kwargs)
        except BaseException as raised:  # SystemExit too
            error = raised
    printed = "".join(output["text"] for output in outputs)
    if error is not None:
        return {"error": _described(error, function), "printed": printed}, b""
    encoder = Encoder()
    reply: Header = {"result": encoder.encode(result), "printed": printed}
    if _encoded(args, kwargs) != _encoded(*inputs()):
        reply["args"], reply["kwargs"] = encoder.encode(args), encoder.encode(kwargs)
    return reply, bytes(encoder.payload)


def _encoded(args: Any, kwargs: Any) -> tuple[Any, bytes]:
    encoder = Encoder()
    return encoder.encode([args, kwargs]), bytes(encoder.payload)


def _described(error: BaseException, function: Any) -> Header:
    frames = traceback.extract_tb(error.__traceback__)
    code = getattr(function, "__code__", None)
    own = [frame.line for frame in frames if code and frame.filename == code.co_filename]
    return {
        "type": "TooSlow" if isinstance(error, TooSlow) else type(error).__name__,
        "repr": repr(error)[:1000],
        "text": str(error)[:1000],
        "line": (own[-1] if own else "") or "",
    }


def _ask(channel: socket.socket, number: int, args: Any, kwargs: Any) -> Any:
    encoder = Encoder()
    question = {"ask": number, "args": encoder.encode(args), "kwargs": encoder.encode(kwargs)}
    send(channel, question, bytes(encoder.payload))
    reply, payload = receive(channel, None)
    if "error" in reply:
        name, text = reply["error"]
        raise RAISED[name](text) if name in RAISED else ValueError(f"{name}: {text}")
    return Decoder(payload).decode(reply["result"])
