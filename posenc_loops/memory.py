"""What loops that numba compiles need to know of torch: its memory and its 16-bit floats.

A tensor is an address, strides and a dtype. Loops get the first two as integers; views as numpy
arrays would take longer to make than a decode step's sums take. bfloat16 and float16 are read and
written as 16 bits, computed with as float32 and rounded once, as torch rounds.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from mmap import PAGESIZE
from typing import NamedTuple

import numpy as np
import torch
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import njit, types
from numba.core import cgutils
from numba.core.config import CPU_NAME
from numba.extending import intrinsic
from torch import Tensor
from torch._C import (
    DispatchKey,
    _dispatch_tls_is_dispatch_key_included,
    _get_tracing_state,
    _len_torch_dispatch_stack,
)

POPULATE_WRITE = 23  # of madvise(2), Linux 5.14; an older one refuses it, and nothing is lost

madvise = ctypes.CDLL(None).madvise
madvise.argtypes, madvise.restype = (ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int), ctypes.c_int

_BEFORE_DISPATCH = DispatchKey.PreDispatch
_CLASSES = (Tensor, torch.nn.Parameter)


def dense(x: Tensor) -> bool:
    """Tell whether x is plain numbers in CPU memory: no class or sign of its own, not sparse."""
    return type(x) in _CLASSES and x.is_cpu and x.layout is torch.strided and not x.is_neg()


def unwatched() -> bool:
    """Tell whether no mode and no tracer follows what torch is asked to do."""
    return (
        not _len_torch_dispatch_stack()
        and not _dispatch_tls_is_dispatch_key_included(_BEFORE_DISPATCH)
        and _get_tracing_state() is None
    )


@intrinsic
def pointer(_typing, address):
    """Read an integer as an address."""

    def generate(_context, builder, _signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@njit
def ask_for_pages(start: int, end: int) -> None:
    """Have fresh memory from address `start` up to `end` at once, not page by page when touched.

    A fault for each page of 4 KiB takes longer than turning and writing its numbers.
    """
    first = start // PAGESIZE * PAGESIZE
    madvise(first, end - first, POPULATE_WRITE)


@njit
def _same(value):
    return value


@njit
def _from_bfloat16(bits):
    return np.uint32(np.uint32(bits) << np.uint32(16)).view(np.float32)


@njit
def _to_bfloat16(value):
    bits = np.float32(value).view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    up = np.uint32(0x7FFF) + odd  # to the nearest, ties go to even
    # NaN is cut: rounded, its bits could become a number's (and to choose here is quick)
    return np.uint16((bits + np.uint32(up if value == value else 0)) >> np.uint32(16))


@intrinsic
def _from_float16(_typing, bits):
    def generate(_context, builder, _signature, arguments):
        return builder.fpext(builder.bitcast(arguments[0], ir.HalfType()), ir.FloatType())

    return types.float32(types.uint16), generate


@intrinsic
def _to_float16(_typing, value):
    def generate(_context, builder, _signature, arguments):
        return builder.bitcast(builder.fptrunc(arguments[0], ir.HalfType()), ir.IntType(16))

    return types.uint16(types.float32), generate


class Format(NamedTuple):
    """How numbers of a dtype lie in memory, the dtype they are computed in, the ways between."""

    memory: np.dtype
    computed: np.dtype
    read: Callable
    write: Callable


_single, _double, _bits = (np.dtype(name) for name in ("float32", "float64", "uint16"))
FORMATS = {
    torch.float64: Format(_double, _double, _same, _same),
    torch.float32: Format(_single, _single, _same, _same),
    torch.bfloat16: Format(_bits, _single, _from_bfloat16, _to_bfloat16),
}
if platform.machine() == "aarch64" or (get_host_cpu_features().get("f16c") and not CPU_NAME):
    # a processor without the instructions would want a library that numba does not bring
    FORMATS[torch.float16] = Format(_bits, _single, _from_float16, _to_float16)
