"""FIRE: the formula as loops (no library has it), and where it stops being relative."""

import math

import pytest
import torch

from posenc_ref import positions
from posenc_ref.fire import FireBias, fire_input


def test_input_equals_the_formula_as_loops(where):
    c, threshold = 0.7, 4.0
    at = positions(9, device=where)
    numbers = (torch.tensor(x, dtype=torch.float64, device=where) for x in (c, threshold))
    found = fire_input(at, at, *numbers)
    for i in range(9):
        for j in range(9):
            share = math.log(c * max(i - j, 0) + 1) / math.log(c * max(threshold, i) + 1)
            assert found[i, j].item() == pytest.approx(share, abs=1e-14)


def test_relative_up_to_the_threshold_only():
    module = FireBias(2, threshold=16.0)
    bias = module(positions(40), positions(40)).detach()
    beside = bias.diagonal(-1, dim1=1, dim2=2)  # distance 1 from query 1, 2, …
    torch.testing.assert_close(beside[:, :15], beside[:, :1].expand(2, 15))
    assert (beside[:, -1] - beside[:, 0]).abs().min() > 1e-5


def test_learns_and_loads():
    module = FireBias(3, threshold=2.0)
    bias = module(positions(5), positions(5))
    assert bias.shape == (3, 5, 5)
    bias.square().sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in module.parameters())
    FireBias(3).load_state_dict(module.state_dict(), strict=True)
    rows = torch.stack((positions(5), positions(5)))
    torch.testing.assert_close(module(rows, rows), bias.expand(2, 3, 5, 5))


def test_bad_sizes_are_named():
    with pytest.raises(ValueError, match=r"must be positive, got 0, 32, 512\.0"):
        FireBias(0)
    with pytest.raises(ValueError, match="must be positive, got 1, 32, 0"):
        FireBias(1, threshold=0)
