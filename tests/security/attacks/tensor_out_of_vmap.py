"""Returns a tensor that it kept from the inside of torch.func.vmap."""

ANSWER = """
import torch

kept = []
torch.func.vmap(lambda row: (kept.append(row), row)[1])(torch.ones(3))


def key_minus_query(q_positions, k_positions):
    return kept[0]
"""
