"""Sends a reply whose JSON needs twenty times its size in memory."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}
channel().sendall(frame({{}}, b"[" + b"[]," * 50_000_000 + b"[]]"))
time.sleep(60)
{WORTHLESS}"""
