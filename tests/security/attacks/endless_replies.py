"""Sends replies from another process as fast as the socket takes them."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}{WORTHLESS}
if os.fork() == 0:
    while True:
        channel().sendall(frame({{"kind": "function", "result": None}}))
"""
