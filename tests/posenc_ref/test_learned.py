"""Learned tables: the values of BERT, GPT-2 and OPT, and an end that says so."""

import pytest
import torch

from posenc_ref import (
    BertEmbedding,
    LearnedPositionalEmbedding,
    positions,
    positions_from_mask,
)


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


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [
        (torch.float64, 2e-6),  # the golden is float32
        (torch.float32, 2e-6),  # three sums and a LayerNorm, |x| < 4
        (torch.bfloat16, 2**-4),  # some roundings of 2^-9 of |x| < 4 in weights, sums and norm
    ],
)
def test_equals_bert(golden, dtype, tolerance, where):
    (case,) = golden("learned_bert")
    weights = {name: torch.tensor(weight) for name, weight in case["weights"].items()}
    module = BertEmbedding(7, 6, 4, eps=case["eps"])
    names = {
        "word": "word_embeddings",
        "segment": "token_type_embeddings",
        "position": "position_embeddings",
        "norm": "LayerNorm",
    }
    module.load_state_dict(
        {
            f"{ours}.{leaf}": weights[f"{theirs}.{leaf}"]
            for ours, theirs in names.items()
            for leaf in ("weight", "bias")
            if f"{theirs}.{leaf}" in weights
        }
    )
    tokens, segments, at = (
        torch.tensor(case[x], device=where) for x in ("tokens", "segments", "positions")
    )
    actual = module.to(where, dtype)(tokens, segments, at)
    assert actual.dtype == dtype
    torch.testing.assert_close(
        actual.cpu().double(), torch.tensor(case["values"]).double(), rtol=0, atol=tolerance
    )
    assert torch.equal(actual, module(tokens, segments, at.expand_as(tokens)))


def test_rows_are_trained_alone():
    table = LearnedPositionalEmbedding(5, 3)
    table(torch.tensor([1, 3])).sum().backward()
    assert table.weight.grad.any(-1).tolist() == [False, True, False, True, False]


def test_initial_weights_are_those_of_bert_and_gpt2():
    bert = BertEmbedding(500, 500, 64, segments=500)
    for weight in (bert.word.weight, bert.segment.weight, bert.position.weight):
        assert abs(weight.std().item() - 0.02) < 0.001
        assert abs(weight.mean().item()) < 0.001


def test_embeddings_have_the_shape_of_the_positions():
    table = LearnedPositionalEmbedding(5, 3)
    assert table(positions(4)).shape == (4, 3)
    assert table(torch.zeros(2, 4, dtype=torch.int32)).shape == (2, 4, 3)
    assert table(positions(0)).shape == (0, 3)
    assert torch.equal(table(positions(5)), table.weight)


@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("outside", [-1, 5, 512])
def test_position_without_a_row_is_an_index_error(outside, offset):
    table = LearnedPositionalEmbedding(5, 3, offset=offset)
    with pytest.raises(IndexError, match=f"position {outside} is outside a table of length 5"):
        table(torch.tensor([0, outside, 4]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (torch.tensor([1.5]), "integers to choose rows of a table, got torch.float32"),
        (torch.tensor([1.0]).bfloat16(), "256 == 257 in bfloat16"),
        (torch.tensor([True]), "got torch.bool"),
    ],
)
def test_positions_must_be_integers(wrong, message):
    with pytest.raises(TypeError, match=message):
        LearnedPositionalEmbedding(5, 3)(wrong)


@pytest.mark.parametrize(("max_length", "dim", "offset"), [(0, 3, 0), (5, 0, 0), (5, 3, -1)])
def test_impossible_sizes_are_refused(max_length, dim, offset):
    with pytest.raises(ValueError, match=f"got {max_length}, {dim} and {offset}"):
        LearnedPositionalEmbedding(max_length, dim, offset=offset)


def test_bert_names_what_is_outside():
    module, ids, at = BertEmbedding(7, 6, 4), torch.zeros(2, 3, dtype=torch.int64), positions(3)
    with pytest.raises(IndexError, match="token 7 is outside a table of length 7"):
        module(ids + 7, ids, at)
    with pytest.raises(IndexError, match="segment 2 is outside a table of length 2"):
        module(ids, ids + 2, at)
    with pytest.raises(IndexError, match="position 6 is outside a table of length 6"):
        module(ids, ids, at + 4)


@pytest.mark.parametrize(
    ("tokens", "segments", "at"),
    [((3,), (3,), (3,)), ((2, 3), (3,), (3,)), ((2, 3), (2, 3), (2,)), ((2, 3), (2, 3), (1, 3))],
)
def test_bert_does_not_broadcast_silently(tokens, segments, at):
    ids = [torch.zeros(shape, dtype=torch.int64) for shape in (tokens, segments, at)]
    with pytest.raises(ValueError, match="disagree") as error:
        BertEmbedding(7, 6, 4)(*ids)
    assert str(error.value).endswith(f"{tokens}, {segments} and {at}")


def test_tokens_and_segments_are_integers():
    embedding, tokens = BertEmbedding(7, 6, 4), torch.zeros(1, 3, dtype=torch.int64)
    for wrong in (torch.float32, torch.bool):
        with pytest.raises(TypeError, match=f"each token must be an integer, got {wrong}"):
            embedding(tokens.to(wrong), tokens, positions(3))
        with pytest.raises(TypeError, match=f"each segment must be an integer, got {wrong}"):
            embedding(tokens, tokens.to(wrong), positions(3))
    with pytest.raises(TypeError, match="tokens must be a tensor, got list"):
        embedding(tokens.tolist(), tokens, positions(3))
    small = (tokens.to(torch.uint8), tokens.to(torch.int16), positions(3))
    assert torch.equal(embedding(*small), embedding(tokens, tokens, positions(3)))


def test_tables_of_words_have_rows():
    for sizes in ((0, 2, 4), (7, 0, 4), (7, 2, -1)):
        message = "vocabulary, segments and dim must be at least 1, got {}, {} and {}".format(
            *sizes
        )
        with pytest.raises(ValueError, match=message):
            BertEmbedding(sizes[0], 6, sizes[2], segments=sizes[1])
