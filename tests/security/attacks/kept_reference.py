"""Keeps the reference under another name, in a closure and in a cache, and answers with it."""

ANSWER = """
import functools
from posenc_ref import relative_positions as kept

cached = functools.lru_cache(lambda: kept)
cached()


def key_minus_query(q_positions, k_positions, known=kept):
    return known(q_positions, k_positions)
"""
