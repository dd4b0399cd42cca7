"""Sends made-up scores, results and an empty reply, one after the other."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    for reply in ({{"score": 2.0}}, {{"result": {{"other": "Verdict"}}}}, {{"result": 2.0}}, {{}}):
        channel().sendall(frame(reply))
    return 2.0
"""
