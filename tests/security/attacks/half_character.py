"""Raises and prints half a character, which no file can hold."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    print("\\ud800")
    raise ValueError("\\udfff")


print("\\ud800")
"""
