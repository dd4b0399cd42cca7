"""Factors that grow with the position: Llama 4's numbers, log n from the definition."""

import math

import pytest
import torch

from posenc_ref import llama4_scale, log_n_scale, positions
from tests.posenc_ref.bad_input import each_raises


def test_llama4_equals_transformers(golden, where):
    for case in golden("llama4_scale"):
        expected = torch.tensor(case["values"])
        at = positions(len(expected), device=where)
        actual = llama4_scale(at, floor=case["floor"], slope=case["slope"])
        torch.testing.assert_close(actual.float().cpu(), expected, rtol=1e-6, atol=0)


def test_llama4_rises_in_steps_from_the_first_floor_on():
    actual = llama4_scale(positions(30), floor=10, slope=0.5)
    assert (actual.diff() > 0).nonzero().flatten().tolist() == [8, 18, 28]
    assert actual[:9].tolist() == [1.0] * 9


def test_log_n_is_a_logarithm_to_the_base_of_the_trained_length():
    at = torch.tensor([[0, 5, 511], [512, 511 * 513, 2**27 - 1]])
    expected = [[1, 1, 1], [math.log(513, 512), math.log(511 * 513 + 1, 512), 3]]
    actual = log_n_scale(at, trained_length=512)
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=actual.dtype))


def test_log_n_keeps_the_entropy_of_scores_whose_variance_is_ln_of_the_length():
    """To first order in ln s / ln L, as 6.7 has it; unscaled, the entropy grows by ln s."""
    trained, longer = 1000, 2000
    rows = math.log(trained) ** 0.5 * torch.randn(2000, longer, dtype=torch.float64)
    factor = log_n_scale(torch.tensor([longer - 1]), trained).item()

    def entropy(scores):
        weights = scores.log_softmax(-1)
        return -(weights.exp() * weights).sum(-1).mean().item()

    before, after = entropy(rows[:, :trained]), entropy(rows * factor)
    assert abs(after - before) < 0.1
    assert entropy(rows) - before > 0.5


BAD = {
    "trained_length must be a finite number above 1, got 1": lambda: log_n_scale(positions(2), 1),
    "trained_length must be a finite number above 1, got inf": lambda: log_n_scale(
        positions(2), math.inf
    ),
    "floor must be positive, got 0": lambda: llama4_scale(positions(2), floor=0),
    "floor must be finite, got nan": lambda: llama4_scale(positions(2), floor=math.nan),
    "slope must be finite, got inf": lambda: llama4_scale(positions(2), slope=math.inf),
}


test_bad_constants_raise_an_error_that_names_them = each_raises(BAD, ValueError)


def test_positions_must_be_numbers_that_positions_can_be():
    for scale in (lambda at: log_n_scale(at, 512), llama4_scale):
        with pytest.raises(TypeError, match="positions"):
            scale([1, 2])
        with pytest.raises(TypeError, match="positions"):
            scale(torch.ones(2, dtype=torch.bfloat16))


def test_before_the_first_token_the_factor_is_one():
    assert llama4_scale(torch.tensor([-20_000, -8194, -1])).tolist() == [1.0] * 3
    assert log_n_scale(torch.tensor([-5, -1, 0]), 4).tolist() == [1.0] * 3
