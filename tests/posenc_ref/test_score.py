"""Scores by relative position equal their upstreams; fast forms equal the plain ones."""

import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import (
    ShawEmbedding,
    TransformerXLEmbedding,
    bert_relative_scores,
    causal_mask,
    cope_positions,
    cope_scores,
    cope_term,
    deberta_bucket,
    deberta_scores,
    positions,
    rel_shift,
    rel_shift_bidirectional,
    shaw_scores,
    shaw_values,
    transformer_xl_terms,
    xlnet_scores,
)
from tests.posenc_ref.plain_scores import rel_shift_plain, transformer_xl_terms_plain

SINGLE = {"rtol": 0, "atol": 5e-6}  # weights below 1, float32 throughout


def tensors(case, *names):
    return (torch.tensor(case[name]) for name in names)


def qk(heads=3, queries=4, keys=6, dim=8, batch=2):
    shapes = (batch, heads, queries, dim), (batch, heads, keys, dim)
    return (torch.randn(shape, dtype=torch.float64) for shape in shapes)


# Shaw


def test_shaw_keys_equal_wav2vec2_bert(golden):
    for case in golden("shaw_wav2vec2_bert"):
        q, k, table, weights = tensors(case, "q", "k", "table", "values")
        at = positions(q.shape[2])
        actual = shaw_scores(q, k, at, at, table).softmax(-1)
        torch.testing.assert_close(actual, weights, **SINGLE)


def test_shaw_values_as_loops():
    weights = torch.rand(2, 3, 4, 6, dtype=torch.float64)
    table = torch.randn(5, 8, dtype=torch.float64)
    actual = shaw_values(weights, positions(4), positions(6), table)
    for i in range(4):
        rows = [table[max(-2, min(2, j - i)) + 2] for j in range(6)]  # j - i: key - query
        expected = sum(weights[:, :, i, j, None] * rows[j] for j in range(6))
        torch.testing.assert_close(actual[:, :, i], expected)


def test_shaw_clips():
    module = ShawEmbedding(max_distance=2, head_dim=8)
    q, k = (x.float() for x in qk(1, 1, 9))
    scores = module(q, 0 * k, positions(1), positions(9))
    assert (scores[..., 2:] == scores[..., 2:3]).all()  # all beyond 2 share a row
    assert not torch.equal(scores[..., 1], scores[..., 2])
    scores.sum().backward()
    assert module.keys.grad.any()


# BERT


def test_bert_equals_old_transformers(golden):
    for case in golden("bert_relative"):
        q, k, table, weights = tensors(case, "q", "k", "table", "values")
        at = positions(6)
        actual = bert_relative_scores(q, k, at, at, table, variant=case["variant"])
        torch.testing.assert_close(actual.softmax(-1), weights, **SINGLE)


def test_bert_is_not_shaw():
    q, k = qk(1, 3, 3)
    table = torch.randn(5, 8, dtype=torch.float64)
    at = positions(3)
    other_sign = shaw_scores(q, k, at, at, table.flip(0))
    torch.testing.assert_close(bert_relative_scores(q, k, at, at, table), other_sign)
    with pytest.raises(IndexError, match="distance row 5 is outside a table of length 5"):
        bert_relative_scores(q, k, at + 1, at, table)


# Transformer-XL, XLNet, rel-shift


def test_transformer_xl_equals_old_transformers(golden):
    for case in golden("transformer_xl"):
        q, k, u, v, weight, weights = tensors(case, "q", "k", "u", "v", "weight", "values")
        at = positions(q.shape[2], start=case["memory"]), positions(k.shape[2])
        scores = sum(transformer_xl_terms(q, k, *at, u, v, weight))
        actual = scores.masked_fill(~causal_mask(*at), -torch.inf).softmax(-1)
        torch.testing.assert_close(actual, weights, **SINGLE)


def test_xlnet_equals_transformers(golden):
    for case in golden("xlnet"):
        q, k, u, v, weight, weights = tensors(case, "q", "k", "u", "v", "weight", "values")
        bias, embedding = tensors(case, "segment_bias", "segment_embedding")
        actual = xlnet_scores(
            q,
            k,
            positions(q.shape[2], start=case["memory"]),
            positions(k.shape[2]),
            u,
            v,
            weight,
            same_segment=~torch.tensor(case["other_segment"])[None],
            segment_bias=bias,
            segment_embedding=embedding,
        )
        torch.testing.assert_close(actual.softmax(-1), weights, rtol=0, atol=2e-5)


@settings(deadline=None, max_examples=20)
@given(start=st.integers(-1000, 131072), heads=st.sampled_from([1, 3, 12]), batch=st.booleans())
def test_transformer_xl_without_a_vector_for_every_pair(start, heads, batch):
    q, k = qk(heads)
    u, v = torch.randn(2, heads, 8, dtype=torch.float64)
    weight = torch.randn(heads * 8, 6, dtype=torch.float64)
    at = positions(4, start=start + 2), positions(6, start=start)
    if batch:
        at = tuple(torch.stack((x, x + 5)) for x in at)
    fast = transformer_xl_terms(q, k, *at, u, v, weight)
    plain = transformer_xl_terms_plain(q, k, *at, u, v, weight)
    for one, two in zip(fast, plain, strict=True):
        expanded = [x.expand(2, heads, 4, 6) for x in (one, two)]
        torch.testing.assert_close(*expanded, rtol=0, atol=1e-8)


def test_rel_shift_equals_old_transformers_garbage_included(golden):
    for case in golden("rel_shift"):
        assert rel_shift(torch.tensor(case["x"])).tolist() == case["values"]


@given(st.integers(1, 6), st.integers(0, 4))
def test_rel_shift_is_right_where_it_matters(queries, memory):
    keys = queries + memory
    x = torch.randn(2, queries, keys)
    actual, plain = rel_shift(x), rel_shift_plain(x, keys, zero=queries - 1)
    seen = causal_mask(positions(queries, start=memory), positions(keys))
    assert torch.equal(actual[:, seen], plain[:, seen])
    wide = torch.randn(2, queries, keys + queries)
    assert torch.equal(
        rel_shift_bidirectional(wide, keys), rel_shift_plain(wide, keys, zero=queries)
    )


# DeBERTa


def test_deberta_v1_equals_transformers(golden):
    for case in golden("deberta_v1"):
        q, k, r_q, r_k, weights = tensors(case, "q", "k", "relative_q", "relative_k", "values")
        actual = deberta_scores(q, k, positions(7), positions(7), r_q, r_k, terms=case["terms"])
        torch.testing.assert_close(actual.softmax(-1), weights, rtol=0, atol=2e-5)


def test_deberta_v2_equals_transformers(golden):
    for case in golden("deberta_v2"):
        q, k, r_q, r_k, weights = tensors(case, "q", "k", "relative_q", "relative_k", "values")
        at = positions(20)
        actual = deberta_scores(q, k, at, at, r_q, r_k, max_distance=case["max_distance"])
        torch.testing.assert_close(actual.softmax(-1), weights, rtol=0, atol=2e-5)


def test_deberta_buckets_equal_transformers(golden):
    for case in golden("deberta_bucket"):
        options = {"buckets": case["buckets"], "max_distance": case["max_distance"]}
        assert deberta_bucket(torch.tensor(case["distance"]), **options).tolist() == case["values"]


@pytest.mark.parametrize("index", ["code", "paper"])
def test_deberta_terms_as_loops(index):
    q, k = qk(2, 6, 6, 4)
    r_q, r_k = torch.randn(2, 2, 4, 4, dtype=torch.float64)
    actual = deberta_scores(q, k, positions(6), positions(6), r_q, r_k, p2c_index=index)

    def delta(i, j):
        return max(0, min(3, i - j + 2))  # m = 2

    for i in range(6):
        for j in range(6):
            at = delta(i, j) if index == "code" else delta(j, i)
            sums = q[:, :, i] * (k[:, :, j] + r_k[:, delta(i, j)]) + k[:, :, j] * r_q[:, at]
            torch.testing.assert_close(actual[:, :, i, j], sums.sum(-1) / math.sqrt(3 * 4))


# CoPE


def test_cope_equals_x_transformers(golden):
    for case in golden("cope_x_transformers"):
        q, scores, table, values = tensors(case, "q", "scores", "table", "values")
        seen = torch.ones(q.shape[2], q.shape[2]).tril().bool()
        at = cope_positions(scores.masked_fill(~seen, -torch.inf), len(table))
        torch.testing.assert_close(cope_term(q, at, table), values, rtol=0, atol=1e-5)


def test_cope_counts_from_the_query_backwards():
    open_gates = torch.full((1, 1, 4, 4), 50.0).masked_fill(torch.ones(4, 4).triu(1).bool(), -1e9)
    at = cope_positions(open_gates, rows=99)
    assert at[0, 0, 3].tolist() == [4.0, 3.0, 2.0, 1.0]
    assert at[0, 0, 0].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert cope_positions(open_gates, rows=3)[0, 0, 3].tolist() == [2.0, 2.0, 2.0, 1.0]


@pytest.mark.parametrize("divided", ["both", "content"])
def test_cope_as_loops(divided):
    q, k = qk(2, 4, 4, 8)
    table = torch.randn(9, 8, dtype=torch.float64)
    actual = cope_scores(q, k, positions(4), positions(4), table, divided=divided)
    scale = 8**-0.5
    for i in range(4):
        for j in range(4):
            if j > i:
                assert (actual[:, :, i, j] == -torch.inf).all()
                continue
            gates = [
                (q[:, :, i] * k[:, :, t]).sum(-1).mul(scale).sigmoid() for t in range(j, i + 1)
            ]
            p = sum(gates)[..., None]
            e = table[p.floor().long()[..., 0]] * (1 - p % 1) + table[p.ceil().long()[..., 0]] * (
                p % 1
            )
            content, term = ((q[:, :, i] * x).sum(-1) for x in (k[:, :, j], e))
            expected = content * scale + term * (scale if divided == "both" else 1.0)
            torch.testing.assert_close(actual[:, :, i, j], expected)


# all


def members():
    table = torch.randn(9, 8, dtype=torch.float64)
    heads = torch.randn(3, 8, dtype=torch.float64)
    weight = torch.randn(24, 6, dtype=torch.float64)
    per_head = torch.randn(3, 12, 8, dtype=torch.float64)
    return {
        "shaw": lambda *x: shaw_scores(*x, table),
        "bert": lambda *x: bert_relative_scores(*x, torch.cat((table, table, table))),
        "transformer_xl": lambda *x: sum(transformer_xl_terms(*x, heads, heads, weight)),
        "deberta": lambda *x: deberta_scores(*x, per_head, per_head),
        "cope": lambda *x: cope_scores(*x, table).nan_to_num(neginf=0.0),
    }


each = pytest.mark.parametrize("name", ["shaw", "bert", "transformer_xl", "deberta", "cope"])


@each
@settings(deadline=None, max_examples=15)
@given(shift=st.integers(-5000, 100_000))
def test_only_distance_is_seen(name, shift):
    torch.manual_seed(1)
    scores, (q, k) = members()[name], qk()
    near, far = (scores(q, k, positions(4, start=s + 2), positions(6, start=s)) for s in (0, shift))
    torch.testing.assert_close(near, far, rtol=0, atol=1e-8)


@each
def test_a_batch_of_positions_and_a_decode_step(name):
    scores, (q, k) = members()[name], qk()
    at = positions(4, start=2), positions(6)
    whole = scores(q, k, *at)
    rows = tuple(torch.stack((x, x + 3)) for x in at)
    torch.testing.assert_close(scores(q, k, *rows), whole)
    last = scores(q[:, :, -1:], k, positions(1, start=5), positions(6))
    torch.testing.assert_close(last, whole[:, :, -1:])


@each
def test_shapes_that_disagree_are_refused(name):
    scores, (q, k) = members()[name], qk()
    for bad, message in (
        ((q, k[:, :2], positions(4), positions(6)), "disagree: (2, 3, 4, 8) and (2, 2, 6, 8)"),
        ((q, k, positions(3), positions(6)), "do not fit q and k"),
        ((q[0], k[0], positions(4), positions(6)), "disagree: (3, 4, 8) and (3, 6, 8)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            scores(*bad)
    with pytest.raises(TypeError, match="one float dtype"):
        scores(q, k.float(), positions(4), positions(6))


def test_tables_that_do_not_fit_are_refused():
    q, k = qk()
    at = positions(4), positions(6)
    table, heads = torch.zeros(4, 8), torch.zeros(3, 8)
    for bad, message in (
        (lambda: shaw_scores(q, k, *at, table), "table must be (2m + 1, 8), got (4, 8)"),
        (lambda: bert_relative_scores(q, k, *at, table), "table must be (2·max_length - 1, 8)"),
        (lambda: cope_scores(q, k, *at, table[:, :3]), "table must be (rows, 8), got (4, 3)"),
        (lambda: cope_positions(q, 0), "rows must be positive"),
        (
            lambda: transformer_xl_terms(q, k, *at, heads[:2], heads, table),
            "u and v must be (H, D) = (3, 8), got (2, 8) and (3, 8)",
        ),
        (
            lambda: transformer_xl_terms(q, k, *at, heads, heads, table),
            "weight must be (24, d), d even, got (4, 8)",
        ),
        (
            lambda: deberta_scores(q, k, *at, torch.zeros(3, 5, 8), torch.zeros(3, 5, 8)),
            "must be (3, 2m, 8), got (3, 5, 8)",
        ),
        (
            lambda: deberta_scores(q, k, *at, *torch.zeros(2, 3, 4, 8), terms=["p2p"]),
            "terms must be among c2p, p2c, got p2p",
        ),
        (
            lambda: deberta_scores(q, k, *at, *torch.zeros(2, 3, 4, 8), p2c_index="hf"),
            "p2c_index must be one of code, paper, got 'hf'",
        ),
        (lambda: deberta_bucket(torch.tensor(3), buckets=2), "2 buckets do not fit"),
        (lambda: rel_shift(torch.zeros(3, 2)), "with Lq ≤ Lk, got (3, 2)"),
        (lambda: rel_shift_bidirectional(torch.zeros(2, 3), 2), "R ≥ 2 + Lq, got (2, 3)"),
        (lambda: ShawEmbedding(0, 4), "sizes must be positive, got 0 and 4"),
        (lambda: TransformerXLEmbedding(1, 4, 3), "dim even, got 1, 4 and 3"),
        (
            lambda: shaw_values(torch.zeros(1, 1, 2, 2), *at, torch.zeros(3, 4)),
            "weights (B, H, Lq, Lk) and positions disagree",
        ),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            bad()
