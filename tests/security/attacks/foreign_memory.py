"""Returns a tensor of memory that is not there."""

ANSWER = """
import ctypes
import numpy as np
import torch


def key_minus_query(q_positions, k_positions):
    nowhere = (ctypes.c_float * 1000).from_address(4096)
    return torch.from_numpy(np.ctypeslib.as_array(nowhere))
"""
