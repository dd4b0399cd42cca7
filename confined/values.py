"""Plain values as JSON and bytes: what goes into an answer, and what comes back out of it.

| value | in JSON |
|---|---|
| None, bool, int, float, str | itself |
| list, tuple, set, dict | {"list": […]}, {"tuple": […]}, {"set": […]}, {"dict": [[key, value]]} |
| complex | {"complex": [real, imaginary]} |
| tensor | {"tensor": [dtype, shape, first byte]}, numbers in the payload |
| numpy array, numpy scalar | {"array": […]}, {"scalar": […]}, as of a tensor; shape [] if scalar |
| np.float64, np.complex128 | as float, as complex: numpy derives them from Python's |
| dtype, device | {"dtype": name}, {"device": name} |
| a function of the grader | {"function": number}: the other side makes a callable of it |
| a tensor with too many numbers | {"huge": shape}: comes out with that shape, and no numbers |
| a sparse tensor | {"sparse": shape}: comes out sparse and empty |
| anything else | {"other": name of its type}: comes out as an empty object of that name |

`Decoder` reads what a student's process has written: every name is looked up in a list, every
size is checked before memory is allocated, and anything else is a `ProtocolError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from confined.frames import ProtocolError

LARGEST = 10_000_000  # numbers in one message; no exercise needs a tenth of it
DEEPEST = 16  # containers within containers
ITEMS = 100_000  # values in one message

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
        torch.float16, torch.bfloat16, torch.float32, torch.float64,
        torch.complex64, torch.complex128,
    )
}  # fmt: skip
NUMPY = {
    np.dtype(name).str: np.dtype(name)
    for name in ("?", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16")
}

Function = Callable[..., Any]


@dataclass
class Encoder:
    """Collects the bytes of one message; `functions`: what the other side may call."""

    payload: bytearray = field(default_factory=bytearray)
    functions: list[Function] = field(default_factory=list)

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Return `value` as JSON; its numbers go to the payload."""
        if value is None or isinstance(value, bool | int | float | str):
            return _plain(value)
        if depth > DEEPEST:
            return {"other": type(value).__name__}
        if isinstance(value, list | tuple):
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.encode(item, depth + 1) for item in value]}
        if isinstance(value, set | frozenset):
            return {"set": [self.encode(item, depth + 1) for item in sorted(value, key=repr)]}
        if isinstance(value, dict):
            pairs = value.items()
            return {
                "dict": [[self.encode(a, depth + 1), self.encode(b, depth + 1)] for a, b in pairs]
            }
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, np.ndarray | np.generic) and value.dtype.str in NUMPY:
            return self._array(value)
        return self._by_name(value)

    def _tensor(self, value: torch.Tensor) -> Any:
        shape = [int(size) for size in value.shape]
        if value.layout is not torch.strided or value.is_quantized:
            return {"sparse": shape}
        if value.numel() > LARGEST or value.is_meta:
            return {"huge": shape}
        name = str(value.dtype).removeprefix("torch.")
        if name not in DTYPES:
            return {"other": name}
        plain = value.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
        # numpy has no bfloat16: its bits travel as int16
        bits = plain.view(torch.int16) if plain.dtype is torch.bfloat16 else plain
        return {"tensor": [name, shape, self._put(bits.numpy().tobytes())]}

    def _array(self, value: np.ndarray | np.generic) -> Any:
        shape = [int(size) for size in value.shape]
        if value.size > LARGEST:
            return {"huge": shape}
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        return {kind: [value.dtype.str, shape, self._put(value.tobytes())]}

    def _put(self, content: bytes) -> int:
        start = len(self.payload)
        self.payload += content
        return start

    def _by_name(self, value: Any) -> Any:
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return {"device": str(value)}
        if callable(value) and not isinstance(value, type):
            self.functions.append(value)
            return {"function": len(self.functions) - 1}
        return {"other": type(value).__name__}


@dataclass
class Decoder:
    """Reads the values of one message; `function` makes a callable of a function's number.

    `extent`: how many numbers all shapes so far would hold, huge and sparse tensors included, if
    empty axes had length 1. A function that is called with them may make as many.
    """

    payload: bytearray
    function: Callable[[int], Function] | None = None
    items: int = 0
    numbers: int = 0
    extent: int = 0
    read: int = 0  # bytes

    def decode(self, coded: Any, depth: int = 0) -> Any:
        """Return the value that `coded` stands for; `ProtocolError` if it stands for no value."""
        self.items += 1
        if depth > DEEPEST or self.items > ITEMS:
            raise ProtocolError("too many values")
        if coded is None or isinstance(coded, bool | int | float | str):
            return coded
        if not isinstance(coded, dict) or len(coded) != 1:
            raise ProtocolError("not a value")
        ((kind, content),) = coded.items()
        read = getattr(self, f"_read_{kind}", None) if kind in KINDS else None
        if read is None:
            raise ProtocolError(f"unknown kind of value {kind[:50]!r}")
        try:
            return read(content, depth + 1)
        except (TypeError, ValueError, KeyError, IndexError, RuntimeError, OverflowError) as error:
            raise ProtocolError(f"{kind}: {type(error).__name__}"[:200]) from error

    def _read_list(self, content: Any, depth: int) -> list[Any]:
        return [self.decode(item, depth) for item in _list(content)]

    def _read_tuple(self, content: Any, depth: int) -> tuple[Any, ...]:
        return tuple(self._read_list(content, depth))

    def _read_set(self, content: Any, depth: int) -> set[Any]:
        return set(self._read_list(content, depth))

    def _read_dict(self, content: Any, depth: int) -> dict[Any, Any]:
        return {self.decode(a, depth): self.decode(b, depth) for a, b in _list(content)}

    def _read_complex(self, content: Any, depth: int) -> complex:
        real, imaginary = _list(content)
        return complex(float(real), float(imaginary))

    def _read_tensor(self, content: Any, depth: int) -> torch.Tensor:
        name, shape, start = _list(content)
        dtype, shape = DTYPES[name], self._shape(shape)
        data = self._numbers(shape, dtype.itemsize, start)
        if not data:
            return torch.empty(shape, dtype=dtype)
        if dtype is torch.bool:  # torch may take a bool that is neither 0 nor 1 for both
            return torch.frombuffer(data, dtype=torch.uint8).reshape(shape) != 0
        return torch.frombuffer(data, dtype=dtype).reshape(shape)

    def _read_array(self, content: Any, depth: int) -> np.ndarray:
        name, shape, start = _list(content)
        dtype, shape = NUMPY[name], self._shape(shape)
        data = self._numbers(shape, dtype.itemsize, start)
        if dtype == np.bool_:
            return np.frombuffer(data, np.uint8).reshape(shape) != 0
        return np.frombuffer(data, dtype).reshape(shape)

    def _read_scalar(self, content: Any, depth: int) -> np.generic:
        return self._read_array(content, depth)[()]

    def _shape(self, content: Any) -> tuple[int, ...]:
        sizes = _list(content)
        if len(sizes) > DEEPEST or any(type(size) is not int or size < 0 for size in sizes):
            raise ProtocolError("not a shape")
        self.extent += math.prod(max(size, 1) for size in sizes)
        return tuple(sizes)

    def _numbers(self, shape: tuple[int, ...], size: int, start: Any) -> bytearray:
        # each byte is read once: a thousand tensors of the same bytes would fill the memory;
        # an axis may be long if another is empty
        self.numbers += (count := math.prod(shape))
        if max((self.numbers, *shape)) > LARGEST or start != self.read:
            raise ProtocolError("tensors of that size are not sent")
        self.read += count * size
        if self.read > len(self.payload):
            raise ProtocolError("a tensor is longer than its bytes")
        return self.payload[start : self.read]

    def _read_huge(self, content: Any, depth: int) -> torch.Tensor:
        return torch.empty(self._shape(content), device="meta")

    def _read_sparse(self, content: Any, depth: int) -> torch.Tensor:
        return torch.sparse_coo_tensor(size=self._shape(content), check_invariants=True)

    def _read_dtype(self, content: Any, depth: int) -> torch.dtype:
        return DTYPES[content]

    def _read_device(self, content: Any, depth: int) -> torch.device:
        return torch.device({"cpu": "cpu"}[content])

    def _read_function(self, content: Any, depth: int) -> Any:
        if self.function is None or type(content) is not int:
            return empty("function")
        return self.function(content)

    def _read_other(self, content: Any, depth: int) -> Any:
        return empty(content)


KINDS = {name.removeprefix("_read_") for name in vars(Decoder) if name.startswith("_read_")}


def _plain(value: Any) -> Any:
    # a subclass of int or str may have a __repr__ that is not JSON
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return None


def _list(content: Any) -> list[Any]:
    if not isinstance(content, list):
        raise ProtocolError("not a list")
    return content


def empty(name: Any) -> Any:
    """Return an object of a type called `name`, or "object" if that is not a name."""
    fits = isinstance(name, str) and name.isidentifier() and len(name) <= 80
    kind = name if fits else "object"
    return type(kind, (), {"__repr__": lambda _: f"<{kind}>"})()
