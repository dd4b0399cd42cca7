"""Lets no other thread run, and computes for ever in two."""

ANSWER = """
import sys, threading


def key_minus_query(q_positions, k_positions):
    sys.setswitchinterval(1e6)
    threading.Thread(target=sum, args=(iter(int, 1),)).start()
    sum(iter(int, 1))
"""
