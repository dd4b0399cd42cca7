"""Returns a quantised tensor."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    result = torch.full((len(q_positions), len(k_positions)), 7.0)
    return torch.quantize_per_tensor(result, 0.1, 0, torch.qint8)
"""
