"""Positions: counting, padding, and key minus query."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import positions, positions_from_mask, relative_positions

RAGGED = st.integers(1, 8).flatmap(
    lambda length: st.lists(
        st.lists(st.booleans(), min_size=length, max_size=length), min_size=1, max_size=4
    )
)


def test_counts_from_start_in_int64():
    assert positions(4).tolist() == [0, 1, 2, 3]
    assert positions(3, start=5).tolist() == [5, 6, 7]
    assert positions(2, start=-1).tolist() == [-1, 0]
    assert positions(0).shape == (0,)
    assert positions(1).dtype == torch.int64


def test_decoding_step_by_step_gives_the_positions_of_the_whole():
    steps = [positions(1, start=past) for past in range(6)]
    assert torch.equal(torch.cat(steps), positions(6))


def test_negative_length_is_refused():
    with pytest.raises(ValueError, match="length must be at least 0, got -1"):
        positions(-1)


def test_left_padding_counts_the_tokens_only(where):
    rows = [[0, 0, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
    mask = torch.tensor(rows, device=where)
    expected = [[0, 0, 0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2, 2, 2], [0, 0, 0, 0, 0]]
    for given_mask in (mask, mask.bool(), mask.to(torch.uint8)):
        assert positions_from_mask(given_mask).tolist() == expected
        assert positions_from_mask(given_mask).dtype == torch.int64
        assert positions_from_mask(given_mask).device == mask.device


@settings(deadline=None)
@given(RAGGED)
def test_position_of_a_token_is_the_number_of_tokens_before_it(rows):
    actual = positions_from_mask(torch.tensor(rows)).tolist()
    for row, numbers in zip(rows, actual, strict=True):
        for at, is_token in enumerate(row):
            assert numbers[at] == sum(row[:at]) or not is_token


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (torch.ones(2, 3), TypeError, "boolean or of 0 and 1, got torch.float32"),
        (torch.ones(3, dtype=torch.bool), ValueError, r"\(B, L\), got \(3,\)"),
        (torch.tensor([[0, 2]]), ValueError, "1 at tokens and 0 at padding"),
    ],
)
def test_a_mask_of_another_dtype_shape_or_value_is_refused(mask, error, message):
    with pytest.raises(error, match=message):
        positions_from_mask(mask)


def test_relative_position_is_key_minus_query():
    actual = relative_positions(positions(2, start=3), positions(5))
    assert actual.tolist() == [[-3, -2, -1, 0, 1], [-4, -3, -2, -1, 0]]
    assert actual.dtype == torch.int64


@settings(deadline=None)
@given(st.lists(st.integers(-99, 99), max_size=5), st.lists(st.integers(-99, 99), max_size=5))
def test_relative_positions_pair_every_query_with_every_key(queries, keys):
    actual = relative_positions(torch.tensor(queries).long(), torch.tensor(keys).long())
    assert actual.shape == (len(queries), len(keys))
    assert actual.tolist() == [[key - query for key in keys] for query in queries]


def test_relative_positions_of_a_batch_and_between_tokens():
    rows = positions_from_mask(torch.tensor([[0, 1, 1], [1, 1, 1]]))
    actual = relative_positions(rows[:, -1:], rows)
    assert actual.tolist() == [[[-1, -1, 0]], [[-2, -1, 0]]]
    between = relative_positions(torch.tensor([0.5]), torch.tensor([0.0, 2.0]))
    assert between.tolist() == [[-0.5, 1.5]]


def test_unsigned_positions_do_not_wrap_around():
    query, key = torch.tensor([3], dtype=torch.uint8), torch.tensor([1], dtype=torch.uint8)
    assert relative_positions(query, key).tolist() == [[-2]]


def test_relative_positions_do_not_broadcast(subtests):
    message = r"q_positions \(…, Lq\) and k_positions \(…, Lk\)"
    for q_positions, k_positions in [
        (torch.tensor(1), torch.arange(3)),
        (torch.zeros(2, 3), torch.zeros(3)),
        (torch.zeros(2, 1), torch.zeros(3, 4)),
    ]:
        with subtests.test(shape=q_positions.shape), pytest.raises(ValueError, match=message):
            relative_positions(q_positions, k_positions)


def test_values_that_cannot_be_positions_are_refused(subtests):
    for wrong, message in [
        ([0, 1], "must be a tensor, got list"),
        (torch.zeros(2, dtype=torch.bool), "integers or real numbers, got torch.bool"),
        (torch.zeros(2, dtype=torch.complex64), "integers or real numbers, got torch.complex64"),
        (torch.zeros(2, dtype=torch.float16), "torch.float16 collide"),
        (torch.zeros(2, dtype=torch.bfloat16), "256 == 257 in bfloat16"),
    ]:
        with subtests.test(message):
            with pytest.raises(TypeError, match=message):
                relative_positions(wrong, torch.arange(2))
            with pytest.raises(TypeError, match=message):
                relative_positions(torch.arange(2), wrong)


def test_positions_of_16_bits_do_collide():
    assert torch.tensor(256).bfloat16() == torch.tensor(257).bfloat16()
    assert torch.tensor(2048).half() == torch.tensor(2049).half()


def test_positions_behind_the_padding_token_equal_roberta(golden, where):
    for case in golden("positions_roberta"):
        mask = torch.tensor(case["mask"], device=where)
        for kind in (mask, mask.bool()):
            actual = positions_from_mask(kind, padding_idx=case["padding_idx"])
            assert torch.equal(actual.cpu(), torch.tensor(case["values"]))


def test_a_mask_is_a_tensor():
    with pytest.raises(TypeError, match="mask must be a tensor, got list"):
        positions_from_mask([[1, 1]])
