"""Looks for a pattern that takes years, in compiled code."""

ANSWER = """
import re


def key_minus_query(q_positions, k_positions):
    return re.match("(a*)*b", "a" * 40)
"""
