"""Limits of the processes that grade: beyond them one ends, and with it one submission, no more."""

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
        return  # Windows, which hands a class to a cluster, has no such limits
    resource = importlib.import_module("resource")
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (CORE, CORE))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let the block take at most so many seconds of CPU; the system ends a process beyond them.

    A timer, which begins here: RLIMIT_CPU counts from the process's start, by the ticks of a clock,
    and after minutes is seconds away from what `getrusage` says. Windows has neither.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, *before)
