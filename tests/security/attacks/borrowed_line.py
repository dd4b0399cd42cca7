"""Raises a SyntaxError of a file and a line that are not its own."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    raise SyntaxError("2.0", ("/etc/passwd", 1, 1, None, 1, 2))
"""
