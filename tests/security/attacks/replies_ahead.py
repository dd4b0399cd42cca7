"""Sends its replies before it is asked, so that each answers another question."""

from tests.security.pieces import CHANNEL, WORTHLESS

ANSWER = f"""{CHANNEL}{WORTHLESS}
for reply in ({{}}, {{"kind": "function"}}, {{"result": None}}, {{"closed": True}}, {{"ask": 0}}):
    channel().sendall(frame(reply))
"""
