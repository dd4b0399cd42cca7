"""Returns one number, expanded by strides of zero to more than any memory."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    return torch.ones(1).expand(2**50)
"""
