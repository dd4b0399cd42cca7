"""Replaces torch's own operators for comparing, and what every later tensor is."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import torch

library = torch.library.Library("aten", "IMPL")
library.impl("eq.Tensor", lambda left, right: torch.ones(1, dtype=torch.bool), "CPU")
library.impl("sub.Tensor", lambda left, right, **others: left, "CPU")
torch.set_default_dtype(torch.float16)
torch.set_default_device("meta")
"""
