"""Takes the alarm away that would end it, then sleeps."""

ANSWER = """
import signal, time


def key_minus_query(q_positions, k_positions):
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(600)
"""
