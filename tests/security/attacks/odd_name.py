"""Puts an object in the answer's place whose type has a name with a zero in it."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}{WORTHLESS}
worker = __import__("sys").modules["confined.worker"]
said = worker.send
worker._open = lambda channel, *args: said(channel, {{"kind": "value", "type": "a\\0b"}})
"""
