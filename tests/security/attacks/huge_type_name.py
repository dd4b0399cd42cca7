"""Raises an error of a type whose name has five million letters."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    raise type("E" * 5_000_000, (Exception,), {})("x")
"""
