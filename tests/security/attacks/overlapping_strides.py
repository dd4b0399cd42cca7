"""Returns a view whose places overlap, and one of no places with a long axis."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    return torch.ones(100).as_strided((10, 10, 10), (1, 1, 1)), torch.empty(0, 2**40).T
"""
