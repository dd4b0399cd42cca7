"""Sandwich equals NeMo's file by one name; by the other it is the dot product of sinusoids."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import attention_weights, positions, sinusoidal
from posenc_ref.sandwich import sandwich


def test_equals_nemo(golden, where):
    for case in golden("sandwich_nemo"):
        q, k = positions(4, start=3, device=where), positions(7, device=where)
        actual = sandwich(q, k, case["heads"], dim=case["dim"], pairs="nemo")
        (expected,) = torch.tensor(case["values"])
        torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # slopes reach 71 / 8 and 112 / 8; angles of 131071 are off by 2^-37, of 64 pairs
    [(torch.float64, (0, 5e-8)), (torch.float32, (2**-23, 5e-8)), (torch.bfloat16, (2**-8, 5e-8))],
)
def test_equals_nemo_for_many_heads_far_away(golden, dtype, tolerance, where):
    """Upstream in float64, up to 112 heads and distance 131071; it knows no padding."""
    rtol, atol = tolerance
    for case in golden("sandwich_nemo_heads"):
        at = (torch.tensor(case[f"{side}_positions"], device=where) for side in "qk")
        actual = sandwich(*at, case["heads"], dim=case["dim"], pairs="nemo", dtype=dtype)
        assert actual.dtype == dtype
        (expected,) = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual.double().cpu(), expected, rtol=rtol, atol=atol)


@settings(deadline=None, max_examples=30)
@given(
    start=st.integers(-131072, 131072),
    heads=st.sampled_from([1, 3, 8, 12, 71, 112]),
    dim=st.sampled_from([2, 6, 128]),
    base=st.sampled_from([100.0, 10000.0]),
)
def test_is_the_dot_product_of_sinusoids(start, heads, dim, base):
    at = positions(7, start=start)
    table = sinusoidal(at, dim, base=base, dtype=torch.float64)
    slopes = 8 * torch.arange(1, heads + 1, dtype=torch.float64)[:, None, None] / heads
    actual = sandwich(at, at, heads, dim=dim, base=base, dtype=torch.float64)
    # the table's angles reach 131072 and are off by some 2^-53 of that, in dim / 2 pairs
    expected = (table @ table.T - dim / 2).expand(heads, 7, 7)
    torch.testing.assert_close(actual * slopes, expected, rtol=0, atol=1e-8)


def test_nemo_has_the_frequencies_one_step_further():
    at = positions(9)
    options = {"heads": 1, "dim": 16, "dtype": torch.float64}
    ours, nemo = (8 * sandwich(at, at, pairs=pairs, **options) for pairs in ("sinusoidal", "nemo"))
    relative = (at - at[:, None]).double()
    torch.testing.assert_close(nemo - ours, ((relative / 10000).cos() - relative.cos())[None])


def test_the_shift_changes_no_softmax():
    at = positions(6)
    table = sinusoidal(at, 8, dtype=torch.float64)
    q = torch.randn(1, 1, 6, 4, dtype=torch.float64)
    shifted = sandwich(at, at, 1, dim=8, dtype=torch.float64)
    plain = (table @ table.T / 8)[None]
    torch.testing.assert_close(
        attention_weights(q, q, bias=shifted), attention_weights(q, q, bias=plain)
    )


def test_bias_is_zero_at_itself_negative_elsewhere_and_of_distance_only():
    actual = sandwich(positions(50), positions(50), 3)
    assert actual.diagonal(dim1=1, dim2=2).eq(0).all()
    assert (actual[0][~torch.eye(50, dtype=torch.bool)] < 0).all()
    later = positions(50, start=1000)
    torch.testing.assert_close(sandwich(later, later, 3), actual)
    assert sandwich(later[-1:], later, 3).shape == (3, 1, 50)
    assert sandwich(later[None], later[None], 3, dtype=torch.bfloat16).dtype == torch.bfloat16


def test_bad_input_raises_an_error_that_names_it():
    at = positions(2)
    for heads, dim in ((0, 8), (2, 7), (2, 0)):
        with pytest.raises(ValueError, match=f"must be positive, got {heads} and {dim}"):
            sandwich(at, at, heads, dim=dim)
    for base in (0, 1.0, torch.inf, torch.nan):
        with pytest.raises(ValueError, match=f"base must be a finite.*, got {base}"):
            sandwich(at, at, 1, dim=2, base=base)
    with pytest.raises(TypeError, match=r"heads must be an integer, got 2\.5"):
        sandwich(at, at, 2.5)
    with pytest.raises(ValueError, match="pairs must be one of sinusoidal, nemo, got 'paper'"):
        sandwich(at, at, 1, pairs="paper")
    with pytest.raises(TypeError, match=r"dtype must be floating point, .* got torch\.int64"):
        sandwich(at, at, 2, dtype=torch.int64)
