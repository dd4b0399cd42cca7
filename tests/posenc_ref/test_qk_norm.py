"""QK-norm: the numbers of Qwen3, OLMo 2 and Llama 4, and why it comes before the rotation."""

import pytest
import torch

from posenc_ref import frequencies, qk_norm, rope_angles, rotate
from tests.posenc_ref.bad_input import each_raises


def turned(x, at, layout="half"):
    return rotate(x, rope_angles(at, frequencies(x.shape[-1], device=x.device)), layout=layout)


def read(case, where, *names):
    return [torch.tensor(case[name], device=where) for name in names]


def test_equals_qwen3_and_olmo2(golden, where):
    for case in golden("qk_norm"):
        x, gain, at = read(case, where, "x", "gain", "positions")
        assert (gain.dim() == 2) == (case["model"] == "olmo2")
        actual = turned(qk_norm(x, gain, eps=case["eps"]), at).cpu()
        torch.testing.assert_close(actual, torch.tensor(case["values"]), rtol=1e-5, atol=2e-5)


def test_without_a_gain_the_order_is_free_as_in_llama4(golden, where):
    (case,) = golden("qk_norm_llama4")
    x, at = read(case, where, "x", "positions")
    one = torch.ones(x.shape[-1], device=where)
    expected = torch.tensor(case["values"])
    before = turned(qk_norm(x, one, eps=case["eps"]), at, "interleaved")
    after = qk_norm(turned(x, at, "interleaved"), one, eps=case["eps"])
    for actual in (before, after):
        torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("order", ["before", "after"])
def test_a_gain_per_channel_leaves_scores_relative_before_the_rotation_only(order):
    q, k = torch.randn(2, 1, 1, 1, 16, dtype=torch.float64)
    gain = 0.5 + torch.rand(16, dtype=torch.float64)

    def score(m, n):
        q_at, k_at = torch.tensor([m]), torch.tensor([n])
        if order == "before":
            left, right = turned(qk_norm(q, gain), q_at), turned(qk_norm(k, gain), k_at)
        else:
            left, right = qk_norm(turned(q, q_at), gain), qk_norm(turned(k, k_at), gain)
        return (left * right).sum().item()

    scores = [score(m, m + 3) for m in (0, 7, 100)]
    spread = max(scores) - min(scores)
    assert (spread < 1e-9) == (order == "before")
    assert spread < 1e-9 or spread > 0.1


def test_scores_of_normed_vectors_are_bounded_however_long_the_vectors_are():
    q, k = 1e4 * torch.randn(2, 1, 4, 50, 32)
    one = torch.ones(32)
    scores = qk_norm(q, one) @ qk_norm(k, one).mT / 32**0.5
    assert scores.abs().max() <= 32**0.5 * (1 + 1e-5)


def test_a_head_or_all_heads_have_the_mean_square_one():
    x = (
        torch.randn(2, 3, 5, 8, dtype=torch.float64)
        * torch.tensor([1.0, 10.0, 100.0])[:, None, None]
    )
    each = qk_norm(x, torch.ones(8), eps=0.0)
    torch.testing.assert_close(each.square().mean(-1), torch.ones(2, 3, 5, dtype=x.dtype))
    whole = qk_norm(x, torch.ones(3, 8), eps=0.0).square()
    torch.testing.assert_close(whole.mean((1, 3)), torch.ones(2, 5, dtype=x.dtype))
    assert whole.mean(-1).amin() < 0.1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_sixteen_bits_are_computed_in_float32(dtype, where):
    x = torch.randn(2, 3, 5, 64, device=where).to(dtype)
    gain = torch.rand(64, device=where).to(dtype)
    actual = qk_norm(x, gain)
    assert actual.dtype == dtype
    expected = qk_norm(x.cpu().double(), gain.cpu().double())
    rounding = {torch.float64: 1e-14, torch.float32: 1e-6}.get(dtype, 2**-8)
    torch.testing.assert_close(actual.cpu().double(), expected, rtol=rounding, atol=1e-9)


X = torch.zeros(1, 2, 3, 4)
BAD = {
    "disagree: (1, 2, 3, 4) and (3,)": lambda: qk_norm(X, torch.ones(3)),
    "disagree: (1, 2, 3, 4) and (4, 2)": lambda: qk_norm(X, torch.ones(4, 2)),
    "disagree: (2, 3, 4) and (4,)": lambda: qk_norm(X[0], torch.ones(4)),
    "eps must not be negative, got -1.0": lambda: qk_norm(X, torch.ones(4), eps=-1.0),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_wrong_types_raise_an_error_that_names_them():
    with pytest.raises(TypeError, match="x must be floating point"):
        qk_norm(X.long(), torch.ones(4))
    with pytest.raises(TypeError, match="gain must be a tensor"):
        qk_norm(X, [1.0] * 4)
