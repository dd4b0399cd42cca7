"""Shaw, BERT, Transformer-XL, XLNet, rel-shift: many heads, dtypes, transforms, bad input.

test_score.py has their properties and few heads; here are upstream's answers for 12 and 71 heads.
"""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from posenc_ref.attention import causal_mask
from posenc_ref.bert_relative import bert_relative_scores
from posenc_ref.positions import positions
from posenc_ref.rel_shift import rel_shift, rel_shift_bidirectional, rel_shift_plain
from posenc_ref.shaw import ShawEmbedding, shaw_scores, shaw_scores_plain, shaw_values
from posenc_ref.transformer_xl import (
    TransformerXLEmbedding,
    transformer_xl_terms,
    transformer_xl_terms_plain,
)
from posenc_ref.xlnet import xlnet_scores

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
    found = scores.double().softmax(-1).cpu()
    torch.testing.assert_close(found, expected, rtol=0, atol=atol)


# upstream, 12 and 71 heads


@every_dtype
def test_shaw_equals_wav2vec2_bert(golden, dtype, where):
    for case in golden("shaw_heads"):
        q, k, table = reader(case, dtype, where)("q", "k", "table")
        at = positions(q.shape[2], start=131_000, device=where)
        for scores in (shaw_scores, shaw_scores_plain):
            assert_weights(scores(q, k, at, at, table), case, dtype, ROUNDING[dtype])


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
        for terms in (transformer_xl_terms, transformer_xl_terms_plain):
            scores = sum(terms(q, k, *at, u, v, weight))
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


def test_the_shift_of_xlnet_equals_transformers(golden):
    for case in golden("rel_shift_xlnet"):
        x = torch.tensor(case["x"])
        assert rel_shift_bidirectional(x, case["keys"]).tolist() == case["values"]
        plain = rel_shift_plain(x, case["keys"], zero=len(x))
        assert plain.tolist() == case["values"]


# what rel-shift is for: the term that Transformer-XL gets from it is the term of the positions


@given(queries=st.integers(1, 5), memory=st.integers(0, 4))
@settings(deadline=None, max_examples=20)
def test_rel_shift_gives_the_terms_of_the_distances(queries, memory):
    keys, one = queries + memory, torch.eye(6, **EXACT)
    q, k = torch.randn(1, 1, queries, 6, **EXACT), torch.zeros(1, 1, keys, 6, **EXACT)
    nothing = torch.zeros(1, 6, **EXACT)
    at = positions(queries, start=memory), positions(keys)
    by_position = transformer_xl_terms(q, k, *at, nothing, nothing, one).content_position

    def by_distance(farthest, columns):  # (1, 1, Lq, columns): farthest, farthest - 1, … back
        rows = positions(columns).flip(0) + farthest - columns + 1
        key = positions(1, start=0)
        back = [
            transformer_xl_terms(q, k[:, :, :1], row.expand(queries), key, nothing, nothing, one)
            for row in rows
        ]
        return torch.cat([terms.content_position for terms in back], dim=-1)

    seen = causal_mask(*at)
    causal = rel_shift(by_distance(keys - 1, keys))
    torch.testing.assert_close(causal[..., seen], by_position[..., seen])
    both = rel_shift_bidirectional(by_distance(keys, keys + queries), keys)
    torch.testing.assert_close(both, by_position)


def test_plain_shift_fills_with_zeros_beside_infinities():
    x = torch.full((2, 2), -torch.inf)
    assert rel_shift_plain(x, keys=2, zero=1).tolist() == [[-torch.inf, 0.0], [-torch.inf] * 2]


# Shaw's values


@settings(deadline=None, max_examples=20)
@given(
    start=st.integers(-1000, 131_072),
    heads=st.sampled_from([1, 3, 12, 71]),
    largest=st.integers(1, 9),
)
def test_shaw_values_as_loops_for_each_text(start, heads, largest):
    weights = torch.rand(2, heads, 2, 5, **EXACT)
    table = torch.randn(2 * largest + 1, 3, **EXACT)
    q_rows, k_rows = [[start + 3, start + 4], [7, 0]], [[*range(start, start + 5)], [0, 1, 2, 9, 4]]
    found = shaw_values(weights, torch.tensor(q_rows), torch.tensor(k_rows), table)
    for b in range(2):
        for i in range(2):
            expected = torch.zeros(heads, 3, **EXACT)
            for j in range(5):
                distance = max(-largest, min(largest, k_rows[b][j] - q_rows[b][i]))
                expected += weights[b, :, i, j, None] * table[distance + largest]
            torch.testing.assert_close(found[b, :, i], expected)


# torch's transforms; the scores of Shaw and Transformer-XL are in test_transforms.py

TABLE = torch.linspace(-1, 1, 13 * 8).view(13, 8)
HEADS = torch.linspace(-1, 1, 24).view(3, 8)
WEIGHT = torch.linspace(-1, 1, 24 * 6).view(24, 6)


def xlnet(q, k, *at):
    same = torch.ones(q.shape[0], q.shape[2], k.shape[2], dtype=torch.bool).tril()
    segments = {"segment_bias": HEADS, "segment_embedding": torch.stack((HEADS, -HEADS))}
    return xlnet_scores(q, k, *at, HEADS, HEADS, WEIGHT, same_segment=same, **segments)


MEMBERS = {
    "shaw values": lambda q, k, *at: shaw_values((q @ k.mT).softmax(-1), *at, TABLE),
    "xlnet": xlnet,
    "rel_shift": lambda q, k, *at: rel_shift(q @ k.mT),
    "rel_shift bidirectional": lambda q, k, *at: rel_shift_bidirectional(q @ k.mT, keys=2),
    "rel_shift plain": lambda q, k, *at: rel_shift_plain(q @ k.mT, keys=6, zero=3),
}
BERT = {
    variant: lambda q, k, *at, v=variant: bert_relative_scores(q, k, *at, TABLE, variant=v)
    for variant in ("key", "key_query")
}
AT = positions(4, start=2), positions(6)
each = pytest.mark.parametrize("function", MEMBERS.values(), ids=MEMBERS)
each_or_bert = pytest.mark.parametrize(
    "function", [*MEMBERS.values(), *BERT.values()], ids=[*MEMBERS, *BERT]
)


def qk(**dtype):
    return torch.randn(2, 3, 4, 8, **dtype), torch.randn(2, 3, 6, 8, **dtype)


class Called(nn.Module):
    """What torch.export wants: a module around a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


@each_or_bert
def test_compiles_as_one_graph_and_exports(function):
    inputs = (*qk(), *AT)
    compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(*inputs), function(*inputs))
    program = torch.export.export(Called(function), inputs)
    torch.testing.assert_close(program.module()(*inputs), function(*inputs))


@each
def test_vmap_over_texts_with_positions_of_their_own(function):
    q, k = qk()
    rows = tuple(torch.stack((at, 3 * at)) for at in AT)
    by_text = torch.vmap(lambda q, k, *at: function(q[None], k[None], *at)[0])(q, k, *rows)
    torch.testing.assert_close(by_text, function(q, k, *rows))


@each_or_bert
def test_autocast(function):
    inputs = (*qk(), *AT)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = function(*inputs)
    # sums of eight products below about 8, each rounded to 8 bits
    torch.testing.assert_close(found.float(), function(*inputs), rtol=0.05, atol=0.1)


@each_or_bert
def test_gradients_are_those_of_finite_differences(function):
    q, k = (x[:1].requires_grad_() for x in qk(**EXACT))
    assert torch.autograd.gradcheck(lambda q, k: function(q, k, *AT), (q, k))


def test_gradients_reach_every_weight():
    q, k = (x[:1] for x in qk(**EXACT))
    tables = [x.double().requires_grad_() for x in (TABLE, HEADS, HEADS, WEIGHT)]

    def scores(table, u, v, weight):
        shaw = shaw_values(shaw_scores(q, k, *AT, table).softmax(-1), *AT, table)
        bert = bert_relative_scores(q, k, *AT, table, variant="key_query")
        return shaw, bert, *transformer_xl_terms(q, k, *AT, u, v, weight)

    assert torch.autograd.gradcheck(scores, tables)


@pytest.mark.parametrize("start", [9, -9])
def test_a_compiled_look_up_still_refuses_a_distance_without_a_row(start):
    """No IndexError with a reason there, and no row from the other end of the table either."""
    compiled = torch.compile(BERT["key_query"], backend="aot_eager", fullgraph=True)
    far = AT[0] + start, AT[1]
    with pytest.raises(RuntimeError, match="out of bounds"):
        compiled(*qk(), *far)
    with pytest.raises(IndexError, match="is outside a table of length 13"):
        BERT["key_query"](*qk(), *far)


@pytest.mark.parametrize("variant", BERT)
def test_vmap_of_bert_over_texts_at_the_same_positions(variant):
    q, k = qk()
    by_text = torch.vmap(lambda q, k: BERT[variant](q[None], k[None], *AT)[0])(q, k)
    torch.testing.assert_close(by_text, BERT[variant](q, k, *AT))


# modules


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (lambda: ShawEmbedding(6, 8), {"keys", "values"}),
        (lambda: TransformerXLEmbedding(3, 8, 6), {"u", "v", "weight"}),
    ],
    ids=["shaw", "transformer_xl"],
)
def test_a_state_dict_loads_strictly(module, names):
    one, two, inputs = module(), module(), (*qk(), *AT)
    assert one.state_dict().keys() == names
    assert not torch.equal(one(*inputs), two(*inputs))
    two.load_state_dict(one.state_dict(), strict=True)
    assert torch.equal(one(*inputs), two(*inputs))
    with pytest.raises(RuntimeError, match="Missing key"):
        two.load_state_dict({}, strict=True)


# bad input


def weights(batch=2, dtype=torch.float32):
    return torch.ones(batch, 3, 4, 6, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_positions_between_tokens_have_no_row(dtype):
    between = [at.to(dtype) + 0.5 for at in AT]
    for call in (
        lambda: shaw_scores(*qk(), *between, TABLE),
        lambda: shaw_scores_plain(*qk(), *between, TABLE),
        lambda: shaw_values(weights(), *between, TABLE),
        lambda: bert_relative_scores(*qk(), *between, TABLE),
    ):
        with pytest.raises(TypeError, match=f"positions must be integers .* got {dtype}"):
            call()
    assert sum(transformer_xl_terms(*qk(), *between, HEADS, HEADS, WEIGHT)).isfinite().all()


@pytest.mark.parametrize("batch", [1, 3])
def test_a_batch_of_positions_is_not_stretched(batch):
    rows = [at.expand(batch, -1) for at in AT]
    with pytest.raises(ValueError, match=re.escape(f"(2, 3, 4, 6) and ({batch}, 4, 6)")):
        shaw_values(weights(), *rows, TABLE)


def test_weights_and_tables_that_do_not_fit_are_refused():
    with pytest.raises(TypeError, match=r"weights must be floats, got torch\.int64"):
        shaw_values(weights(dtype=torch.int64), *AT, TABLE)
    for table, shape in ((torch.tensor(1.0), "()"), (TABLE[:4], "(4, 8)"), (TABLE[0], "(8,)")):
        with pytest.raises(ValueError, match=re.escape(f"table must be (2m + 1, D), got {shape}")):
            shaw_values(weights(), *AT, table)
        with pytest.raises(ValueError, match=re.escape(f"(2·max_length - 1, 8), got {shape}")):
            bert_relative_scores(*qk(), *AT, table)
    with pytest.raises(ValueError, match="variant must be one of key, key_query, got 'query'"):
        bert_relative_scores(*qk(), *AT, TABLE, variant="query")


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"same_segment": torch.ones(2, 4, 6)}, TypeError, "must be boolean, got torch.float32"),
        ({"same_segment": torch.ones(1, 4, 6).bool()}, ValueError, "(2, 4, 6), got (1, 4, 6)"),
        ({"segment_bias": HEADS[:1]}, ValueError, "segment_bias must be (3, 8), got (1, 8)"),
        ({"segment_embedding": HEADS[None]}, ValueError, "must be (2, 3, 8), got (1, 3, 8)"),
    ],
    ids=["not boolean", "batch", "bias", "embedding"],
)
def test_segments_that_do_not_fit_are_refused(changed, error, said):
    segments = {
        "same_segment": torch.ones(2, 4, 6).bool(),
        "segment_bias": HEADS,
        "segment_embedding": torch.stack((HEADS, HEADS)),
    }
    with pytest.raises(error, match=re.escape(said)):
        xlnet_scores(*qk(), *AT, HEADS, HEADS, WEIGHT, **(segments | changed))
