"""Puts another socket under the number of the worker's own, and gives the orders itself."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}
mine, theirs = socket.socketpair()
theirs.sendall(frame({{"do": "run", "source": "print(2.0)"}}) * 100)
kept = channel()
os.dup2(mine.fileno(), kept.fileno())
{WORTHLESS}"""
