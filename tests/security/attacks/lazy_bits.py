"""Returns views with the conjugate and the negative bit set, and one that needs a gradient."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    lazy = torch.ones(3, dtype=torch.complex64).conj()
    return lazy, lazy.imag, torch.ones(3, requires_grad=True).exp()
"""
