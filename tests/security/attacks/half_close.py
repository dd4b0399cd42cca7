"""Closes one direction of the socket and keeps the other."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    channel().shutdown(socket.SHUT_WR)
    time.sleep(60)
"""
