"""Sleeps when the garbage collector runs, and when its objects end."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import gc, time


class Slow:
    __del__ = lambda self: time.sleep(100)


kept = [Slow() for _ in range(100)]
gc.callbacks.append(lambda *args: time.sleep(0.2))
"""
