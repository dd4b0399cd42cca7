"""Puts a script into an error, a print and the name of a type, which the report repeats."""

ANSWER = """
script = "<script>alert(1)</script>"


def key_minus_query(q_positions, k_positions):
    print(script)
    raise type(script, (Exception,), {})(script + "\\x1b[2J\\x1b]0;gone\\x07")
"""
