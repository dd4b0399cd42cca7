"""Takes the limit of recursion away and calls itself."""

ANSWER = """
import sys


def key_minus_query(q_positions, k_positions):
    sys.setrecursionlimit(10**9)
    return key_minus_query(q_positions, k_positions)
"""
