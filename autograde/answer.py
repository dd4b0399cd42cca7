"""Calls a learner's function and survives whatever it does; remembers each call for diagnosis."""

from __future__ import annotations

import contextlib
import copy
import io
import traceback
import warnings
from dataclasses import dataclass, field
from typing import Any

import torch

from autograde.deadline import TooSlow, deadline
from autograde.exercise import Function
from autograde.expect import LARGEST, Wrong

PRINTED = 2_000  # characters of a learner's own prints that are shown


class Unsolved(Exception):
    """The answer is still the stub."""


@dataclass(frozen=True)
class Call:
    """One call of the answer: what went in, and what came out or was raised."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any = None
    error: type[BaseException] | None = None


@dataclass
class Answer:
    """The learner's function, as the checks call it: every fault becomes a `Wrong`."""

    function: Function
    seconds: float
    calls: list[Call] = field(default_factory=list)
    printed: str = ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on copies of the inputs, quietly and within the time limit."""
        given, named = copy.deepcopy((args, kwargs))
        try:
            result = self._quietly(given, named)
        except NotImplementedError as error:
            if error.args:
                self._remember(args, kwargs, error=error)
                raise self._raised(error) from error
            raise Unsolved from error
        except TooSlow as error:
            self._remember(args, kwargs, error=error)
            raise Wrong(
                f"no result after {self.seconds:g} s: does a loop never end?",
                f"{self.seconds:g}秒后仍没有结果：是不是有循环停不下来？",
            ) from None
        except (Exception, SystemExit) as error:
            self._remember(args, kwargs, error=error)
            raise self._raised(error) from error
        self._remember(args, kwargs, result=result)
        if not same((given, named), (args, kwargs)):
            raise Wrong(
                "it changes its input in place: compute a new tensor instead",
                "原地修改了输入：请计算新的张量，不要改动传入的张量",
            )
        return result

    def _quietly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # stderr in a grade cell costs all points in nbgrader: prints and warnings are kept apart
        said = io.StringIO()
        try:
            with (
                contextlib.redirect_stdout(said),
                contextlib.redirect_stderr(said),
                warnings.catch_warnings(),
                deadline(self.seconds),
            ):
                warnings.simplefilter("ignore")
                return self.function(*args, **kwargs)
        finally:
            self.printed = (self.printed + said.getvalue())[: PRINTED + 1]

    def _remember(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        result: Any = None,
        error: BaseException | None = None,
    ) -> None:
        if isinstance(result, torch.Tensor) and result.numel() > LARGEST:
            result = None
        self.calls.append(Call(args, kwargs, result, type(error) if error else None))

    def _raised(self, error: BaseException) -> Wrong:
        frames = traceback.extract_tb(error.__traceback__)
        code = getattr(self.function, "__code__", None)
        own = [frame for frame in frames if code and frame.filename == code.co_filename]
        line = own[-1].line if own else ""
        at = f" — {line}" if line else ""
        said = f"{type(error).__name__}: {error}".strip().rstrip(":")[:500]
        return Wrong(f"it raised {said}{at}", f"运行时抛出{said}{at}")


def same(left: Any, right: Any, *, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Return whether two results are equal: tensors by shape and value, containers item by item."""
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        if left.shape != right.shape or left.is_sparse or right.is_sparse:
            return False
        if left.is_complex() or right.is_complex():
            return torch.allclose(
                left.detach().to(torch.complex128),
                right.detach().to(torch.complex128),
                rtol=rtol,
                atol=atol,
                equal_nan=True,
            )
        return torch.allclose(
            left.detach().double(), right.detach().double(), rtol=rtol, atol=atol, equal_nan=True
        )
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(
            same(a, b, rtol=rtol, atol=atol) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            same(left[key], right[key], rtol=rtol, atol=atol) for key in left
        )
    if isinstance(left, int | float) and isinstance(right, int | float):
        close = abs(left - right) <= atol + rtol * abs(right)
        return close or (left != left and right != right)
    return type(left) is type(right) and (left is right or bool(left == right))
