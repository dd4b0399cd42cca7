"""Locks files that every process reads, for the grader to wait for."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import fcntl
kept = [open(path) for path in (torch.__file__, os.__file__)]
for file in kept:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
time.sleep(1)
""")
