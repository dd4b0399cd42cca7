"""Takes away the tracer that ends it, again and again, and sets a profiler."""

ANSWER = """
import sys, threading


def key_minus_query(q_positions, k_positions):
    follow = lambda *event: follow
    sys.setprofile(follow)
    threading.setprofile(follow)
    while True:
        try:
            while True:
                sys.settrace(None)
        except BaseException:
            pass
"""
