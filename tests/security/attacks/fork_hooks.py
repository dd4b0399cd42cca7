"""Sleeps and prints in hooks that Python calls at every fork."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import os, time

os.register_at_fork(
    before=lambda: time.sleep(0.5),
    after_in_child=lambda: time.sleep(2),
    after_in_parent=lambda: print(2.0),
)
"""
