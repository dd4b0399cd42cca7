"""xPos equals its upstream, sees distance alone, and says when a key overflows."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import positions, rotate_xpos
from tests.posenc_ref.bad_input import each_raises
from tests.posenc_ref.test_rope import exact_and_single


def xpos_scores(q, k, q_at, k_at, **more):
    more = {"layout": "interleaved", **more}
    turned = rotate_xpos(q, q_at, role="query", **more), rotate_xpos(k, k_at, role="key", **more)
    return turned[0] @ turned[1].mT


@exact_and_single
def test_xpos_scores_equal_torchscale(golden, dtype):
    for case in golden("xpos_torchscale"):
        q, k = (torch.tensor(case[name], dtype=dtype)[None, None] for name in "qk")
        at = positions(q.shape[2])
        actual = xpos_scores(q, k, at, at)[0, 0]
        # torchscale's frequencies are 10000^(-i/(D/2)) in float32, as ours
        expected = torch.tensor(case["values"], dtype=dtype)
        torch.testing.assert_close(actual, expected, rtol=0, atol=1e-5)


@exact_and_single
def test_xpos_scores_of_many_heads_equal_torchscale_far_away(golden, dtype, where):
    """Scales in float64 there, as its centre is the middle of the text; angles in float32.

    The second pair's angle is 1310.71, off by 2^-14.
    """
    for case in golden("xpos_torchscale_heads"):
        at = torch.tensor(case["positions"], device=where)
        q, k = (torch.tensor([case[name]], dtype=dtype, device=where) for name in "qk")
        actual = xpos_scores(q, k, at, at, center=case["positions"][0])[0]
        assert actual.dtype == dtype
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual.double().cpu(), expected, rtol=0, atol=2**-14)


@settings(deadline=None, max_examples=25)
@given(shift=st.integers(-2000, 2000), center=st.integers(-500, 500))
def test_xpos_sees_distance_alone_and_no_centre(shift, center):
    q, k = torch.randn(2, 1, 2, 3, 8, dtype=torch.float64)
    at, moved = positions(3), positions(3) + shift
    near = xpos_scores(q, k, at, at)
    far = xpos_scores(q, k, moved, moved, center=center)
    torch.testing.assert_close(far, near, rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("dtype", "near", "far"), [(torch.float16, 4300, 4600), (torch.float32, 36000, 36400)]
)
def test_xpos_says_when_keys_overflow_and_a_centre_mends_it(dtype, near, far):
    one = torch.ones(1, 1, 1, 64, dtype=dtype)

    def key(position, **more):
        return rotate_xpos(one, torch.tensor([position]), role="key", layout="half", **more)

    assert key(near).isfinite().all()
    assert key(far, center=far / 2).isfinite().all()
    with pytest.raises(ValueError, match=f"so far from center=0.0 a key overflows {dtype}"):
        key(far)


def test_xpos_decays_into_the_past_and_grows_into_the_future():
    one = torch.ones(1, 1, 1, 64, dtype=torch.float64)

    def first_pair(distance):  # key - query
        q = rotate_xpos(one, positions(1), role="query", layout="half")
        k = rotate_xpos(one, torch.tensor([distance]), role="key", layout="half")
        sizes = [(x[..., 0] ** 2 + x[..., 32] ** 2).sqrt() for x in (q, k)]
        return (sizes[0] * sizes[1] / 2).item()

    assert first_pair(0) == pytest.approx(1)
    assert first_pair(-2048) == pytest.approx((0.4 / 1.4) ** 4, rel=1e-6)
    assert first_pair(2048) == pytest.approx(150, abs=1)


XPOS = {"scale_base": [0, -1.0, math.nan, math.inf], "center": [math.nan, -math.inf]}
XPOS |= {"base": [0, -1.0, 1.0, math.nan, math.inf]}


def test_bad_constants_of_xpos_raise_an_error_that_names_them(subtests):
    for name, value in [(n, v) for n, values in XPOS.items() for v in values]:
        message = f"{name} must be .*finite.*, got {value}"
        with subtests.test(message), pytest.raises(ValueError, match=message):
            rotate_xpos(X, AT, role="key", layout="half", **{name: value})


X, AT = torch.zeros(1, 1, 2, 4), positions(2)
BAD = {
    "x must be (B, H, L, D), got ()": lambda: rotate_xpos(
        torch.tensor(1.0), positions(1), role="key", layout="half"
    ),
    "disagree: (2, 1, 4, 4) and (1,)": lambda: rotate_xpos(
        torch.zeros(2, 1, 4, 4), positions(1), role="key", layout="half"
    ),
    "disagree: (2, 1, 4, 4) and (1, 4)": lambda: rotate_xpos(
        torch.zeros(2, 1, 4, 4), positions(4)[None], role="key", layout="half"
    ),
    "role must be one of query, key, got 'value'": lambda: rotate_xpos(
        torch.zeros(1, 1, 2, 4), positions(2), role="value", layout="half"
    ),
}
WRONG_KIND = {
    "x must be floating point, of 16 bits or more, got torch.int64": lambda: rotate_xpos(
        X.long(), AT, role="key", layout="half"
    ),
    "x must be a tensor, got list": lambda: rotate_xpos(X.tolist(), AT, role="key", layout="half"),
    "positions must be a tensor, got list": lambda: rotate_xpos(
        X, AT.tolist(), role="key", layout="half"
    ),
}

test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)
test_wrong_types_raise_an_error_that_names_them = each_raises(WRONG_KIND, TypeError)
