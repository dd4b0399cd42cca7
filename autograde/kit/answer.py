"""Calls a learner's function and survives whatever it does; remembers each call for diagnosis."""

from __future__ import annotations

import copy
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from autograde.kit.capture import PRINTED, capture
from autograde.kit.compare import close, same, same_kind, step
from autograde.kit.exercise import Function
from autograde.kit.expect import QUOTED, Wrong
from confined.deadline import TooSlow, call_within

Apply = Callable[[tuple[Any, ...], dict[str, Any]], Any]  # calls a function with these inputs


@dataclass(frozen=True)
class Call:
    """One call of the answer: what went in, and what came out, was raised or was overwritten."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any = None
    error: BaseException | None = None
    changed: bool = False

    def like(self, other: Call, tolerance: float) -> bool:
        """Return whether `other` had the same effect, up to `tolerance`.

        `tolerance` is relative to each number, or to the largest. 16-bit numbers may differ by
        one rounding; numbers in a different kind of dtype are not alike.
        """
        if repr(self.error) != repr(other.error) or self.changed is not other.changed:
            return False
        if self.error is not None:
            return True
        share = max(tolerance, step(self.result), step(other.result))
        return same_kind(self.result, other.result) and close(
            other.result, self.result, rtol=share, atol=tolerance
        )


def called(apply: Apply, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Return the outcome of `apply` on copies of these inputs: a result or an error."""
    inputs = deep_copy((args, kwargs))
    try:
        result = apply(*inputs)
    except KeyboardInterrupt:
        raise  # the reader pressed stop
    except BaseException as error:  # SystemExit too: an answer never ends the notebook
        return Call(args, kwargs, error=error)
    return Call(args, kwargs, result, changed=not same(inputs, (args, kwargs)))


def size_of_inputs(call: Call) -> int:
    """Return roughly how much data a call works on; a plain integer counts as a size."""
    plain = [x for x in (*call.args, *call.kwargs.values()) if isinstance(x, int)]
    return sum(map(abs, plain)) + sum(x.numel() for x in _tensors([call.args, call.kwargs]))


@dataclass
class Answer:
    """The learner's function, as the checks call it: a fault becomes a `Wrong` with a reason.

    `seconds`: for all calls together; once they are spent, no further call is made.
    `is_stub`: every call so far raised the stub's own error; None before the first call.
    `slow_line`: the answer's own line that was running when the time was up.
    """

    function: Function
    seconds: float
    calls: list[Call] = field(default_factory=list)
    printed: str = ""
    spent: float = 0.0
    is_stub: bool | None = None
    slow_line: str = ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for copies of the inputs; raise `Wrong` if there is none."""
        call = self.try_on(*args, **kwargs)
        # one unfinished branch does not make a stub: the other calls still earn their points
        self.is_stub = self.is_stub is not False and self._is_of_stub(call.error)
        self.calls.append(call)
        if isinstance(call.error, TooSlow):
            self.slow_line = self.slow_line or self._own_line(call.error)
            raise no_result(self.seconds, self.slow_line) from None
        if call.error is not None:
            raise self._raised(call.error) from call.error
        if call.changed:
            raise Wrong(
                "it changes its input in place: leave that as it is, and return something new",
                "原地修改了输入：不要改动传入的东西，请返回新的结果",
            )
        return call.result

    def try_on(self, *args: Any, **kwargs: Any) -> Call:
        """Return what one call did, made quietly and within the time limit, on copies."""
        if self.spent >= self.seconds:
            return Call(args, kwargs, error=TooSlow())
        start = time.monotonic()
        try:
            return called(self._result, args, kwargs)
        finally:
            self.spent += time.monotonic() - start

    def _result(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with capture() as printed:
            try:
                return call_within(self.seconds - self.spent, self.function, *args, **kwargs)
            finally:
                self.printed = (self.printed + printed.getvalue())[: PRINTED + 1]

    def _is_of_stub(self, error: BaseException | None) -> bool:
        return type(error) is NotImplementedError and not error.args

    def _raised(self, error: BaseException) -> Wrong:
        if isinstance(error, Wrong):  # it brings its own reason
            return error
        return it_raised(type(error).__name__, str(error), self._own_line(error))

    def _own_line(self, error: BaseException) -> str:
        code = getattr(self.function, "__code__", None)
        frames = traceback.walk_tb(error.__traceback__)
        own = [pair for pair in frames if code and pair[0].f_code.co_filename == code.co_filename]
        lines = traceback.StackSummary.extract(own[-1:])  # of all frames: slow
        return (lines[0].line if lines else "") or ""


def deep_copy(inputs: Any) -> Any:
    """Return a copy of the inputs of a call, at any depth, faster than `copy.deepcopy`."""
    clones = {id(x): clone for x in _tensors(inputs) if (clone := _clone(x)) is not None}
    return copy.deepcopy(inputs, clones)


def _clone(x: torch.Tensor) -> torch.Tensor | None:
    """Return a clone with the same strides, None if deepcopy (ten times slower) must do it."""
    if not x.is_leaf or x.is_nested:  # a check may feed back a result: deepcopy refuses these
        return x.detach().clone()
    plain = type(x) is torch.Tensor and x.layout is torch.strided
    if not plain or x.is_quantized or x.requires_grad:
        return None
    if 0 in x.stride():  # expanded: several places share one number, which copy_ refuses
        return None
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=x.device).copy_(x)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    return (leaf for leaf in leaves(value) if isinstance(leaf, torch.Tensor))


def leaves(value: Any) -> Iterator[Any]:
    """Yield the items of nested lists, tuples and dictionaries, at any depth."""
    value = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def it_raised(name: str, text: str, line: str) -> Wrong:
    """Return the reason for an answer that raised the error `name` at its own line `line`.

    The error's message is put on one line: further lines would look like the report's.
    """
    words = " ".join(text[: 4 * QUOTED].split())[:QUOTED]
    at = f" — {line[:QUOTED]}" if line else ""
    message = f"{name}: {words}".strip().rstrip(":")
    return Wrong(f"it raised {message}{at}", f"运行时抛出{message}{at}")


def no_result(seconds: float, line: str) -> Wrong:
    """Return the reason for an answer that ran out of time at its own line `line`."""
    at = f" — {line[:QUOTED]}" if line else ""
    return Wrong(
        f"no result after {seconds:g} s: does a loop never end?{at}",
        f"{seconds:g}秒后仍没有结果：是不是有循环停不下来？{at}",
    )
