"""Limits of the processes that grade: one that exceeds them ends, and loses one submission."""

from __future__ import annotations

import importlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from autograde.grading.limits import MEMORY

CORE = 0  # no dump of a process that holds submissions


def limit_memory() -> None:
    """Have this process, and those that it starts, get a MemoryError beyond `MEMORY`."""
    if not hasattr(os, "fork"):
        return  # Windows has no such limits; there only a cluster grades
    resource = importlib.import_module("resource")
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (CORE, CORE))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Limit the block to so many seconds of CPU; the system ends a process that takes more.

    By a timer that starts here: RLIMIT_CPU counts from the process's start, in clock ticks, and
    after minutes differs from `getrusage` by seconds. Windows has neither.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, *before)
