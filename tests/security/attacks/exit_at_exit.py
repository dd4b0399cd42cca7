"""Leaves work for the end of the process, and ends it with SystemExit."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import atexit, sys

atexit.register(lambda: print("2.0"))
get_ipython().displayhook(2.0)
sys.exit(0)
"""
