"""Learned tables: the values of GPT-2 and OPT, and an end that says so."""

from itertools import product

import pytest
import torch

from posenc_ref import LearnedPositionalEmbedding, positions, positions_from_mask


def table_of(weight, where, offset=0, dtype=torch.float32):
    """Return a LearnedPositionalEmbedding with this weight, loaded as a checkpoint is."""
    weight = torch.tensor(weight, dtype=dtype)
    table = LearnedPositionalEmbedding(len(weight) - offset, weight.shape[1], offset=offset)
    table.to(dtype).load_state_dict({"weight": weight})
    return table.to(where)


def test_equals_gpt2_with_and_without_a_past(golden, where):
    for case in golden("learned_gpt2"):
        tokens, wte, values = (
            torch.tensor(case[name], device=where) for name in ("tokens", "wte", "values")
        )
        at = positions(tokens.shape[1], start=case["past"], device=where)
        assert torch.equal(wte[tokens] + table_of(case["wpe"], where)(at), values)


def test_equals_gpt2_in_other_dtypes(golden, where):
    """Both terms and their sum, as upstream rounds them in bfloat16 too."""
    for case in golden("learned_gpt2_exact"):
        dtype = getattr(torch, case["dtype"])
        tokens, at = (torch.tensor(case[name], device=where) for name in ("tokens", "positions"))
        wte, values = (torch.tensor(case[x], dtype=dtype, device=where) for x in ("wte", "values"))
        assert torch.equal(wte[tokens] + table_of(case["wpe"], where, dtype=dtype)(at), values)


def test_equals_opt_with_left_padding_in_other_dtypes(golden, where):
    for case in golden("learned_opt_exact"):
        dtype = getattr(torch, case["dtype"])
        mask, expected = (torch.tensor(case[name], device=where) for name in ("mask", "values"))
        table = table_of(case["weight"], where, offset=2, dtype=dtype)
        actual = table(positions_from_mask(mask))
        assert torch.equal(actual[mask.bool()], expected.to(dtype)[mask.bool()])


def test_equals_opt_with_left_padding(golden, where):
    (case,) = golden("learned_opt")
    mask, expected = (torch.tensor(case[name], device=where) for name in ("mask", "values"))
    actual = table_of(case["weight"], where, offset=2)(positions_from_mask(mask))
    # at padding OPT reads row 1; here padding stands at 0, and no query may attend to it
    assert torch.equal(actual[mask.bool()], expected[mask.bool()])


def test_rows_are_trained_alone():
    table = LearnedPositionalEmbedding(5, 3)
    table(torch.tensor([1, 3])).sum().backward()
    assert table.weight.grad.any(-1).tolist() == [False, True, False, True, False]


def test_initial_weights_are_those_of_bert_and_gpt2():
    weight = LearnedPositionalEmbedding(500, 64).weight
    assert abs(weight.std().item() - 0.02) < 0.001
    assert abs(weight.mean().item()) < 0.001


def test_embeddings_have_the_shape_of_the_positions():
    table = LearnedPositionalEmbedding(5, 3)
    assert table(positions(4)).shape == (4, 3)
    assert table(torch.zeros(2, 4, dtype=torch.int32)).shape == (2, 4, 3)
    assert table(positions(0)).shape == (0, 3)
    assert torch.equal(table(positions(5)), table.weight)


def test_position_without_a_row_is_an_index_error(subtests):
    for outside, offset in product((-1, 5, 512), (0, 2)):
        message = f"position {outside} is outside a table of length 5"
        with subtests.test(message, offset=offset), pytest.raises(IndexError, match=message):
            LearnedPositionalEmbedding(5, 3, offset=offset)(torch.tensor([0, outside, 4]))


def test_positions_must_be_integers(subtests):
    for wrong, message in [
        (torch.tensor([1.5]), "integers to choose rows of a table, got torch.float32"),
        (torch.tensor([1.0]).bfloat16(), "256 == 257 in bfloat16"),
        (torch.tensor([True]), "got torch.bool"),
    ]:
        with subtests.test(message), pytest.raises(TypeError, match=message):
            LearnedPositionalEmbedding(5, 3)(wrong)


def test_impossible_sizes_are_refused(subtests):
    for max_length, dim, offset in [(0, 3, 0), (5, 0, 0), (5, 3, -1)]:
        message = f"got {max_length}, {dim} and {offset}"
        with subtests.test(message), pytest.raises(ValueError, match=message):
            LearnedPositionalEmbedding(max_length, dim, offset=offset)
