"""An answer that runs in a confined worker: the checks call it over a socket."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import torch

from autograde.kit.answer import Answer, it_raised
from autograde.kit.capture import PRINTED
from autograde.kit.expect import Wrong
from bilingual import Text
from confined.deadline import TooSlow
from confined.failures import WorkerLost
from confined.frames import ProtocolError
from confined.outputs import printable
from confined.stand_in import ReferenceUsed
from confined.values import Decoder, Encoder
from confined.worker_handle import Worker

QUESTION = 4096  # numbers in a call of the grader's functions: attention takes quadratic time
TOO_LARGE = Text(
    en="a function that is given to your answer takes at most {most} numbers in a call",
    zh="传给作答的函数，每次调用至多接受{most}个数",
)


class RemoteError(Exception):
    """What the answer raised in its worker."""

    def __init__(self, error: dict[str, Any]) -> None:
        """Keep the error's texts, cut; a missing one is empty."""
        texts = (
            printable(str(error.get(part, ""))[:1000]) for part in ("type", "text", "line", "repr")
        )
        self.name, self.text, self.line, self.original_repr = texts
        super().__init__(self.text)

    def __repr__(self) -> str:
        """Return the original error's repr, for comparison with a misconception's."""
        return self.original_repr


class AnswerEnded(Exception):
    """The fork that the answer ran in is gone; the worker is still there."""


@dataclass
class RemoteAnswer(Answer):
    """The function that a fork of `worker` has looked up, and calls.

    lost: why the worker is gone; every later call fails at once.
    """

    worker: Worker | None = None
    lost: WorkerLost | None = None

    def _result(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.lost:
            raise self.lost
        try:
            reply, decoder = self._call(args, kwargs)
            result = decoder.decode(reply.get("result"))
            if "args" in reply:
                _overwrite(args, decoder.decode(reply["args"]))
                _overwrite(kwargs, decoder.decode(reply.get("kwargs")))
        except ProtocolError as nonsense:
            self.lost = WorkerLost(str(nonsense))
            raise self.lost from nonsense
        except WorkerLost as lost:
            self.lost = lost
            raise
        return result

    def _call(self, args: Any, kwargs: Any) -> tuple[dict[str, Any], Decoder]:
        left = self.seconds - self.spent
        until = time.monotonic() + left
        encoder = Encoder()
        order = {"do": "call", "args": encoder.encode(args), "kwargs": encoder.encode(kwargs)}
        content = bytes(encoder.payload)
        reply, payload = self.worker.ask({**order, "seconds": left}, left, content)
        while "ask" in reply:  # the answer calls a function that it was given
            if time.monotonic() > until:
                raise WorkerLost("too many requests")
            header, content = _reply(encoder.functions, reply, Decoder(payload))
            reply, payload = self.worker.ask(header, max(until - time.monotonic(), 0.0), content)
        if "closed" in reply:
            raise AnswerEnded
        self.printed = (self.printed + printable(str(reply.get("printed", ""))))[: PRINTED + 1]
        if isinstance(reply.get("error"), dict):
            raise _error(reply["error"])
        return reply, Decoder(payload)

    def _is_of_stub(self, error: BaseException | None) -> bool:
        return isinstance(error, RemoteError) and error.original_repr == "NotImplementedError()"

    def _raised(self, error: BaseException) -> Wrong:
        if isinstance(error, WorkerLost | AnswerEnded):
            return Wrong(
                "its process was ended: did it use too much memory, call exit, or start others?",
                "它的进程已被结束：是不是内存用得太多、调用了exit，或启动了其他进程？",
            )
        if isinstance(error, RemoteError) and error.name == ReferenceUsed.__name__:
            return Wrong(
                "it uses posenc_ref or autograde, which are not there while an answer is graded: "
                "write it yourself",
                "用到了posenc_ref或autograde：判分时两者都不在，请自己写出来",
            )
        if isinstance(error, RemoteError):
            return it_raised(error.name, error.text, error.line)
        return super()._raised(error)


def _error(error: dict[str, Any]) -> BaseException:
    return TooSlow() if error.get("type") == "TooSlow" else RemoteError(error)


def _reply(
    functions: list[Any], question: dict[str, Any], decoder: Decoder
) -> tuple[dict[str, Any], bytes]:
    number = question["ask"]
    if type(number) is not int or not 0 <= number < len(functions):
        raise ProtocolError("no such function was given")
    args, kwargs = decoder.decode(question.get("args")), decoder.decode(question.get("kwargs"))
    if not isinstance(args, tuple) or not isinstance(kwargs, dict):
        raise ProtocolError("not the arguments of a call")
    if decoder.extent > QUESTION:
        text = TOO_LARGE.format(most=QUESTION).in_language("both", separator=" · ")
        return {"error": (TypeError.__name__, text)}, b""
    encoder = Encoder()
    try:
        with warnings.catch_warnings(action="ignore"):  # of what a student asks for
            result = encoder.encode(functions[number](*args, **kwargs))
    except Exception as error:  # a Callback's: its refusal, or what the exercise intends
        return {"error": (type(error).__name__, str(error)[:1000])}, b""
    return {"result": result}, bytes(encoder.payload)


def _overwrite(inputs: Any, changed: Any) -> None:
    """Apply to the inputs the changes that the answer made to its copies in the worker."""
    pairs = inputs.items() if isinstance(inputs, dict) else enumerate(inputs)
    for key, value in pairs:
        new = changed[key]
        if isinstance(value, torch.Tensor) and isinstance(new, torch.Tensor):
            value.data = new.to(value.dtype)
        elif isinstance(value, list) and isinstance(new, list):
            value[:] = new
        elif isinstance(value, dict) and isinstance(new, dict):
            value.clear()
            value.update(new)
