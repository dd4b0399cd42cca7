"""Attention without the table of biases gives what attention with the table gives."""

import re

import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from posenc_ref import attention, causal_mask, positions
from posenc_ref.alibi import alibi, alibi_slopes
from posenc_ref.alibi_fused import alibi_attention, alibi_score_mod

# scores of a size of m L are rounded: 512 · 2^-24 in float32; in 16 bits the output is, too
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-4, torch.float16: 2e-3, torch.bfloat16: 2e-2}
SHAPES = [(1, 1, 1, 2), (2, 3, 700, 8), (1, 71, 20, 16), (1, 112, 5, 64), (0, 2, 3, 4)]


def with_table(q, k, v, at, slopes):
    """The specification, in float64: the bias and the mask made whole."""
    bias = alibi(at, at, slopes.double(), dtype=torch.float64)
    mask = causal_mask(at, at)
    mask = mask if at.dim() == 1 else mask[:, None]
    return attention(q.double(), k.double(), v.double(), mask, bias)


def assert_equal_to_the_table(q, k, v, at, slopes):
    found = alibi_attention(q, k, v, at, slopes)
    assert found.dtype == q.dtype
    expected = with_table(q, k, v, at, slopes)
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=TOLERANCE[q.dtype])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_equals_attention_with_the_table(shape, dtype, where):
    q, k, v = torch.randn(3, *shape).to(where, dtype)
    at, slopes = positions(shape[2], device=where), alibi_slopes(shape[1], device=where)
    assert_equal_to_the_table(q, k, v, at, slopes.double() if dtype == torch.float64 else slopes)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("start", [-300, 131072 - 5])
def test_only_distance_is_seen(dtype, start):
    q, k, v = torch.randn(3, 1, 2, 9, 16).to(dtype)
    here = alibi_attention(q, k, v, positions(9), alibi_slopes(2))
    assert torch.equal(here, alibi_attention(q, k, v, positions(9, start=start), alibi_slopes(2)))


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_all_three_digits_of_a_distance_count(dtype):
    # a token every 50 021 positions: without a digit, some of these would be neighbours
    q, k, v = torch.randn(3, 1, 1, 4, 16).to(dtype)
    slopes = torch.tensor([2.0**-16])
    assert_equal_to_the_table(q, k, v, 50_021 * positions(4), slopes)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_positions_too_far_apart_for_three_digits_are_refused(dtype):
    q, k, v = torch.randn(3, 1, 1, 2, 16).to(dtype)
    slopes, start = torch.tensor([2.0**-20]), 2**40
    widest = start + torch.tensor([0, 2**24 - 1])  # only what lies between them counts
    found = alibi_attention(q, k, v, widest, slopes)
    expected = with_table(q, k, v, widest - start, slopes)
    # a bias of 16 is rounded as it is: 2^-8 of it in bfloat16, through weights and values below 4
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=8 * TOLERANCE[dtype])
    for rows in (widest + torch.tensor([0, 1]), torch.stack((widest, widest * 2))[:1] * 2):
        with pytest.raises(ValueError, match=r"positions must be less than 2\^24 apart, got \["):
            alibi_attention(q, k, v, rows, slopes)


# torch 2.13 has no batching rule for attention on a CPU: vmap loops, and says so
@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")
def test_positions_are_mapped_over_unread():
    q, k, v = torch.randn(3, 1, 2, 4, 8)
    rows, slopes = torch.tensor([[0, 1, 2, 3], [5, 7, 8, 300]]), alibi_slopes(2)
    found = torch.vmap(lambda at: alibi_attention(q, k, v, at, slopes))(rows)
    expected = torch.stack([alibi_attention(q, k, v, at, slopes) for at in rows])
    torch.testing.assert_close(found, expected)


def test_positions_of_each_row_of_a_batch():
    q, k, v = torch.randn(3, 2, 3, 4, 8)
    rows = torch.tensor([[0, 1, 2, 3], [5, 7, 8, 300]])
    assert_equal_to_the_table(q, k, v, rows, alibi_slopes(3))


def test_gradients_also_of_slopes():
    q, k, v = torch.randn(3, 1, 2, 4, 4, dtype=torch.float64, requires_grad=True)
    slopes = alibi_slopes(2).double().requires_grad_()
    attend = lambda *x: alibi_attention(*x[:3], positions(4), x[3])
    assert torch.autograd.gradcheck(attend, (q, k, v, slopes))


# torch 2.13 has no batching rule for attention on a CPU: vmap loops, and says so
@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")
def test_is_compiled_exported_mapped_and_cast():
    q, k, v = torch.randn(3, 2, 3, 20, 8)
    at, slopes = positions(20), alibi_slopes(3)
    expected = alibi_attention(q, k, v, at, slopes)
    compiled = torch.compile(alibi_attention, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(q, k, v, at, slopes), expected)

    class Attend(torch.nn.Module):
        def forward(self, *x):
            return alibi_attention(*x)

    exported = torch.export.export(Attend(), (q, k, v, at, slopes)).module()
    torch.testing.assert_close(exported(q, k, v, at, slopes), expected)
    each = torch.vmap(lambda q, k, v: alibi_attention(q[None], k[None], v[None], at, slopes)[0])
    torch.testing.assert_close(each(q, k, v), expected)
    with torch.autocast(torch.get_default_device().type, torch.bfloat16):
        found = alibi_attention(q, k, v, at, slopes)
    torch.testing.assert_close(found.float(), expected, rtol=0, atol=TOLERANCE[torch.bfloat16])


@pytest.mark.parametrize("form", ["causal", "symmetric", "key_only"])
def test_score_mod_adds_the_bias(form):
    q_at, k_at, slopes = positions(2, start=3), positions(5), alibi_slopes(3)
    add = alibi_score_mod(q_at, k_at, slopes, form=form)
    expected = alibi(q_at, k_at, slopes, form=form).expand(3, 2, 5)
    head, query, key = (torch.arange(n) for n in (3, 2, 5))
    added = add(torch.zeros(3, 2, 5), torch.tensor(0), head[:, None, None], query[:, None], key)
    assert torch.equal(added, expected)


@pytest.mark.parametrize("form", ["causal", "symmetric", "key_only"])
@pytest.mark.parametrize("queries", [1, 20])
def test_flex_attention_with_it_equals_the_table(form, queries, where):
    q_at, k_at = positions(queries, start=20 - queries, device=where), positions(20, device=where)
    q, (k, v) = torch.randn(1, 2, queries, 16), torch.randn(2, 1, 2, 20, 16)
    q, k, v = (x.to(where) for x in (q, k, v))
    slopes = alibi_slopes(2, device=where)

    def past(batch, head, query, key):
        return k_at[key] <= q_at[query]

    blocks = create_block_mask(past, None, None, queries, 20, device=where)
    add = alibi_score_mod(q_at, k_at, slopes, form=form)
    flex = torch.compile(flex_attention, backend="eager", fullgraph=True)
    found = flex(q, k, v, score_mod=add, block_mask=blocks)
    bias = alibi(q_at, k_at, slopes, form=form).expand(2, queries, 20)
    expected = attention(q, k, v, causal_mask(q_at, k_at), bias)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
    torch.compiler.reset()


def x():
    return torch.zeros(1, 2, 3, 4)


BAD = {
    "q, k and v must all be (B, H, L, D), got (1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 2)": (
        lambda: alibi_attention(x(), x(), x()[..., :2], positions(3), alibi_slopes(2))
    ),
    "do not fit (1, 2, 3, 4): (4,) and (2,)": (
        lambda: alibi_attention(x(), x(), x(), positions(4), alibi_slopes(2))
    ),
    "do not fit (1, 2, 3, 4): (3,) and (1,)": (
        lambda: alibi_attention(x(), x(), x(), positions(3), alibi_slopes(1))
    ),
    "slopes must be (H,), got (1, 2)": (
        lambda: alibi_score_mod(positions(2), positions(2), alibi_slopes(2)[None])
    ),
    "form must be one of causal, symmetric, key_only, got 'both'": (
        lambda: alibi_score_mod(positions(2), positions(2), alibi_slopes(2), form="both")
    ),
    "k_positions (Lk,), got (2,) and (1, 2)": (
        lambda: alibi_score_mod(positions(2), positions(2)[None], alibi_slopes(2))
    ),
}


@pytest.mark.parametrize("said", BAD)
def test_bad_input_is_named(said):
    with pytest.raises(ValueError, match=re.escape(said)):
        BAD[said]()


def test_no_tokens_attend_to_nothing():
    none = torch.zeros(1, 2, 0, 8)
    assert alibi_attention(none, none, none, positions(0), alibi_slopes(2)).shape == none.shape


def test_slopes_of_a_wrong_kind_are_named():
    for slopes, said in (
        ([0.5, 0.25], "must be a tensor, got list"),
        (torch.ones(2).long(), r"must be float32 or float64, got torch\.int64"),
    ):
        with pytest.raises(TypeError, match=f"slopes {said}"):
            alibi_attention(x(), x(), x(), positions(3), slopes)
        with pytest.raises(TypeError, match=f"slopes {said}"):
            alibi_score_mod(positions(3), positions(3), slopes)
    with pytest.raises(TypeError, match="v must be a tensor, got NoneType"):
        alibi_attention(x(), x(), None, positions(3), alibi_slopes(2))


def test_bad_dtypes_are_named():
    with pytest.raises(TypeError, match=r"one float dtype, got torch\.float32, torch\.float32, t"):
        alibi_attention(x(), x(), x().half(), positions(3), alibi_slopes(2))
    with pytest.raises(TypeError, match="256 == 257 in bfloat16"):
        alibi_attention(x(), x(), x(), torch.zeros(3).bfloat16(), alibi_slopes(2))
