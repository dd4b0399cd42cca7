"""Partial RoPE equals GPT-J, GPT-NeoX and GLM, and leaves the other channels alone."""

import pytest
import torch

from posenc_ref import frequencies
from posenc_ref.rope import rotate
from posenc_ref.rope_angles import rope_angles, rotations
from posenc_ref.rope_partial import rotate_partial
from tests.posenc_ref.test_rope import assert_upstream


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_equals_upstream(golden, dtype, where, subtests):
    for name, layout in [
        ("rope_gptj", "interleaved"),
        ("rope_gptj_heads", "interleaved"),
        ("rope_gpt_neox", "half"),
        ("rope_gpt_neox_heads", "half"),
        ("rope_glm", "interleaved"),
    ]:
        with subtests.test(name=name, layout=layout):
            for case in golden(name):
                at = torch.tensor(case["positions"], device=where)
                angles = rope_angles(at, frequencies(case["turning"], device=where))
                x = torch.tensor(case["x"], dtype=dtype, device=where)
                actual = rotate_partial(x, angles, layout=layout).cpu()
                assert actual.dtype == dtype
                assert_upstream(actual, case["values"], [case["positions"]])


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_some_turn_and_the_rest_pass(layout):
    x, angles = torch.randn(2, 3, 4, 10), rope_angles(torch.arange(4), frequencies(6))
    actual = rotate_partial(x, angles, layout=layout)
    assert torch.equal(actual[..., 6:], x[..., 6:])
    torch.testing.assert_close(actual[..., :6], rotate(x[..., :6], angles, layout=layout))
    torch.testing.assert_close(rotate_partial(x, rotations(angles, layout), layout=layout), actual)
    whole = x[..., :6]
    torch.testing.assert_close(rotate_partial(whole, angles, layout=layout), actual[..., :6])


def test_the_denominator_is_the_number_of_turning_channels():
    assert frequencies(16)[-1].item() == pytest.approx(3.2e-4, rel=0.02)
    assert frequencies(64)[7].item() == pytest.approx(1.3e-1, rel=0.03)


@pytest.mark.parametrize("name", ["x", "angles"])
def test_an_argument_that_is_not_a_tensor_is_named(name):
    """`rotate` says the rest: all lengths and batches have to fit, nothing broadcasts."""
    arguments = {"x": torch.zeros(1, 1, 2, 6), "angles": torch.zeros(2, 2)}
    arguments[name] = arguments[name].tolist()
    with pytest.raises(TypeError, match=f"{name} must be a tensor, got list"):
        rotate_partial(**arguments, layout="half")


def test_angles_of_another_shape_are_refused(subtests):
    message = r"disagree: \(2, 3, 4, [46]\) and \("
    for shape in [(), (2,), (1, 2), (3, 2), (1, 4, 2), (3, 4, 2), (2, 2, 4, 2)]:
        with subtests.test(shape=shape), pytest.raises(ValueError, match=message):
            rotate_partial(torch.zeros(2, 3, 4, 6), torch.zeros(shape), layout="half")


def test_more_angles_than_channels_are_refused():
    with pytest.raises(ValueError, match=r"angles turn 8 channels, x has 6: \(1, 1, 2, 6\)"):
        rotate_partial(torch.zeros(1, 1, 2, 6), torch.zeros(2, 4), layout="half")
