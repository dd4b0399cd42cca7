"""The processes that grade on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver, get_context, parent_process
from threading import Thread
from typing import Any

from autograde.grading.cores import cores
from autograde.grading.grader_limits import limit_memory

SCORING = ("autograde.grading.preloaded",)
# pictures first: it only starts a process, which gets ready during the other module's imports
SCORING_AND_PICTURES = ("autograde.grading.preloaded_pictures", *SCORING)


class GradingPool(Executor):
    """A pool of processes; when one of them dies, which breaks the pool, a new pool takes over.

    Calls that the old pool had begun fail with BrokenProcessPool, and can be submitted again.
    """

    def __init__(
        self, workers: int | None = None, preloaded: Sequence[str] = SCORING_AND_PICTURES
    ) -> None:
        """Start this many processes; None: one for each core that this process may use.

        preloaded: the modules that are imported once for all of them.
        """
        self.workers, self.preloaded = workers or cores(), preloaded
        self.pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = get_context("forkserver")  # one process imports torch, the others are its forks
        context.set_forkserver_preload([*self.preloaded])
        forkserver.ensure_running()  # it imports while the grader reads the gradebook
        return ProcessPoolExecutor(self.workers, context, _begin)

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

    def __exit__(self, kind: type[BaseException] | None, *raised: Any) -> None:
        """End the processes; after an error, cancel the calls that wait."""
        self.shutdown(cancel_futures=kind is not None)


def _begin() -> None:
    limit_memory()
    # a pool's process ends with the grader that started it, even if that is killed
    Thread(target=_end_with_the_grader, daemon=True).start()


def _end_with_the_grader() -> None:
    parent_process().join()
    os._exit(1)
