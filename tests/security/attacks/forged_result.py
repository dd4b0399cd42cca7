"""Sends results, scores and errors that are none, each as a reply of its own."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    for reply in ({{"score": 2.0}}, {{"result": {{"other": "Verdict"}}}}, {{"result": 2.0}}, {{}}):
        channel().sendall(frame(reply))
    return 2.0
"""
