"""Reads the address 0, in the cell and in the answer."""

ANSWER = """
import ctypes


def key_minus_query(q_positions, k_positions):
    ctypes.string_at(0)


key_minus_query(0, 0)
"""
