"""Ends its process while it is checked."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    import os

    os._exit(0)
"""
