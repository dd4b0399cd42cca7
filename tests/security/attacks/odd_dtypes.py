"""Returns tensors of dtypes that numpy has not: float8, complex32, bits."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    one = torch.ones(3)
    bits = torch.empty(3, dtype=torch.bits8)
    return [one.to(torch.float8_e5m2), one.to(torch.complex32), one.to(torch.uint64), bits]
"""
