"""Returns sparse tensors of each layout, one with places beyond its shape."""

ANSWER = """
import torch


def key_minus_query(q_positions, k_positions):
    beyond = torch.sparse_coo_tensor([[9**9], [0]], [1.0], (3, 3), check_invariants=False)
    return beyond, torch.ones(3, 3).to_sparse_csr(), torch.ones(4, 4).to_sparse_bsr((2, 2))
"""
