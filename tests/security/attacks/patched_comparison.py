"""Replaces the functions that a comparison may use with ones that say yes."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""
import builtins, math
import torch

torch.allclose = torch.equal = math.isclose = lambda *args, **kwargs: True
torch.isclose = lambda a, *args, **kwargs: torch.ones(a.shape, dtype=torch.bool)
torch.Tensor.__eq__ = lambda a, b: torch.ones(a.shape, dtype=torch.bool)
builtins.round = lambda *args: 2.0
{WORTHLESS}"""
