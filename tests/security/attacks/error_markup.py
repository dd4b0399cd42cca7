"""Raises an error whose words are Markdown, HTML, a format and directions of writing."""

ANSWER = """
def key_minus_query(q_positions, k_positions):
    raise ValueError("\\u202e</pre><script>{0.__class__}%(x)s\\u2066 [a](javascript:1) `$x$`")
"""
