"""RoPE beyond one dimension, and xPos, equal their upstreams."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import (
    axial_angles,
    frequencies,
    mrope_angles,
    mrope_positions,
    positions,
    rope_angles,
    rotate,
    rotate_2d,
    rotate_xpos,
)


def test_mrope_equals_transformers(golden, where):
    for case in golden("mrope"):
        at = torch.tensor(case["positions"], device=where)
        omega = frequencies(2 * sum(case["sections"]), device=where)
        angles = mrope_angles(at, omega, case["sections"], arrangement=case["arrangement"])
        found = rotate(torch.tensor(case["x"], device=where), angles, layout="half")
        # angles upstream are float32: at most 9 radians here
        torch.testing.assert_close(found.cpu(), torch.tensor(case["values"]), rtol=0, atol=3e-6)


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("rope_axial_qwen2_vision", "half"),
        ("rope_axial_rotary_embedding_torch", "interleaved"),
    ],
)
def test_axial_equals_upstream(golden, name, layout):
    (case,) = golden(name)
    x, rows, columns = (torch.tensor(case[n]) for n in ("x", "rows", "columns"))
    angles = axial_angles((rows, columns), frequencies(x.shape[-1] // 2))
    found = rotate(x, angles, layout=layout)
    torch.testing.assert_close(found, torch.tensor(case["values"]), rtol=0, atol=2e-6)


@pytest.mark.parametrize("arrangement", ["chunked", "interleaved"])
@given(start=st.integers(0, 131072))
def test_text_alone_is_rope_exactly(arrangement, start):
    at = positions(5, start=start)
    angles = mrope_angles(at.expand(3, 5), frequencies(16), (2, 3, 3), arrangement=arrangement)
    assert torch.equal(angles, rope_angles(at, frequencies(16)))


def test_positions_of_words_an_image_and_a_video():
    at = mrope_positions([3, (1, 2, 3), 2, (4, 1, 1), 1])
    assert at.shape == (3, 3 + 6 + 2 + 4 + 1)
    assert at[:, :3].tolist() == [[0, 1, 2]] * 3
    assert at[:, 3:9].tolist() == [[3] * 6, [3, 3, 3, 4, 4, 4], [3, 4, 5, 3, 4, 5]]
    assert at[:, 9:11].tolist() == [[6, 7]] * 3  # one after the largest so far
    assert at[:, 11:15].tolist() == [[8, 9, 10, 11], [8] * 4, [8] * 4]
    assert at[:, 15].tolist() == [12] * 3
    assert mrope_positions([]).shape == (3, 0)


def test_a_batch_of_multimodal_positions():
    one, two = mrope_positions([1, (1, 2, 2)]), mrope_positions([5])
    angles = mrope_angles(torch.stack((one, two), dim=1), frequencies(8), (2, 1, 1))
    assert angles.shape == (2, 5, 4)
    assert torch.equal(angles[1], mrope_angles(two, frequencies(8), (2, 1, 1)))


@settings(deadline=None, max_examples=25)
@given(row=st.integers(-50, 50), column=st.integers(-50, 50))
def test_axial_scores_see_the_displacement_alone(row, column):
    q, k = torch.randn(2, 1, 1, 1, 8, dtype=torch.float64)

    def score(shift):
        q_at, k_at = torch.tensor([3, 4]) + shift, torch.tensor([5, 1]) + shift
        turned = [
            rotate(x, axial_angles([at[:1], at[1:]], frequencies(4)), layout="half")
            for x, at in ((q, q_at), (k, k_at))
        ]
        return (turned[0] * turned[1]).sum()

    shift = torch.tensor([row, column])
    torch.testing.assert_close(score(shift), score(0 * shift), rtol=0, atol=1e-10)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_two_streams_turn_two_halves(layout):
    """ChatGLM-6B: `q1, q2 = q.chunk(2)`, each rotated with its own positions, then joined."""
    x, omega = torch.randn(2, 3, 4, 8), frequencies(4)
    text, block = rope_angles(positions(4), omega), rope_angles(positions(4, start=2), omega)
    found = rotate_2d(x, text, block, layout=layout)
    first, second = x.chunk(2, dim=-1)
    assert torch.equal(found[..., :4], rotate(first, text, layout=layout))
    assert torch.equal(found[..., 4:], rotate(second, block, layout=layout))


def test_interleaved_two_streams_are_axial():
    x, omega = torch.randn(1, 1, 4, 8), frequencies(4)
    at = positions(4), positions(4, start=7)
    streams = rotate_2d(x, *(rope_angles(p, omega) for p in at), layout="interleaved")
    torch.testing.assert_close(streams, rotate(x, axial_angles(at, omega), layout="interleaved"))


# xPos


def xpos_scores(q, k, q_at, k_at, **more):
    more = {"layout": "interleaved", **more}
    turned = rotate_xpos(q, q_at, role="query", **more), rotate_xpos(k, k_at, role="key", **more)
    return turned[0] @ turned[1].mT


def test_xpos_scores_equal_torchscale(golden):
    for case in golden("xpos_torchscale"):
        q, k = (torch.tensor(case[name])[None, None] for name in "qk")
        at = positions(q.shape[2])
        found = xpos_scores(q, k, at, at)[0, 0]
        # torchscale's frequencies are 10000^(-i/(D/2)) in float32, as ours
        torch.testing.assert_close(found, torch.tensor(case["values"]), rtol=0, atol=1e-5)


@settings(deadline=None, max_examples=25)
@given(shift=st.integers(-2000, 2000), center=st.integers(-500, 500))
def test_xpos_sees_distance_alone_and_no_centre(shift, center):
    q, k = torch.randn(2, 1, 2, 3, 8, dtype=torch.float64)
    at, moved = positions(3), positions(3) + shift
    near = xpos_scores(q, k, at, at)
    far = xpos_scores(q, k, moved, moved, center=center)
    torch.testing.assert_close(far, near, rtol=0, atol=1e-8)


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


BAD = {
    "every axis needs positions of one shape, got [(2,), (3,)]": lambda: axial_angles(
        (positions(2), positions(3)), frequencies(4)
    ),
    "every axis needs positions of one shape, got []": lambda: axial_angles((), frequencies(4)),
    "D must be divisible by 4": lambda: rotate_2d(
        torch.zeros(1, 1, 2, 6), torch.zeros(2, 1), torch.zeros(2, 1)
    ),
    "disagree: (2, 5), (2, 1, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(2, 5), frequencies(8), (2, 1, 1)
    ),
    "disagree: (3, 5), (1, 1, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (1, 1, 1)
    ),
    "arrangement must be one of chunked, interleaved, got 'thw'": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (2, 1, 1), arrangement="thw"
    ),
    "a part is a number of words or a grid (t, h, w), got 0": lambda: mrope_positions([0]),
    "role must be one of query, key, got 'value'": lambda: rotate_xpos(
        torch.zeros(1, 1, 2, 4), positions(2), role="value", layout="half"
    ),
    "scale_base must be positive, got 0": lambda: rotate_xpos(
        torch.zeros(1, 1, 2, 4), positions(2), role="key", layout="half", scale_base=0
    ),
}


@pytest.mark.parametrize("said", BAD)
def test_bad_input_is_named(said):
    with pytest.raises(ValueError, match=re.escape(said)):
        BAD[said]()
