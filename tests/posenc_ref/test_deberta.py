"""DeBERTa: every head count, far positions, each dtype; all buckets; terms one by one."""

import math
import re
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import positions
from posenc_ref.deberta import deberta_scores, deberta_terms
from posenc_ref.deberta_buckets import deberta_bucket
from tests.posenc_ref.plain_scores import deberta_terms_plain


def inputs(heads=3, queries=4, keys=6, dim=4, rows=8, dtype=torch.float64):
    shapes = (2, heads, queries, dim), (2, heads, keys, dim), (heads, rows, dim), (heads, rows, dim)
    return [torch.randn(shape, dtype=dtype) for shape in shapes]


def exact_bucket(distance, buckets, longest):
    """The formula with Python's float64, one distance at a time."""
    middle, size = buckets // 2, abs(distance)
    if size <= middle:
        return distance
    share = math.log(size / middle) / math.log((longest - 1) / middle)
    return int(math.copysign(math.ceil(share * (middle - 1)) + middle, distance))


def as_loops(q, k, relative_q, relative_k, start, index, bucket):
    """One pair of tokens at a time; returns the three terms."""
    span = relative_k.shape[1] // 2
    terms = torch.zeros(3, *q.shape[:3], k.shape[2], dtype=q.dtype)
    for i in range(q.shape[2]):
        for j in range(k.shape[2]):
            distance = bucket(start + i - j)
            there = max(0, min(2 * span - 1, distance + span))
            back = there if index == "code" else max(0, min(2 * span - 1, -distance + span))
            query, key = q[:, :, i], k[:, :, j]
            terms[0, :, :, i, j] = (query * key).sum(-1)
            terms[1, :, :, i, j] = (query * relative_k[:, there]).sum(-1)
            terms[2, :, :, i, j] = (key * relative_q[:, back]).sum(-1)
    return terms


def test_terms_equal_loops(subtests):
    at = positions(4, start=131072 + 2), positions(6, start=131072)
    buckets = {None: lambda d: d, 16: lambda d: exact_bucket(d, 4, 16)}
    for longest, index, heads in product(buckets, ("code", "paper"), (1, 3, 8, 12, 71, 112)):
        with subtests.test(heads=heads, index=index, longest=longest):
            q, k, *tables = inputs(heads)
            actual = deberta_terms(q, k, *at, *tables, p2c_index=index, max_distance=longest)
            expected = as_loops(q, k, *tables, 2, index, buckets[longest])
            for one, two in zip(actual, expected, strict=True):
                torch.testing.assert_close(one, two)


@settings(deadline=None, max_examples=30)
@given(
    heads=st.sampled_from([1, 3, 12, 71]),
    lengths=st.tuples(st.integers(1, 5), st.integers(1, 6)),
    start=st.integers(-1000, 131072),
    index=st.sampled_from(["code", "paper"]),
    longest=st.sampled_from([None, 16, 500]),
    batch=st.booleans(),
)
def test_the_fast_terms_are_the_plain_ones(heads, lengths, start, index, longest, batch):
    arguments = inputs(heads, *lengths)
    at = positions(lengths[0], start=start + 2), positions(lengths[1], start=start)
    at = [torch.stack((x, 3 * x)) for x in at] if batch else at
    arguments[2:2], options = at, {"p2c_index": index, "max_distance": longest}
    fast, plain = deberta_terms(*arguments, **options), deberta_terms_plain(*arguments, **options)
    for one, two in zip(fast, plain, strict=True):
        torch.testing.assert_close(one, two, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_positions_between_tokens_have_no_row(dtype):
    q, k, *tables = inputs()
    at = positions(4).to(dtype), positions(6).to(dtype)
    for longest in (None, 16):
        with pytest.raises(TypeError, match=f"positions must be integers .* got {dtype}"):
            deberta_terms(q, k, *at, *tables, max_distance=longest)


def test_root_counts_the_relative_terms(subtests):
    q, k, *tables = inputs()
    at = positions(4), positions(6)
    parts = deberta_terms(q, k, *at, *tables)._asdict()
    for terms in [(), ("c2p",), ("p2c",), ("p2c", "c2p")]:
        with subtests.test(terms=terms):
            root = math.sqrt(4 * (1 + len(terms)))
            expected = sum(parts[name] for name in ("c2c", *terms)) / root
            torch.testing.assert_close(deberta_scores(q, k, *at, *tables, terms=terms), expected)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # sums of 4 products below 20 and three roundings: units of 2^-24 and 2^-8 of the largest
    [(torch.float32, 1e-5), (torch.bfloat16, 0.25)],
)
def test_lower_precision(dtype, tolerance, where):
    exact = [x.to(dtype).double() for x in inputs()]
    at = positions(4, device=where), positions(6, device=where)
    q, k, *tables = (x.to(where, dtype) for x in exact)
    actual = deberta_scores(q, k, *at, *tables)
    assert actual.dtype == dtype
    expected = deberta_scores(*exact[:2], positions(4), positions(6), *exact[2:])
    torch.testing.assert_close(actual.double().cpu(), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # scores below 8; upstream's √(3D) is float32; bfloat16 rounds each some ten times
    [(torch.float64, 2e-7), (torch.float32, 1e-6), (torch.bfloat16, 2**-5)],
)
def test_many_heads_far_away_and_padding_equal_transformers(
    golden, dtype, tolerance, where, subtests
):
    """Upstream in float64, 71 and 112 heads, tokens up to 131071 apart."""
    for version in (1, 2):
        for case in golden(f"deberta_v{version}_heads"):
            q, k, *tables = (
                torch.tensor(case[x], dtype=dtype, device=where)
                for x in ("q", "k", "relative_q", "relative_k")
            )
            at = torch.tensor(case["positions"], device=where)
            scores = deberta_scores(q, k, at, at, *tables, max_distance=case.get("max_distance"))
            assert scores.dtype == dtype, version
            scores[..., case["tokens"] :] = -torch.inf  # padding
            expected = torch.tensor(case["values"], dtype=torch.float64)
            actual = scores.double().softmax(-1).cpu()
            with subtests.test(version=version):
                torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def test_indices_agree_only_where_distance_is_its_own_mirror():
    """δ(j, i) differs from δ(i, j) everywhere but on the diagonal."""
    q, k, *tables = inputs(queries=5, keys=5, rows=12)
    at = positions(5), positions(5)
    code, paper = (deberta_terms(q, k, *at, *tables, p2c_index=x).p2c for x in ("code", "paper"))
    same = (code == paper).all(0).all(0)
    assert torch.equal(same, torch.eye(5, dtype=torch.bool))


def test_buckets_keep_sign_order_and_the_near(subtests):
    for buckets, longest in [(256, 512), (32, 128), (8, 64), (4, 16)]:
        with subtests.test(buckets=buckets, longest=longest):
            distance = torch.arange(-5000, 5001)
            actual = deberta_bucket(distance, buckets=buckets, max_distance=longest)
            near = distance.abs() <= buckets // 2
            assert torch.equal(actual[near], distance[near])
            assert torch.equal(actual.flip(0), -actual)
            assert (actual.diff() >= 0).all()
            assert actual[distance == longest - 1].item() == buckets - 1


@settings(deadline=None)
@given(st.integers(-131072, 131072))
def test_buckets_equal_the_formula_but_for_the_border(distance):
    """float32 may put a distance on a border one bucket further, never more."""
    actual = deberta_bucket(torch.tensor(distance)).item()
    assert abs(actual - exact_bucket(distance, 256, 512)) <= 1


def test_buckets_beyond_the_span_are_clipped():
    assert deberta_bucket(torch.tensor(131072), buckets=4, max_distance=16).item() > 4
    q, k, *tables = inputs(queries=1, keys=2, rows=8)
    far = deberta_terms(
        q, k, torch.tensor([131072]), torch.tensor([0, 100_000]), *tables, max_distance=16
    )
    torch.testing.assert_close(far.c2p[..., 0], far.c2p[..., 1])  # both in the last row


def test_gradients_are_those_of_finite_differences():
    q, k, *tables = (x.requires_grad_() for x in inputs(1, 2, 3))

    def scores(*x):
        return deberta_scores(*x[:2], positions(2), positions(3), *x[2:])

    assert torch.autograd.gradcheck(scores, (q, k, *tables))


def test_tables_that_differ_are_refused():
    q, k, relative_q, relative_k = inputs()
    at = positions(4), positions(6)
    for tables, message in (
        ((relative_q[:, :4], relative_k), "differ: (3, 4, 4) and (3, 8, 4)"),
        ((relative_q[:, :0], relative_k[:, :0]), "must be (3, 2m, 4), got (3, 0, 4)"),
        ((relative_q[:1], relative_k), "must be (3, 2m, 4), got (1, 8, 4)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            deberta_terms(q, k, *at, *tables)
    with pytest.raises(ValueError, match="among c2p, p2c, got c2p, c2p"):
        deberta_scores(q, k, *at, relative_q, relative_k, terms=["c2p", "c2p"])
    with pytest.raises(TypeError, match="must be integers"):
        deberta_bucket(torch.tensor(1.5))


def test_what_no_bucket_can_be_made_of_is_refused():
    distance = torch.arange(-5, 5)
    for far in (torch.nan, torch.inf):
        with pytest.raises(ValueError, match=f"8 buckets do not fit distances up to {far}"):
            deberta_bucket(distance, buckets=8, max_distance=far)
    with pytest.raises(TypeError, match=r"buckets must be an integer, got 8\.0"):
        deberta_bucket(distance, buckets=8.0, max_distance=64)


def test_tables_are_of_floats():
    q, table = torch.ones(1, 1, 2, 4), torch.ones(1, 4, 4)
    at = torch.arange(2)
    with pytest.raises(TypeError, match=r"relative_q must be floating point, .* got torch\.int64"):
        deberta_scores(q, q, at, at, table.long(), table)
    with pytest.raises(TypeError, match="relative_k must be a tensor, got list"):
        deberta_scores(q, q, at, at, table, table.tolist())
