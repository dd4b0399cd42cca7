"""Limits of the processes that grade: beyond them one ends, and with it one submission, no more."""

from __future__ import annotations

import importlib
import math
import os
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
    """Let the block take at most so many seconds of CPU; the system ends a process beyond them."""
    resource = importlib.import_module("resource")
    before, hard = resource.getrlimit(resource.RLIMIT_CPU)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(usage.ru_utime + usage.ru_stime + seconds)
    most = until if hard == resource.RLIM_INFINITY else min(until, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (before, hard))
