"""CoPE: what is counted, what a mask closes, where 16 bits would stop counting."""

import re
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import causal_mask, positions
from posenc_ref.cope import cope_positions, cope_scores, cope_term
from tests.posenc_ref.plain_scores import cope_term_plain


def inputs(heads=2, length=6, dim=4, rows=9, batch=2):
    q, k = torch.randn(2, batch, heads, length, dim, dtype=torch.float64)
    return q, k, torch.randn(rows, dim, dtype=torch.float64)


def official(q, k, table, mask, *, nodiv):
    """ContextPosSelfAttn of facebookresearch/RAM, from its description: gates times the mask."""
    root = q.shape[-1] ** 0.5
    content = q @ k.mT
    gates = (content / root).sigmoid() * mask
    at = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=len(table) - 1)
    by_row, share = q @ table.T, at - at.floor()
    above, below = (by_row.gather(-1, whole.long()) for whole in (at.ceil(), at.floor()))
    term = above * share + below * (1 - share)
    scores = content / root + term if nodiv else (content + term) / root
    return scores + mask.log()


def test_scalings_are_those_of_the_published_flag(where, subtests):
    at = positions(6, device=where)
    for divided, heads in product(("both", "content"), (1, 3, 8, 12, 71, 112)):
        with subtests.test(heads=heads, divided=divided):
            q, k, table = (x.to(where) for x in inputs(heads))
            mask = causal_mask(at, at).double()
            expected = official(q, k, table, mask, nodiv=divided == "content")
            torch.testing.assert_close(cope_scores(q, k, at, at, table, divided=divided), expected)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # weights; the term of three gates of 2^-24, or of bfloat16's 2^-8, through slopes of about 3
    [(torch.float64, 1e-12), (torch.float32, 2e-6), (torch.bfloat16, 0.1)],
)
def test_weights_equal_upstream(golden, dtype, tolerance, where, subtests):
    """The published class, and x-transformers ("content"); each has a case with left padding."""
    for name in ("cope_ram", "cope_attend_x_transformers"):
        for case in golden(name):
            q, k, table = (
                torch.tensor(case[x], dtype=dtype, device=where) for x in ("q", "k", "table")
            )
            at, mask = positions(q.shape[2], device=where), torch.tensor(case["mask"], device=where)
            options = {"divided": case.get("divided", "content"), "mask": mask.expand(len(at), -1)}
            scores = cope_scores(q, k, at, at, table, **options)
            assert scores.dtype == dtype, name
            actual = scores.double().softmax(-1).cpu()
            seen = actual.isfinite().all(-1)  # rows of padding see nothing here
            expected = torch.tensor(case["values"], dtype=torch.float64)
            assert seen.any(), name
            with subtests.test(name):
                torch.testing.assert_close(actual[seen], expected[seen], rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    # weights near 1 of rows up to about 3; float32: a hundred counted in 2^17 steps of 2^-17
    ("dtype", "tolerance"),
    [(torch.float64, 1e-10), (torch.float32, 1e-4)],
)
def test_the_term_equals_x_transformers_for_131072_keys(golden, dtype, tolerance, where):
    for case in golden("cope_x_transformers_far"):
        q, table = (torch.tensor(case[x], dtype=dtype, device=where) for x in ("q", "table"))
        heads, length = q.shape[1], case["length"]
        n = torch.arange(1, heads * length + 1, dtype=torch.float64)
        scores = case["center"] + 2 * (0.7 * n).sin().view(1, heads, 1, length)
        at = cope_positions(scores.to(where, dtype), len(table))
        actual = cope_term(q, at, table)[..., case["keys"]].double().cpu()
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def test_masked_keys_are_not_counted():
    """Two documents in one row, and padding: as if each document stood alone."""
    q, k, table = inputs(batch=1)
    document = torch.tensor([0, 0, 0, 1, 1, 2])
    at = torch.tensor([0, 1, 2, 0, 1, 1])  # the last is padding, at its neighbour's position
    mask = document[:, None] == document
    actual = cope_scores(q, k, positions(6), positions(6), table, mask=mask)
    alone = cope_scores(q[:, :, 3:5], k[:, :, 3:5], positions(2), positions(2), table)
    torch.testing.assert_close(actual[:, :, 3:5, 3:5], alone)
    by_position = cope_scores(q, k, at, at, table, mask=mask)
    torch.testing.assert_close(by_position[:, :, 3:5, 3:5], alone)
    too_late = cope_scores(q, k, at, at, table).masked_fill(~mask, -torch.inf)
    assert not torch.allclose(too_late[:, :, 4, 3:5], alone[:, :, 1])  # padding was counted


@settings(deadline=None, max_examples=30)
@given(length=st.integers(1, 12), rows=st.integers(1, 6), start=st.sampled_from([0, 1000, 131072]))
def test_positions_fall_from_key_to_key_by_at_most_one(length, rows, start):
    torch.manual_seed(length)
    at = positions(length, start=start)
    scores = torch.randn(length, length, dtype=torch.float64) * 5
    counted = cope_positions(scores.masked_fill(~causal_mask(at, at), -torch.inf), rows)
    steps = -counted.diff(dim=-1)
    assert (counted <= rows - 1).all()
    assert (steps >= 0).all()
    assert (steps <= 1).all()
    assert (counted.diagonal() < 1).all()  # the token itself: its own gate


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_16_bit_scores_are_counted_in_float32(dtype):
    counted = cope_positions(torch.full((600,), 50.0, dtype=dtype), rows=999)
    assert counted.dtype == torch.float32
    assert torch.equal(counted, torch.arange(600, 0, -1.0))  # bfloat16 ends at 256 = 257


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # float32: 600 gates of 2^-24 each times the slope between rows; bfloat16: the result's rounding
    [(torch.float32, (0, 1e-4)), (torch.bfloat16, (2**-8, 1e-4))],
)
def test_lower_precision_over_a_long_text(dtype, tolerance, where):
    q, k = torch.randn(2, 1, 1, 600, 16).to(dtype)
    table, at = torch.randn(601, 16) * 0.3, positions(600)
    exact = cope_scores(q.double(), k.double(), at, at, table.double())
    at = at.to(where)
    actual = cope_scores(q.to(where), k.to(where), at, at, table.to(where))
    assert actual.dtype == dtype
    rtol, atol = tolerance
    torch.testing.assert_close(actual.double().cpu(), exact, rtol=rtol, atol=atol)


def test_between_two_rows_and_on_one():
    q, table = torch.ones(1, 1, 1, 1), torch.tensor([[0.0], [10.0], [30.0]])
    at = torch.tensor([[[[0.0, 0.5, 1.0, 1.25, 2.0]]]])
    assert cope_term(q, at, table).flatten().tolist() == [0.0, 5.0, 10.0, 15.0, 30.0]
    with pytest.raises(IndexError, match="position 3 is outside a table of length 3"):
        cope_term(q, at + 1, table)
    with pytest.raises(IndexError, match="position -1 is outside a table of length 3"):
        cope_term(q, at - 0.5, table)
    assert cope_term(q, at * torch.nan, table).isnan().all()  # not a look-up at a random place


@settings(deadline=None, max_examples=30)
@given(
    heads=st.sampled_from([1, 3, 12, 71]),
    lengths=st.tuples(st.integers(1, 5), st.integers(1, 9)),
    rows=st.integers(1, 6),
    seed=st.integers(0, 2**31),
)
def test_the_fast_term_is_the_plain_one(heads, lengths, rows, seed):
    torch.manual_seed(seed)
    q = torch.randn(2, heads, lengths[0], 4, dtype=torch.float64)
    at = torch.rand(2, heads, *lengths, dtype=torch.float64) * (rows - 1)
    at = torch.where(torch.rand(at.shape) < 0.3, at.round(), at)  # some on a row, not between two
    table = torch.randn(rows, 4, dtype=torch.float64)
    plain = cope_term_plain(q, at, table)
    torch.testing.assert_close(cope_term(q, at, table), plain, rtol=0, atol=1e-13)


@pytest.mark.parametrize("divided", ["both", "content"])
def test_gates_without_the_root_are_those_of_the_printed_equation(divided):
    """σ(q·k), as loops; "both" is then the scores of √D q with gates of the published code."""
    q, k, table = inputs()
    at = positions(6)
    actual = cope_scores(q, k, at, at, table, divided=divided, gates="unscaled")
    for i in range(6):
        for j in range(i + 1):
            gates = [(q[:, :, i] * k[:, :, t]).sum(-1).sigmoid() for t in range(j, i + 1)]
            p = sum(gates).clamp(max=len(table) - 1)[..., None, None]
            term = cope_term_plain(q[:, :, i : i + 1], p, table)[..., 0, 0]
            expected = (q[:, :, i] * k[:, :, j]).sum(-1) / 2 + term / (
                2 if divided == "both" else 1
            )
            torch.testing.assert_close(actual[:, :, i, j], expected)
    if divided == "both":
        torch.testing.assert_close(cope_scores(2 * q, k, at, at, table), 2 * actual)
    assert not torch.allclose(cope_scores(q, k, at, at, table, divided=divided), actual)


def test_gradients_reach_queries_keys_and_the_table():
    q, k, table = (x.requires_grad_() for x in inputs(1, 3, 4, 9, 1))

    def scores(q, k, table):
        seen = causal_mask(positions(3), positions(3))
        return cope_scores(q, k, positions(3), positions(3), table)[..., seen]

    assert torch.autograd.gradcheck(scores, (q, k, table))


def test_a_row_without_keys_has_no_nan():
    q, k, table = (x.requires_grad_() for x in inputs())
    at, mask = positions(6), torch.ones(6, 6, dtype=torch.bool)
    mask[2] = False
    actual = cope_scores(q, k, at, at, table, mask=mask)
    assert actual[:, :, 2].eq(-torch.inf).all()
    actual.masked_fill(actual.isinf(), 0.0).sum().backward()
    assert all(x.grad.isfinite().all() for x in (q, k, table))


def test_bad_input_raises_an_error_that_names_it():
    q, k, table = inputs()
    at = positions(6), positions(6)
    for options, error, message in (
        ({"divided": "neither"}, ValueError, "divided must be one of both, content, got 'neither'"),
        ({"gates": "open"}, ValueError, "gates must be one of scaled, unscaled, got 'open'"),
        ({"mask": torch.ones(6, 6)}, TypeError, "mask must be boolean"),
        (
            {"mask": torch.ones(2, 6, 6, dtype=torch.bool)},
            ValueError,
            "mask (2, 6, 6) does not fit scores (B, H, Lq, Lk) = (2, 2, 6, 6)",
        ),
    ):
        with pytest.raises(error, match=re.escape(message)):
            cope_scores(q, k, *at, table, **options)


def test_positions_of_other_heads_are_not_stretched():
    q, _, table = inputs()
    for shape in ((1, 1, 6, 6), (2, 1, 6, 6), (2, 2, 5, 6), (6, 6)):
        message = f"(B, H, Lq, D) and at (B, H, Lq, Lk) disagree: (2, 2, 6, 4) and {shape}"
        with pytest.raises(ValueError, match=re.escape(message)):
            cope_term(q, torch.zeros(shape), table)
    with pytest.raises(ValueError, match=re.escape("table must be (rows, 4), got (9, 3)")):
        cope_term(q, torch.zeros(2, 2, 6, 6), table[:, :3])


def test_integers_lists_and_complex_numbers_are_refused():
    q, _, table = inputs()
    at = torch.zeros(2, 2, 6, 6)
    for options, message in (
        ((q.long(), at, table), "q must be floating point, of 16 bits or more, got torch.int64"),
        ((q, at.long(), table), "at must be floating point, of 16 bits or more, got torch.int64"),
        ((q, at, table.tolist()), "table must be a tensor, got list"),
    ):
        with pytest.raises(TypeError, match=re.escape(message)):
            cope_term(*options)
    with pytest.raises(
        TypeError, match=r"scores must be floating point, of 16 bits or more, got torch\.complex64"
    ):
        cope_positions(at + 0j, 3)
