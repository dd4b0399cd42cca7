"""Asks for a function that it was not given, again and again."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    while True:
        channel().sendall(frame({{"ask": 0, "args": {{"tuple": []}}, "kwargs": {{"dict": []}}}}))
        time.sleep(0.1)
"""
