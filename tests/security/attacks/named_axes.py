"""Returns a tensor whose axes have names."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    return torch.full((len(q_positions), len(k_positions)), 7.0, names=("query", "key"))
"""
