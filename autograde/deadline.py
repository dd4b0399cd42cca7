"""Ends a call that takes too long."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(BaseException):
    """The time is up. Not an `Exception`, so that a learner's `except Exception` lets it pass."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` inside the block once `seconds` have passed, and again until it leaves.

    On the main thread of a POSIX system a timer signal does it, which also ends a sleep. Elsewhere
    (Windows, other threads) the exception is set in the thread: it comes at the next line of
    Python, so that a single long call into compiled code ends only by itself.
    """
    alarm = hasattr(signal, "setitimer")
    if alarm and threading.current_thread() is threading.main_thread():
        with _signal_deadline(seconds):
            yield
    else:
        with _thread_deadline(seconds):
            yield


@contextmanager
def _signal_deadline(seconds: float) -> Iterator[None]:
    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)  # again: the code may swallow the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _thread_deadline(seconds: float) -> Iterator[None]:
    thread = ctypes.c_ulong(threading.get_ident())
    done, lock = threading.Event(), threading.Lock()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:  # never after the block has left
                if not done.is_set():
                    error = ctypes.py_object(TooSlow)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
            wait = 0.5

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with lock:
            done.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)
        watcher.join()
