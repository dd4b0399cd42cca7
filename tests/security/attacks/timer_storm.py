"""Rings the alarm that should end it every microsecond, and hears nothing."""

ANSWER = """
import signal


def key_minus_query(q_positions, k_positions):
    signal.signal(signal.SIGALRM, lambda *rings: None)
    signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
    while True:
        pass
"""
