"""RoPE beyond one dimension equals its upstreams: grids, images in a text, two streams."""

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
)
from tests.posenc_ref.bad_input import each_raises
from tests.posenc_ref.test_rope import assert_upstream, exact_and_single


@exact_and_single
def test_mrope_equals_transformers(golden, dtype, where, subtests):
    for name in ["mrope", "mrope_heads"]:
        with subtests.test(name=name):
            for case in golden(name):
                at = torch.tensor(case["positions"], device=where)
                omega = frequencies(2 * sum(case["sections"]), device=where)
                angles = mrope_angles(at, omega, case["sections"], arrangement=case["arrangement"])
                x = torch.tensor(case["x"], dtype=dtype, device=where)
                actual = rotate(x, angles, layout="half").cpu()
                assert actual.dtype == dtype
                # its angles are float32
                assert_upstream(actual, case["values"], at.amax(0).tolist())


@exact_and_single
def test_axial_equals_upstream(golden, dtype, where, subtests):
    for name, layout in [
        ("rope_axial_qwen2_vision", "half"),
        ("rope_axial_qwen2_vision_heads", "half"),
        ("rope_axial_rotary_embedding_torch", "interleaved"),
        ("rope_axial_rotary_embedding_torch_heads", "interleaved"),
    ]:
        with subtests.test(name=name, layout=layout):
            for case in golden(name):
                x = torch.tensor(case["x"], dtype=dtype, device=where)
                at = [torch.tensor(case[axis], device=where) for axis in ("rows", "columns")]
                angles = axial_angles(at, frequencies(x.shape[-1] // 2, device=where))
                actual = rotate(x, angles, layout=layout).cpu()
                assert actual.dtype == dtype
                assert_upstream(actual, case["values"], [torch.maximum(*at).tolist()])


@pytest.mark.parametrize("arrangement", ["chunked", "interleaved"])
@given(start=st.integers(0, 131072))
def test_text_alone_is_rope_exactly(arrangement, start):
    at = positions(5, start=start)
    angles = mrope_angles(at.expand(3, 5), frequencies(16), (4, 2, 2), arrangement=arrangement)
    assert torch.equal(angles, rope_angles(at, frequencies(16)))


def test_mrope_positions_equal_transformers(golden, where):
    """Padding has no positions; in the last case transformers 5.23 forgets the frames, ours not.

    After a video of 4 frames, 1 row and 2 columns, the next word stands there 2 after the first
    frame, at a time inside the video. As the paper has it, one after the largest position so far,
    it stands 4 after; so it did in transformers 4.57.1, `llm_pos_ids_list[-1].max() + 1`.
    """
    *cases, longer = golden("mrope_positions")
    for case in [*cases, longer]:
        parts = [tuple(part) if isinstance(part, list) else part for part in case["parts"]]
        actual = mrope_positions(parts, device=where).cpu()
        token = torch.tensor(case["mask"]).bool()
        expected = torch.tensor(case["values"])[:, token]
        if case is longer:
            assert torch.equal(actual[:, :-3], expected[:, :-3])
            assert expected[:, -3:].tolist() == [[4, 5, 6]] * 3
            assert actual[:, -3:].tolist() == [[6, 7, 8]] * 3
        else:
            assert torch.equal(actual, expected)


def test_positions_of_words_an_image_and_a_video():
    at = mrope_positions([3, (1, 2, 3), 2, (4, 1, 1), 1])
    assert at.shape == (3, 3 + 6 + 2 + 4 + 1)
    assert at[:, :3].tolist() == [[0, 1, 2]] * 3
    assert at[:, 3:9].tolist() == [[3] * 6, [3, 3, 3, 4, 4, 4], [3, 4, 5, 3, 4, 5]]
    assert at[:, 9:11].tolist() == [[6, 7]] * 3  # one after the largest so far
    assert at[:, 11:15].tolist() == [[8, 9, 10, 11], [8] * 4, [8] * 4]
    assert at[:, 15].tolist() == [12] * 3
    assert mrope_positions([]).shape == (3, 0)


def test_multimodal_positions_lie_where_they_are_asked_to():
    for parts in ([], [2], [1, (1, 2, 2)]):
        assert mrope_positions(parts, device="meta").device.type == "meta"


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


@exact_and_single
def test_two_streams_equal_chatglm(golden, dtype, where):
    for case in golden("rope_chatglm"):
        x = torch.tensor(case["x"], dtype=dtype, device=where)
        omega = frequencies(x.shape[-1] // 2, device=where)
        at = [torch.tensor(case[name], device=where) for name in ("first", "second")]
        actual = rotate_2d(x, *(rope_angles(p, omega) for p in at), layout="half").cpu()
        assert actual.dtype == dtype
        largest = [max(p) for p in zip(case["first"], case["second"], strict=True)]
        assert_upstream(actual, case["values"], [largest])


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_two_streams_turn_two_halves(layout):
    """ChatGLM-6B: `q1, q2 = q.chunk(2)`, each rotated with its own positions, then joined."""
    x, omega = torch.randn(2, 3, 4, 8), frequencies(4)
    text, block = rope_angles(positions(4), omega), rope_angles(positions(4, start=2), omega)
    actual = rotate_2d(x, text, block, layout=layout)
    first, second = x.chunk(2, dim=-1)
    assert torch.equal(actual[..., :4], rotate(first, text, layout=layout))
    assert torch.equal(actual[..., 4:], rotate(second, block, layout=layout))


def test_interleaved_two_streams_are_axial():
    x, omega = torch.randn(1, 1, 4, 8), frequencies(4)
    at = positions(4), positions(4, start=7)
    streams = rotate_2d(x, *(rope_angles(p, omega) for p in at), layout="interleaved")
    torch.testing.assert_close(streams, rotate(x, axial_angles(at, omega), layout="interleaved"))


BAD = {
    "(3, 2), (2, 0, 0) and 1 pairs": lambda: mrope_angles(
        positions(2).expand(3, 2), torch.tensor(1.0), (2, 0, 0)
    ),
    "every axis needs positions (…, L) of one shape, got [(2,), (3,)]": lambda: axial_angles(
        (positions(2), positions(3)), frequencies(4)
    ),
    "every axis needs positions (…, L) of one shape, got [(1,), (3,)]": lambda: axial_angles(
        (positions(1), positions(3)), frequencies(4)
    ),
    "every axis needs positions (…, L) of one shape, got [(), ()]": lambda: axial_angles(
        torch.zeros(2), frequencies(4)
    ),
    "every axis needs positions (…, L) of one shape, got []": lambda: axial_angles(
        (), frequencies(4)
    ),
    "D divisible by 4, got (1, 1, 2, 6)": lambda: rotate_2d(
        torch.zeros(1, 1, 2, 6), torch.zeros(2, 1), torch.zeros(2, 1)
    ),
    "disagree: (1, 1, 2, 2) and (1, 1)": lambda: rotate_2d(
        torch.zeros(1, 1, 2, 4), torch.zeros(2, 1), torch.zeros(1, 1)
    ),
    "disagree: (2, 1, 2, 2) and (1, 2, 1)": lambda: rotate_2d(
        torch.zeros(2, 1, 2, 4), torch.zeros(1, 2, 1), torch.zeros(2, 2, 1)
    ),
    "disagree: (2, 5), (2, 1, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(2, 5), frequencies(8), (2, 1, 1)
    ),
    "disagree: (3, 5), (1, 1, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (1, 1, 1)
    ),
    "disagree: (3, 5), (5, -2, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (5, -2, 1)
    ),
    "disagree: (3,), (2, 1, 1) and 4 pairs": lambda: mrope_angles(
        torch.zeros(3), frequencies(8), (2, 1, 1)
    ),
    "height and width get every third pair at most, got (1, 1, 2) of 4": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (1, 1, 2), arrangement="interleaved"
    ),
    "arrangement must be one of chunked, interleaved, got 'thw'": lambda: mrope_angles(
        torch.zeros(3, 5), frequencies(8), (2, 1, 1), arrangement="thw"
    ),
    "a part is a number of words or a grid (t, h, w), got 0": lambda: mrope_positions([0]),
    "a part is a number of words or a grid (t, h, w), got (2, 3)": lambda: mrope_positions(
        [(2, 3)]
    ),
    "a part is a number of words or a grid (t, h, w), got (2,)": lambda: mrope_positions([(2,)]),
}
X, AT, OMEGA = torch.zeros(1, 1, 2, 4), positions(2), frequencies(4)
TURNS = torch.zeros(2, 1)
WRONG_KIND = {
    "x must be a tensor, got int": lambda: rotate_2d(0, TURNS, TURNS),
    "first must be a tensor, got list": lambda: rotate_2d(X, TURNS.tolist(), TURNS),
    "second must be a tensor, got NoneType": lambda: rotate_2d(X, TURNS, None),
    "positions must be a tensor, got range": lambda: axial_angles([range(2)], OMEGA),
    "frequencies must be a tensor, got list": lambda: axial_angles([AT], OMEGA.tolist()),
    "positions must be a tensor, got tuple": lambda: mrope_angles((AT, AT, AT), OMEGA, (2, 0, 0)),
    "frequencies must be a tensor, got float": lambda: mrope_angles(
        AT.expand(3, 2), 1.0, (1, 0, 0)
    ),
    "each of sections must be an integer, got 0.5": lambda: mrope_angles(
        AT.expand(3, 2), OMEGA, (0.5, 0.5, 1)
    ),
    "the sizes of a part must be integers, got 1.5": lambda: mrope_positions([1.5]),
    "the sizes of a part must be integers, got True": lambda: mrope_positions([True]),
    "the sizes of a part must be integers, got (1, 2.0, 3)": lambda: mrope_positions([(1, 2.0, 3)]),
}

test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)
test_wrong_types_raise_an_error_that_names_them = each_raises(WRONG_KIND, TypeError)
