"""Traces every call and changes the local variables of the functions that compare."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import sys


def trace(frame, event, arg):
    for name in ("reason", "got", "want", "share"):
        if name in frame.f_locals:
            frame.f_locals[name] = None
    return trace


sys.settrace(trace)
"""
