"""Attention equals torch's own, and knows no order unless it is told."""

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from posenc_ref import (
    attention,
    attention_weights,
    causal_mask,
    permutation_matrix,
    positions,
    positions_from_mask,
)

B, H, LQ, LK, D, DV = 2, 3, 4, 5, 8, 6
ORDERS = st.integers(1, 7).flatmap(lambda length: st.permutations(range(length)))


def qkv(dtype=torch.float64):
    shapes = (B, H, LQ, D), (B, H, LK, D), (B, H, LK, DV)
    return tuple(torch.randn(shape, dtype=torch.float64).to(dtype) for shape in shapes)


def masks():
    return {
        "none": None,
        "causal (Lq, Lk)": causal_mask(positions(LQ, start=1), positions(LK)),
        "per row (B, 1, Lq, Lk)": torch.rand(B, 1, LQ, LK) < 0.6,
        "per head (B, H, Lq, Lk)": torch.rand(B, H, LQ, LK) < 0.6,
        "nothing": torch.zeros(LQ, LK, dtype=torch.bool),
    }


TOLERANCES = {
    torch.float64: 1e-14,  # some tens of roundings of 2^-53
    torch.float32: 5e-6,  # the same, of 2^-24
    torch.bfloat16: 2**-6,  # weights and output rounded to 2^-9, times |v| < 4
}


def test_equals_torch_with_masks(subtests):
    for dtype, scale, (which, mask) in product(TOLERANCES, (None, 1.0), masks().items()):
        with subtests.test(mask=which, scale=scale, dtype=dtype):
            q, k, v = qkv(dtype)
            actual = attention(q, k, v, mask, scale=scale)
            exact = scaled_dot_product_attention(
                q.double(), k.double(), v.double(), attn_mask=mask, scale=scale
            )
            assert actual.dtype == dtype
            assert actual.shape == (B, H, LQ, DV)
            torch.testing.assert_close(actual.double(), exact, rtol=0, atol=TOLERANCES[dtype])


def test_bias_is_added_after_the_scaling_as_in_torch(subtests):
    for shape in [(LQ, LK), (H, LQ, LK), (B, H, LQ, LK)]:
        with subtests.test(shape=shape):
            q, k, v = qkv()
            bias = torch.randn(shape, dtype=torch.float64)
            exact = scaled_dot_product_attention(q, k, v, attn_mask=bias)
            torch.testing.assert_close(attention(q, k, v, bias=bias), exact, rtol=0, atol=1e-14)


def test_mask_and_bias_together_are_the_bias_with_minus_infinity():
    q, k, v = qkv()
    bias, mask = torch.randn(H, LQ, LK, dtype=torch.float64), torch.rand(LQ, LK) < 0.7
    exact = scaled_dot_product_attention(q, k, v, bias.masked_fill(~mask, -torch.inf))
    torch.testing.assert_close(attention(q, k, v, mask, bias), exact, rtol=0, atol=1e-14)


def test_weights_are_the_formula_written_as_loops():
    q, k, _ = qkv()
    for b in range(B):
        for h in range(H):
            for i in range(LQ):
                e = torch.stack([(q[b, h, i] @ k[b, h, j] / D**0.5).exp() for j in range(LK)])
                torch.testing.assert_close(attention_weights(q, k)[b, h, i], e / e.sum())


@pytest.mark.parametrize("argument", ["mask", "bias"])
def test_query_that_may_attend_to_nothing_gives_zero_and_finite_gradients(argument):
    q, k, v = (x.requires_grad_() for x in qkv())
    mask = torch.ones(LQ, LK, dtype=torch.bool)
    mask[1] = False
    bias = torch.zeros(LQ, LK, dtype=torch.float64).masked_fill(~mask, -torch.inf)
    hidden = {"mask": mask} if argument == "mask" else {"bias": bias}
    out = attention(q, k, v, **hidden)
    assert (out[:, :, 1] == 0).all()
    assert (attention_weights(q, k, **hidden)[:, :, 0].sum(-1) - 1).abs().max() < 1e-14
    (out**2).sum().backward()
    assert all(x.grad.isfinite().all() and x.grad.any() for x in (q, k, v))


@settings(deadline=None, max_examples=30)
@given(ORDERS)
def test_permuted_tokens_give_permuted_outputs(order):
    x = torch.randn(1, 2, len(order), 4, dtype=torch.float64)
    P = permutation_matrix(order, dtype=x.dtype)
    torch.testing.assert_close(P @ x, x[:, :, order], rtol=0, atol=0)
    actual, expected = attention(P @ x, P @ x, P @ x), P @ attention(x, x, x)
    torch.testing.assert_close(actual, expected, rtol=0, atol=1e-14)


@settings(deadline=None, max_examples=30)
@given(ORDERS)
def test_a_permutation_matrix_is_orthogonal_and_composes(order):
    P = permutation_matrix(torch.tensor(order))
    assert torch.equal(P @ P.T, torch.eye(len(order)))
    assert torch.equal(P @ P, permutation_matrix([order[i] for i in order]))


def test_causal_output_does_not_depend_on_the_future():
    x = torch.randn(1, 1, 6, 4, dtype=torch.float64)
    changed = x.clone()
    changed[:, :, 4:] += 1
    mask = causal_mask(positions(6), positions(6))
    before, after = attention(x, x, x, mask), attention(changed, changed, changed, mask)
    assert torch.equal(before[:, :, :4], after[:, :, :4])
    assert not torch.allclose(before[:, :, 4:], after[:, :, 4:])


def test_causal_mask_by_positions():
    assert causal_mask(positions(3), positions(3)).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    # decoding the token at 3 with three in the cache: it sees itself and the past
    assert causal_mask(positions(1, start=3), positions(5)).tolist() == [[True] * 4 + [False]]
    rows = positions_from_mask(torch.tensor([[0, 1], [1, 1]]))
    assert causal_mask(rows, rows).shape == (2, 2, 2)


def test_causal_attention_without_positions_counts():
    """Uniform weights over a flag at the first token give 1/(t + 1) (Kazemnejad et al. 2023)."""
    flag = torch.tensor([1.0, 0, 0, 0, 0]).view(1, 1, 5, 1)
    same = torch.zeros(1, 1, 5, 4)
    out = attention(same, same, flag, causal_mask(positions(5), positions(5))).flatten()
    torch.testing.assert_close(out, 1 / torch.arange(1.0, 6), rtol=1e-6, atol=0)


def test_sixteen_bit_scores_are_computed_in_float32():
    q, k = torch.full((1, 1, 1, 64), 100.0).half(), torch.full((1, 1, 2, 64), 100.0).half()
    # 64 · 100 · 100 = 640000 is beyond float16's 65504
    assert attention_weights(q, k).tolist() == [[[[0.5, 0.5]]]]


BAD_SHAPES = {
    "q without heads": (torch.zeros(B, LQ, D), torch.zeros(B, H, LK, D)),
    "other batch": (torch.zeros(1, H, LQ, D), torch.zeros(B, H, LK, D)),
    "other heads": (torch.zeros(B, H, LQ, D), torch.zeros(B, 1, LK, D)),
    "other D": (torch.zeros(B, H, LQ, D), torch.zeros(B, H, LK, D + 1)),
}


def test_q_and_k_that_disagree_are_refused_with_both_shapes(subtests):
    for which, (q, k) in BAD_SHAPES.items():
        with subtests.test(which):
            with pytest.raises(ValueError, match="disagree") as error:
                attention_weights(q, k)
            assert str(tuple(q.shape)) in str(error.value)
            assert str(tuple(k.shape)) in str(error.value)


def test_v_that_does_not_fit_k_is_refused(subtests):
    q, k, _ = qkv(torch.float32)
    message = r"v must be \(B, H, Lk, Dv\) like k \(2, 3, 5, 8\)"
    for shape in [(LK, DV), (B, H, LQ, DV), (1, H, LK, DV)]:
        with subtests.test(shape=shape), pytest.raises(ValueError, match=message):
            attention(q, k, torch.zeros(shape))


def test_mask_does_not_broadcast_silently(subtests):
    q, k, _ = qkv()
    message = r"mask .* does not fit scores .* = \(2, 3, 4, 5\)"
    for shape in [(LK,), (1, LK), (B, LQ, LK), (H, LQ, LK), (1, 1, LQ, LK), (B, 1, 1, LK)]:
        with subtests.test(shape=shape), pytest.raises(ValueError, match=message):
            attention_weights(q, k, torch.ones(shape, dtype=torch.bool))


def test_bias_does_not_broadcast_silently(subtests):
    q, k, _ = qkv()
    message = r"bias .* does not fit scores .* = \(2, 3, 4, 5\)"
    for shape in [(), (LK,), (1, LQ, LK), (B, LQ, LK), (B, 1, LQ, LK)]:
        with subtests.test(shape=shape), pytest.raises(ValueError, match=message):
            attention_weights(q, k, bias=torch.ones(shape))


def test_scale_is_one_number(subtests):
    q, k, v = qkv()
    message = r"scale must be one number, got \("
    for shape in [(1,), (LK,), (H, 1, 1)]:
        with subtests.test(shape=shape), pytest.raises(ValueError, match=message):
            attention(q, k, v, scale=torch.ones(shape))
    learned = torch.tensor(0.3, dtype=torch.float64)  # a temperature may be a tensor
    assert torch.equal(attention(q, k, v, scale=learned), attention(q, k, v, scale=0.3))


def test_wrong_dtypes_are_refused():
    q, k, v = qkv(torch.float32)
    ones = torch.ones(LQ, LK)
    with pytest.raises(TypeError, match=r"one float dtype, got torch.float32 and torch.float64"):
        attention_weights(q, k.double())
    with pytest.raises(TypeError, match="one float dtype"):
        attention_weights(q.long(), k.long())
    with pytest.raises(TypeError, match="q, k and v must have one dtype"):
        attention(q, k, v.double())
    with pytest.raises(TypeError, match="mask must be boolean, True = may attend"):
        attention_weights(q, k, mask=ones)
    with pytest.raises(TypeError, match="a boolean belongs in mask"):
        attention_weights(q, k, bias=ones.bool())


def test_an_order_that_is_not_a_permutation_is_refused(subtests):
    for order in [[0, 0], [1, 2], [[0, 1]], [-1, 0]]:
        with subtests.test(order=order), pytest.raises(ValueError, match=r"each of 0 … L - 1 once"):
            permutation_matrix(order)


def test_empty_and_single_orders_are_permutations():
    assert permutation_matrix([]).shape == (0, 0)
    assert permutation_matrix([0]).tolist() == [[1.0]]


def test_lists_and_arrays_are_refused(subtests):
    q = torch.zeros(1, 1, 2, 4)
    for name, wrong in product(["q", "k", "v", "mask", "bias"], ([0.0], q.cpu().numpy())):
        message = f"{name} must be a tensor, got {type(wrong).__name__}"
        with subtests.test(message), pytest.raises(TypeError, match=message):
            attention(**{"q": q, "k": q, "v": q, name: wrong})


def test_heads_without_channels_are_refused():
    q = torch.zeros(1, 1, 2, 0)
    with pytest.raises(ValueError, match=r"must have channels, got \(1, 1, 2, 0\)"):
        attention_weights(q, q)
