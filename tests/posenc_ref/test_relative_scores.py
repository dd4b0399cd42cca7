"""Shaw, BERT, Transformer-XL, XLNet, rel-shift: upstream's answers for many heads, each dtype.

test_score.py has their properties and few heads; test_relative_score_transforms.py what torch does
to them, test_relative_score_input.py what they refuse.
"""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref.attention import causal_mask
from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.positions import positions
from posenc_ref.shaw import shaw_scores, shaw_values
from posenc_ref.transformer_xl import transformer_xl_terms
from posenc_ref.xlnet import xlnet_scores
from tests.posenc_ref.plain_scores import bert_relative_scores_plain, shaw_scores_plain

EXACT = {"dtype": torch.float64}

# Scores here stay below 32, where bfloat16 is spaced 2^-3 and float32 2^-19: stored once, they are
# off by half of that. A weight p moves by p (1 - p) ≤ 1/4 of the error in the difference of two
# scores: 2^-5 and 2^-21 for one rounding. Float32 sums some ten products, so it is given 2^-19.
SINGLE, HALF = 2**-19, 2**-5
ROUNDING = {torch.float64: 1e-13, torch.float32: SINGLE, torch.bfloat16: HALF}
every_dtype = pytest.mark.parametrize("dtype", ROUNDING, ids=str)


def reader(case, dtype, where):
    return lambda *names: [torch.tensor(case[n], dtype=dtype, device=where) for n in names]


def assert_weights(scores, case, dtype, atol):
    assert scores.dtype == dtype
    expected = torch.tensor(case["values"], **EXACT)
    actual = scores.double().softmax(-1).cpu()
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


# upstream, 12, 71 and 112 heads


@every_dtype
def test_shaw_equals_wav2vec2_bert(golden, dtype, where):
    for case in golden("shaw_heads"):
        q, k, table = reader(case, dtype, where)("q", "k", "table")
        at = positions(q.shape[2], start=131_000, device=where)
        assert_weights(shaw_scores(q, k, at, at, table), case, dtype, ROUNDING[dtype])


@every_dtype
def test_shaw_with_two_sides_equals_wav2vec2_bert(golden, dtype, where):
    for case in golden("shaw_sides"):
        q, k, table = reader(case, dtype, where)("q", "k", "table")
        at = positions(q.shape[2], start=131_000, device=where)
        scores = shaw_scores(q, k, at, at, table, past=case["past"])
        assert_weights(scores, case, dtype, ROUNDING[dtype])


@every_dtype
def test_bert_equals_old_transformers(golden, dtype, where):
    for case in golden("bert_relative_heads"):
        q, k, table = reader(case, dtype, where)("q", "k", "table")
        at = positions(q.shape[2], start=131_000, device=where)
        scores = bert_relative_scores(q, k, at, at, table, variant=case["variant"])
        assert_weights(scores, case, dtype, ROUNDING[dtype])


@every_dtype
def test_transformer_xl_equals_old_transformers(golden, dtype, where):
    for case in golden("transformer_xl_heads"):
        read = reader(case, dtype, where)
        q, k, u, v, weight = read("q", "k", "u", "v", "weight")
        at = (
            positions(q.shape[2], start=case["memory"], device=where),
            positions(k.shape[2], device=where),
        )
        scores = sum(transformer_xl_terms(q, k, *at, u, v, weight))
        seen = scores.masked_fill(~causal_mask(*at), -torch.inf)
        assert_weights(seen, case, dtype, max(ROUNDING[dtype], SINGLE))  # upstream is float32


@every_dtype
def test_xlnet_equals_transformers(golden, dtype, where):
    for case in golden("xlnet_heads"):
        read = reader(case, dtype, where)
        q, k, u, v, weight, bias, embedding = read(
            "q", "k", "u", "v", "weight", "segment_bias", "segment_embedding"
        )
        scores = xlnet_scores(
            q,
            k,
            positions(q.shape[2], start=case["memory"], device=where),
            positions(k.shape[2], device=where),
            u,
            v,
            weight,
            same_segment=~torch.tensor(case["other_segment"], device=where),
            segment_bias=bias,
            segment_embedding=embedding,
        )
        assert_weights(scores, case, dtype, max(ROUNDING[dtype], 1e-6))  # upstream's R is float32


@every_dtype
def test_xlnet_of_one_direction_equals_transformers(golden, dtype, where):
    """attn_type "uni": upstream has fewer rows of R and a mask; the formula is the same."""
    for case in golden("xlnet_uni"):
        read = reader(case, dtype, where)
        bias, embedding = read("segment_bias", "segment_embedding")
        keys, queries = len(case["k"][0][0]), len(case["q"][0][0])
        at = positions(queries, start=keys - queries, device=where), positions(keys, device=where)
        scores = xlnet_scores(
            *read("q", "k"),
            *at,
            *read("u", "v", "weight"),
            same_segment=~torch.tensor(case["other_segment"], device=where),
            segment_bias=bias,
            segment_embedding=embedding,
        )
        seen = torch.tensor(case["mask"], device=where)
        assert not (seen & ~causal_mask(*at)).any()  # less only by padding
        scores = scores.masked_fill(~seen, -torch.inf)
        assert_weights(scores, case, dtype, max(ROUNDING[dtype], 1e-6))  # upstream's R is float32


# far positions: R is upstream's, in float32. The fastest pair has whole angles; those of the others
# reach 131071 / 21 < 2^13, off by 2^-11. q·W R is below 2, over √D = 2, and a weight moves by
# at most 1/4 of the difference of two: 2^-12

FAR = 2**-12


@every_dtype
def test_far_transformer_xl_equals_old_transformers(golden, dtype, where):
    for case in golden("transformer_xl_far"):
        q, k, u, v, weight = reader(case, dtype, where)("q", "k", "u", "v", "weight")
        near = positions(3, start=case["memory"], device=where), positions(4, device=where)
        at = near[0] + case["ahead"], near[1]
        scores = sum(transformer_xl_terms(q, k, *at, u, v, weight))
        seen = scores.masked_fill(~causal_mask(*near), -torch.inf)
        assert_weights(seen, case, dtype, max(ROUNDING[dtype], FAR))


@every_dtype
def test_far_xlnet_equals_transformers(golden, dtype, where):
    for case in golden("xlnet_far"):
        read = reader(case, dtype, where)
        bias, embedding = read("segment_bias", "segment_embedding")
        scores = xlnet_scores(
            *read("q", "k"),
            positions(3, start=case["memory"] + case["ahead"], device=where),
            positions(4, device=where),
            *read("u", "v", "weight"),
            same_segment=~torch.tensor(case["other_segment"], device=where),
            segment_bias=bias,
            segment_embedding=embedding,
        )
        assert_weights(scores, case, dtype, max(ROUNDING[dtype], FAR))


# Shaw's values


@settings(deadline=None, max_examples=20)
@given(
    start=st.integers(-1000, 131_072),
    heads=st.sampled_from([1, 3, 12, 71]),
    past=st.integers(0, 9),
    future=st.integers(0, 9),
)
def test_shaw_values_as_loops_for_each_text(start, heads, past, future):
    weights = torch.rand(2, heads, 2, 5, **EXACT)
    table = torch.randn(past + 1 + future, 3, **EXACT)
    middle = {} if past == future else {"past": past}
    q_rows, k_rows = [[start + 3, start + 4], [7, 0]], [[*range(start, start + 5)], [0, 1, 2, 9, 4]]
    at = torch.tensor(q_rows), torch.tensor(k_rows)
    actual = shaw_values(weights, *at, table, **middle)
    for b in range(2):
        for i in range(2):
            expected = torch.zeros(heads, 3, **EXACT)
            for j in range(5):
                distance = max(-past, min(future, k_rows[b][j] - q_rows[b][i]))
                expected += weights[b, :, i, j, None] * table[distance + past]
            torch.testing.assert_close(actual[b, :, i], expected)


# fast and plain


@settings(deadline=None, max_examples=30)
@given(
    start=st.integers(-1000, 131_072),
    heads=st.sampled_from([1, 3, 12, 71]),
    lengths=st.tuples(st.integers(1, 4), st.integers(1, 6)),
    variant=st.sampled_from(["key", "key_query"]),
    batch=st.booleans(),
)
def test_fast_forms_are_the_plain_ones(start, heads, lengths, variant, batch):
    q, k = (torch.randn(2, heads, length, 4, **EXACT) for length in lengths)
    table = torch.randn(15, 4, **EXACT)
    at = positions(lengths[0], start=start + 1), positions(lengths[1], start=start)
    at = [torch.stack((x, x.flip(0))) for x in at] if batch else at
    for fast, plain in (
        (shaw_scores(q, k, *at, table), shaw_scores_plain(q, k, *at, table)),
        (
            bert_relative_scores(q, k, *at, table, variant=variant),
            bert_relative_scores_plain(q, k, *at, table, variant=variant),
        ),
    ):
        torch.testing.assert_close(fast, plain, rtol=0, atol=1e-13)
