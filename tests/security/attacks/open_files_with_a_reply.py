"""Passes two hundred open files to the grader along with each reply."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    files = [os.dup(1) for _ in range(200)]
    for _ in range(50):
        socket.send_fds(channel(), [frame({{"result": 2.0}})], files)
    time.sleep(60)
"""
