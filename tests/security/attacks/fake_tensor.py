"""Returns a tensor of torch's compiler, which has a shape and no numbers."""

ANSWER = """
import torch
from torch._subclasses import FakeTensorMode


def key_minus_query(q_positions, k_positions):
    with FakeTensorMode():
        return torch.full((len(q_positions), len(k_positions)), 7)
"""
