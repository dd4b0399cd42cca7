"""The processes that judge on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver, get_context, parent_process
from threading import Thread
from typing import Any


class Judges(Executor):
    """A pool of processes; when one of them dies, which breaks a pool, a new pool takes over.

    What the old pool had begun fails with BrokenProcessPool, and can be submitted again.
    """

    def __init__(self, workers: int | None = None) -> None:
        """Start with so many processes, one for each core of this machine if None."""
        self.workers = workers or os.cpu_count()
        self.pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = get_context("forkserver")  # one process imports torch, the others are its forks
        context.set_forkserver_preload(["autograde.grading.ahead", "autograde.grading.notebook"])
        forkserver.ensure_running()  # it imports while the grader reads the gradebook
        return ProcessPoolExecutor(self.workers, context, _end_with_the_grader)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process of the pool call `fn`."""
        try:
            return self.pool.submit(fn, *args, **kwargs)
        except BrokenProcessPool:
            self.pool.shutdown(wait=False)
            self.pool = self._new_pool()
            return self.pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        self.pool.shutdown(wait, cancel_futures=cancel_futures)


def _end_with_the_grader() -> None:
    """See to it that this process ends with the one that started it, be that killed."""
    Thread(target=_wait_for_its_end, daemon=True).start()


def _wait_for_its_end() -> None:
    parent_process().join()
    os._exit(1)
