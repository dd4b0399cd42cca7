"""Ends a call that takes too long."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

AGAIN = 0.05  # seconds until the next try, for code that swallows every exception
SOON = 1e-6  # a timer set to 0 never rings

Result = TypeVar("Result")


class TooSlow(BaseException):  # BaseException, so that `except Exception` lets it pass
    """The time is up."""


def call_within(
    seconds: float, function: Callable[..., Result], /, *args: Any, **kwargs: Any
) -> Result:
    """Return what the call returns; raise `TooSlow` in it after `seconds`, until it has ended.

    This also ends a loop that swallows everything with a bare `except:`. On the main thread of a
    POSIX system a timer signal raises it, and ends a sleep as well. Elsewhere (Windows, other
    threads) the exception is set in the thread and raised at the next line of Python, so that a
    single long call into compiled code is not interrupted.
    """
    return _call_within(seconds, monotonic, function, args, kwargs)


def call_within_cpu(
    seconds: float, function: Callable[..., Result], /, *args: Any, **kwargs: Any
) -> Result:
    """Return what the call returns, as `call_within` does, but count this thread's CPU time.

    A machine that others keep busy then changes nothing. If a thread's CPU time cannot be read
    from another thread (Windows, macOS), wall-clock time counts.
    """
    clock = monotonic
    if hasattr(time, "pthread_getcpuclockid"):
        own = time.pthread_getcpuclockid(threading.get_ident())
        clock = partial(time.clock_gettime, own)
    return _call_within(seconds, clock, function, args, kwargs)


def _call_within(
    seconds: float,
    clock: Callable[[], float],
    function: Callable[..., Result],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Result:
    on_main = threading.current_thread() is threading.main_thread()
    kind = _Alarm if on_main and hasattr(signal, "setitimer") else _Watcher
    deadline = kind(seconds, clock, sys._getframe())
    try:
        deadline.begin()
        return function(*args, **kwargs)
    finally:
        deadline.over = True  # no call, so no interrupt comes in between: from here it is over
        try:
            deadline.end()
        except TooSlow:  # a watcher's, already on its way, or an outer call's
            deadline.end()
            raise


class _Deadline:
    """Raises nothing once it is `over`; `end` only tidies up, and may be called again."""

    def __init__(self, seconds: float, clock: Callable[[], float], caller: FrameType) -> None:
        self.seconds = max(seconds, SOON)
        self.clock, self.until = clock, clock() + self.seconds
        self.caller: FrameType | None = caller
        self.tracing = sys.gettrace()
        self.over = False

    def left(self) -> float:
        """Return the seconds left; CPU time takes at least as long by the wall clock."""
        return self.until - self.clock()

    def insist(self, frame: FrameType | None) -> None:
        """Raise again at the next line, outside the `try` whose bare `except:` caught the first."""
        while frame is not None and frame is not self.caller:
            frame.f_trace = _at_the_next_line
            frame = frame.f_back
        sys.settrace(_at_the_next_line)

    def end(self) -> None:
        sys.settrace(self.tracing)
        self.caller = None  # this frame holds this object: break the cycle


class _Alarm(_Deadline):
    """A timer of the system, which interrupts the main thread."""

    def __init__(self, seconds: float, clock: Callable[[], float], caller: FrameType) -> None:
        super().__init__(seconds, clock, caller)
        self.started = monotonic()
        self.timer = signal.getitimer(signal.ITIMER_REAL)
        self.handler = signal.getsignal(signal.SIGALRM)

    def begin(self) -> None:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if self.over:
            self.end()  # Ctrl-C cut an earlier `end` short
        elif (left := self.left()) > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
        else:
            self.insist(frame)
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            raise TooSlow

    def end(self) -> None:
        super().end()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.handler)
        left, again = self.timer
        if left:  # an outer call's timer goes on
            left -= monotonic() - self.started
            signal.setitimer(signal.ITIMER_REAL, left if left > 0 else again, again)
            if left <= 0:  # late: a new timer might ring after that call has ended
                signal.raise_signal(signal.SIGALRM)


class _Watcher(_Deadline):
    """A thread that has Python raise in the calling thread."""

    def __init__(self, seconds: float, clock: Callable[[], float], caller: FrameType) -> None:
        super().__init__(seconds, clock, caller)
        self.begun, self.done = threading.Lock(), threading.Lock()
        number = ctypes.c_ulong(threading.get_ident())
        self.thread = threading.Thread(target=self._watch, args=(number,), daemon=True)

    def begin(self) -> None:
        self.begun.acquire()
        self.done.acquire()
        self.thread.start()
        self.begun.release()  # an exception in the middle of `start` spoils its locks

    def _watch(self, number: ctypes.c_ulong) -> None:
        error = ctypes.py_object(_insistent(self))
        self.begun.acquire()
        wait = self.seconds
        while not self.done.acquire(timeout=wait) and not self.over:
            wait = self.left()
            if wait <= 0:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(number, error)
                wait = AGAIN

    def end(self) -> None:
        super().end()
        for lock in (self.begun, self.done):
            if lock.locked():
                lock.release()
        if self.thread.is_alive():
            self.thread.join()  # a pending error comes here: clearing it upsets 3.11's signals


def _insistent(deadline: _Deadline) -> type[TooSlow]:
    class Insistent(TooSlow):
        def __init__(self) -> None:  # Python makes it in the thread, where it is caught first
            if not deadline.over:
                deadline.insist(sys._getframe(1))

    return Insistent


def _at_the_next_line(frame: FrameType, event: str, arg: Any) -> None:
    if event == "line":
        raise TooSlow
