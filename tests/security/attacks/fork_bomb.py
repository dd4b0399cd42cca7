"""Forks until nothing is left to fork with."""

from tests.security.pieces import everywhere

ANSWER = everywhere("while True:\n    os.fork()")
NEEDS = 2
PLAIN = "would stop this machine"
