"""Sandwich equals NeMo's file, and is the sinusoidal dot product in disguise."""

import pytest
import torch

from posenc_ref import positions, sinusoidal
from posenc_ref.sandwich import sandwich


def test_equals_nemo(golden, where):
    for case in golden("sandwich_nemo"):
        q, k = positions(4, start=3, device=where), positions(7, device=where)
        found = sandwich(q, k, case["heads"], dim=case["dim"])
        (expected,) = torch.tensor(case["values"])
        torch.testing.assert_close(found.cpu(), expected, rtol=1e-5, atol=2e-5)


def test_is_the_dot_product_of_sinusoids_but_for_the_first_pair():
    table = sinusoidal(positions(9), 16, dtype=torch.float64)[:, 2:]  # without frequency 1
    slowest = 10000.0**-1  # i = d/2, which the table does not have
    relative = (positions(9) - positions(9)[:, None]).double()
    total = table @ table.T + (relative * slowest).cos()
    found = sandwich(positions(9), positions(9), 8, dim=16, dtype=torch.float64)
    torch.testing.assert_close(found[0], total - 8)
    torch.testing.assert_close(found[7], found[0] / 8)


def test_zero_at_itself_negative_elsewhere_and_distance_only():
    found = sandwich(positions(50), positions(50), 3)
    assert found.diagonal(dim1=1, dim2=2).eq(0).all()
    assert (found[0][~torch.eye(50, dtype=torch.bool)] < 0).all()
    later = positions(50, start=1000)
    torch.testing.assert_close(sandwich(later, later, 3), found)
    assert sandwich(later[-1:], later, 3).shape == (3, 1, 50)
    assert sandwich(later[None], later[None], 3, dtype=torch.bfloat16).dtype == torch.bfloat16


def test_bad_input_is_named():
    at = positions(2)
    for heads, dim in ((0, 8), (2, 7), (2, 0)):
        with pytest.raises(ValueError, match=f"heads must be positive and dim even, got {heads}"):
            sandwich(at, at, heads, dim=dim)
    with pytest.raises(TypeError, match=r"dtype must be a float, got torch\.int64"):
        sandwich(at, at, 2, dtype=torch.int64)
