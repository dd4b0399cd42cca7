"""Sends a message one byte a second."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    for byte in frame({{"result": None}}, bytes(1000)):
        channel().sendall(bytes([byte]))
        time.sleep(0.5)
"""
