"""Stops its process with SIGSTOP while it is called."""

ANSWER = """
import os, signal


def key_minus_query(q_positions, k_positions):
    os.kill(os.getpid(), signal.SIGSTOP)
"""
