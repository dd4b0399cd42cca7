"""Partial RoPE equals GPT-J and GPT-NeoX, and leaves the other channels alone."""

import pytest
import torch

from posenc_ref import frequencies
from posenc_ref.rope import rotate
from posenc_ref.rope_angles import rope_angles, rotations
from posenc_ref.rope_partial import rotate_partial
from tests.posenc_ref.test_rope import assert_upstream


@pytest.mark.parametrize(
    ("name", "layout"), [("rope_gptj", "interleaved"), ("rope_gpt_neox", "half")]
)
def test_equals_upstream(golden, name, layout):
    (case,) = golden(name)
    angles = rope_angles(torch.tensor(case["positions"]), frequencies(case["turning"]))
    found = rotate_partial(torch.tensor(case["x"]), angles, layout=layout)
    assert_upstream(found, case["values"], [case["positions"]])


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_some_turn_and_the_rest_pass(layout):
    x, angles = torch.randn(2, 3, 4, 10), rope_angles(torch.arange(4), frequencies(6))
    found = rotate_partial(x, angles, layout=layout)
    assert torch.equal(found[..., 6:], x[..., 6:])
    torch.testing.assert_close(found[..., :6], rotate(x[..., :6], angles, layout=layout))
    torch.testing.assert_close(rotate_partial(x, rotations(angles), layout=layout), found)
    whole = x[..., :6]
    torch.testing.assert_close(rotate_partial(whole, angles, layout=layout), found[..., :6])


def test_the_denominator_is_the_number_of_turning_channels():
    assert frequencies(16)[-1].item() == pytest.approx(3.2e-4, rel=0.02)
    assert frequencies(64)[7].item() == pytest.approx(1.3e-1, rel=0.03)


def test_more_angles_than_channels_are_refused():
    with pytest.raises(ValueError, match=r"angles turn 8 channels, x has 6: \(1, 1, 2, 6\)"):
        rotate_partial(torch.zeros(1, 1, 2, 6), torch.zeros(2, 4), layout="half")
