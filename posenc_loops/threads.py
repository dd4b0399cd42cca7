"""The threads of torch, lent to loops: its OpenMP is asked as compiled code asks it.

Other threads would not do. Those of torch spin for a while after each call, and who shares the
cores with them waits: RoPE took a sixth longer on threads of Python's. numba's own do as torch's,
but belong to a library of the system's, which is not there everywhere.
"""

from __future__ import annotations

import ctypes
import inspect
import os
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from numba import cfunc, types

PROCESS = os.getpid()  # OpenMP's threads do not follow into a fork


def _openmp() -> ctypes.CDLL | None:
    """Return GNU's OpenMP if torch has loaded it."""
    try:
        return ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD)
    except OSError:
        return None


OPENMP = _openmp()
if OPENMP:
    # what `#pragma omp parallel` becomes: body, its data, threads, flags
    OPENMP.GOMP_parallel.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)
    OPENMP.GOMP_parallel.restype = None


def threads() -> int:
    """Return how many threads a loop may use: 1 in a forked child."""
    return torch.get_num_threads() if OPENMP and os.getpid() == PROCESS else 1


def lent() -> bool:
    """Tell whether a loop may use as many threads as torch does."""
    return OPENMP is not None or torch.get_num_threads() == 1


class Loop:
    """Work on memory that numba compiles, whose parts are numbered.

    `part(thread, count, *arguments)` does what falls to this of so many threads; arguments are
    integers. `alone(*arguments)` does all in the calling thread.
    """

    def __init__(self, part: Callable) -> None:
        """Compile nothing yet."""
        self.part, self.alone = part, partial(part, 0, 1)
        self._body: Callable | None = None

    def together(self, *arguments: int) -> None:
        """Do all parts, each thread some."""
        count = threads()
        if count == 1:
            self.alone(*arguments)
            return
        body = self._body = self._body or _body(self.part)  # kept while it runs
        job = (ctypes.c_int64 * len(arguments))(*arguments)
        OPENMP.GOMP_parallel(body.address, job, count, 0)


def _body(part: Callable) -> Callable:
    """Return what each thread is to call: numba compiles it at once."""
    which, count = OPENMP.omp_get_thread_num, OPENMP.omp_get_num_threads
    for asked in (which, count):
        asked.argtypes, asked.restype = (), ctypes.c_int
    arguments = len(inspect.signature(part.py_func).parameters) - 2

    @cfunc(types.void(types.CPointer(types.UniTuple(types.int64, arguments))))
    def body(job):
        part(np.int64(which()), np.int64(count()), *job[0])  # as `alone`: compiled once for both

    return body
