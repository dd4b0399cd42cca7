"""Holds a process to its limits with setrlimit(2)."""

from __future__ import annotations

import importlib

from confined.limits import MEBI, Limits

STACK = 8  # MiB; RLIMIT_DATA does not include it


def set_process_limits(limits: Limits) -> None:
    """Hold this process and its children to `limits` (setrlimit(2))."""
    resource = importlib.import_module("resource")  # Windows lacks it, and imports this file too
    seconds = int(limits.submission_seconds) + 1
    for what, most in (
        (resource.RLIMIT_CPU, seconds * 4),  # for several threads
        (resource.RLIMIT_DATA, limits.memory * MEBI),
        (resource.RLIMIT_STACK, STACK * MEBI),
        (resource.RLIMIT_FSIZE, limits.file * MEBI),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        hard = resource.getrlimit(what)[1]
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (soft, soft))
