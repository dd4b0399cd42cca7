"""Returns nested tensors, whose rows have different lengths, in both layouts."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    rows = [torch.ones(3), torch.ones(5)]
    jagged = torch.nested.nested_tensor(rows, layout=torch.jagged)
    return torch.nested.nested_tensor(rows), jagged
"""
