"""Has faulthandler write its frames into the channel, over and over."""

from tests.security.pieces import CHANNEL

ANSWER = f"""{CHANNEL}

def key_minus_query(q_positions, k_positions):
    import faulthandler

    faulthandler.dump_traceback_later(0.1, repeat=True, file=channel().fileno())
    time.sleep(60)
"""
