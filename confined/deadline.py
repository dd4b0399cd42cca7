"""Ends a call that takes too long."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any

AGAIN = 0.05  # seconds until the next try, for code that swallows every exception


class TooSlow(BaseException):  # BaseException, so that `except Exception` lets it pass
    """The time is up."""


def deadline(seconds: float) -> AbstractContextManager[None]:
    """Raise `TooSlow` inside the block once `seconds` have passed, and again until it leaves.

    It also ends a loop that swallows everything with a bare `except:`. On the main thread of a
    POSIX system a timer signal does it, which ends a sleep as well. Elsewhere (Windows, other
    threads) the exception is set in the thread: it comes at the next line of Python, so that a
    single long call into compiled code ends only by itself.
    """
    on_main = threading.current_thread() is threading.main_thread()
    alarm = on_main and hasattr(signal, "setitimer")
    return _signal_deadline(seconds) if alarm else _thread_deadline(seconds)


@contextmanager
def _signal_deadline(seconds: float) -> Iterator[None]:
    block = sys._getframe(2)  # the `with` statement; 1 is contextlib, 0 is this frame
    over = False

    def ring(signum: int, frame: FrameType | None) -> None:
        if not over:
            _insist(frame, block)
            raise TooSlow

    tracing = sys.gettrace()
    handler = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        over = True  # first, and without a call: signals are handled between calls
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
        sys.settrace(tracing)


@contextmanager
def _thread_deadline(seconds: float) -> Iterator[None]:
    block = sys._getframe(2)
    over = False
    thread = ctypes.c_ulong(threading.get_ident())
    done, lock = threading.Event(), threading.Lock()

    class Insistent(TooSlow):
        def __init__(self) -> None:  # Python makes it in the thread, where it is caught first
            if not over:
                _insist(sys._getframe(1), block)

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:  # never after the block has left
                if not done.is_set():
                    error = ctypes.py_object(Insistent)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
            wait = AGAIN

    tracing = sys.gettrace()
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over = True
        while True:  # take the one that may be on its way: clearing it upsets Python 3.11's signals
            try:
                with lock:
                    done.set()
                break
            except TooSlow:
                continue
        sys.settrace(tracing)
        watcher.join()


def _insist(frame: FrameType | None, block: FrameType) -> None:
    # a bare `except:` catches one TooSlow; the next, at the first line after it, is outside the try
    while frame is not None and frame is not block:
        frame.f_trace = _at_the_next_line
        frame = frame.f_back
    sys.settrace(_at_the_next_line)


def _at_the_next_line(frame: FrameType, event: str, arg: Any) -> None:
    if event == "line":
        raise TooSlow
