"""Self-Extend and ReRoPE: LongLM's numbers, their limits, no distance beyond the trained."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import (
    causal_mask,
    frequencies,
    positions,
    relative_positions,
    rope_angles,
    rotate,
    self_extend_relative,
    self_extend_scores,
)

OMEGA = frequencies(8)
sizes = st.integers(1, 40)


def scores(q, k, at, **settings):
    return self_extend_scores(q, k, at, at, OMEGA.to(q.device), layout="half", **settings)


def test_equals_the_published_patch_of_llama(golden, where):
    for case in golden("self_extend"):
        x = torch.tensor(case["x"], device=where)
        at = positions(x.shape[2], device=where)
        s = scores(x, x, at, window=case["window"], group=case["group"])
        weights = s.masked_fill(~causal_mask(at, at), -torch.inf).softmax(-1)
        expected = torch.tensor(case["values"])
        torch.testing.assert_close((weights @ x).cpu(), expected, rtol=1e-4, atol=1e-5)


@given(length=sizes, window=sizes, group=sizes)
@settings(deadline=None, max_examples=60)
def test_scores_are_those_of_rope_at_the_relative_position(length, window, group):
    q, k = torch.randn(2, 1, 1, length, 8, dtype=torch.float64)
    at = positions(length)
    actual = scores(q, k, at, window=window, group=group)
    relative = self_extend_relative(at, at, window=window, group=group)
    for i, j in ((length - 1, 0), (length // 2, length // 3), (0, length - 1)):
        moved = rotate(k[:, :, [j]], rope_angles(relative[i, [j]], OMEGA), layout="half")
        expected = (q[0, 0, i] * moved).sum() / 8**0.5
        torch.testing.assert_close(actual[0, 0, i, j], expected)


@given(length=sizes, window=sizes, group=sizes)
@settings(deadline=None, max_examples=60)
def test_near_keys_stand_where_they_are_and_far_ones_never_beyond_a_bound(length, window, group):
    at = positions(length)
    plain = relative_positions(at, at)
    relative = self_extend_relative(at, at, window=window, group=group)
    near = plain > -window
    assert (relative == plain)[near].all()
    # ⌊i/G⌋ + w - ⌊w/G⌋ at most, what the paper extends the window by: (L - w) G + w tokens
    assert -relative.amin() <= max(window - 1, (length - 1) // group + window - window // group)
    assert (relative.diff(dim=1) >= 0).all(), "a later key never counts as farther"


def test_one_group_for_all_is_rerope_and_groups_of_one_are_rope():
    at = positions(30)
    plain = relative_positions(at, at)
    rerope = self_extend_relative(at, at, window=7, group=None)
    torch.testing.assert_close(rerope, plain.clamp(min=-7))
    torch.testing.assert_close(self_extend_relative(at, at, window=7, group=30), rerope)
    torch.testing.assert_close(self_extend_relative(at, at, window=7, group=1), plain)


def test_rerope_rotates_a_far_query_by_the_window_and_its_key_not_at_all():
    q, k = torch.randn(2, 1, 2, 20, 8, dtype=torch.float64)
    edge = rotate(q, rope_angles(torch.full((20,), 5), OMEGA), layout="half")
    actual = scores(q, k, positions(20), window=5, group=None)
    far = relative_positions(positions(20), positions(20)) <= -5
    torch.testing.assert_close(actual[:, :, far], (edge @ k.mT / 8**0.5)[:, :, far])


def test_positions_of_each_row_and_of_one_step_are_those_of_the_whole_text():
    q, k = torch.randn(2, 2, 1, 12, 8, dtype=torch.float64)
    at = torch.stack((positions(12), positions(12, start=5)))
    settings = {"window": 4, "group": 3, "layout": "half"}
    both = self_extend_scores(q, k, at, at, OMEGA, **settings)
    for row in (0, 1):
        alone = self_extend_scores(
            q[row : row + 1, :, -1:], k[row : row + 1], at[row, -1:], at[row], OMEGA, **settings
        )
        torch.testing.assert_close(both[row : row + 1, :, -1:], alone)


AT = positions(3)
BAD = {
    "window must be positive, got 0": {"window": 0, "group": 2},
    "group must be positive, got -1": {"window": 2, "group": -1},
}


def test_bad_sizes_raise_an_error_that_names_them(subtests):
    for message in BAD:
        with subtests.test(message), pytest.raises(ValueError, match=re.escape(message)):
            self_extend_relative(AT, AT, **BAD[message])


def test_wrong_types_raise_an_error_that_names_them():
    with pytest.raises(TypeError, match="window must be an integer"):
        self_extend_relative(AT, AT, window=2.0, group=None)
    with pytest.raises(TypeError, match="group must be an integer"):
        self_extend_relative(AT, AT, window=2, group=True)
    with pytest.raises(TypeError, match="positions"):
        self_extend_relative(AT / 2, AT, window=2, group=None)
    with pytest.raises(ValueError, match="do not fit q and k"):
        scores(torch.zeros(1, 1, 3, 8), torch.zeros(1, 1, 2, 8), AT, window=2, group=None)
