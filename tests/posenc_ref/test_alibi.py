"""ALiBi's slopes for any number of heads, its three forms, and when they agree."""

from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import attention_weights, causal_mask, positions, positions_from_mask
from posenc_ref.alibi import alibi, alibi_falcon, alibi_slopes
from tests.posenc_ref.bad_input import each_raises

FORMS = ("causal", "symmetric", "key_only")


def test_key_only_equals_bloom(golden, where):
    for case in golden("alibi_bloom"):
        slopes = alibi_slopes(case["heads"], device=where)
        at = positions(5, device=where)
        actual = alibi(at, at, slopes, form="key_only")
        # bloom's slopes are powers of a float32 base: some roundings off 2^-8h/H
        torch.testing.assert_close(actual.cpu(), torch.tensor(case["values"]), rtol=3e-6, atol=0)


def test_decode_row_equals_mpt(golden):
    for case in golden("alibi_mpt"):
        actual = alibi(positions(1, start=4), positions(5), alibi_slopes(case["heads"]))
        torch.testing.assert_close(actual[:, 0], torch.tensor(case["values"]), rtol=1e-6, atol=0)


def test_symmetric_equals_x_transformers(golden):
    for case in golden("alibi_x_transformers"):
        slopes = alibi_slopes(case["heads"])
        actual = alibi(positions(3, start=2), positions(5), slopes, form="symmetric")
        torch.testing.assert_close(actual, torch.tensor(case["values"]), rtol=1e-6, atol=0)


def test_falcon_is_rounded_to_the_last_bit_as_upstream(golden, where):
    for case in golden("alibi_falcon"):
        slopes = alibi_slopes(case["heads"], device=where)
        at = positions_from_mask(torch.tensor([case["mask"]], device=where))
        expected = torch.tensor(case["values"])
        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            actual = alibi_falcon(at, slopes, dtype=dtype)
            assert actual.dtype == dtype
            assert torch.equal(actual[0].float().cpu(), expected)
        assert torch.equal(alibi_falcon(at[0], slopes).cpu(), expected)  # without a batch


# bloom's and x-transformers' slopes are float32; bloom's bfloat16 is rounded last, as ours
ROUNDING = {"float64": 3e-6, "float32": 3e-6, "bfloat16": 2**-7}


@pytest.mark.parametrize("dtype", ROUNDING)
def test_bloom_far_away_with_left_padding(golden, dtype, where):
    """Positions as its mask counts them, up to 131071, for 71 and 112 heads."""
    for case in golden("alibi_bloom_far"):
        at = torch.tensor(case["positions"], device=where)
        slopes = alibi_slopes(case["heads"], device=where)
        options = {"form": "key_only", "dtype": getattr(torch, dtype)}
        actual = alibi(at[-1:], at, slopes, **options).double().cpu()
        expected = torch.tensor(case["values"], dtype=torch.float64)
        close = max(ROUNDING[dtype], ROUNDING[case["dtype"]])
        torch.testing.assert_close(actual, expected, rtol=close, atol=0)


def test_falcon_far_away(golden, where):
    for case in golden("alibi_falcon_far"):
        at = torch.tensor(case["positions"], device=where)
        actual = alibi_falcon(at, alibi_slopes(case["heads"], device=where)).cpu()
        assert torch.equal(actual, torch.tensor(case["values"]))


@pytest.mark.parametrize("dtype", ROUNDING)
def test_decode_row_equals_mpt_far_away(golden, dtype, where):
    """For 71 and 112 heads, 131071 tokens after the first."""
    for case in golden("alibi_mpt_far"):
        at = torch.tensor(case["k_positions"], device=where)
        slopes = alibi_slopes(case["heads"], device=where)
        actual = alibi(at[-1:], at, slopes, dtype=getattr(torch, dtype))[:, 0].double().cpu()
        expected = torch.tensor(case["values"], dtype=torch.float64)
        close = max(ROUNDING[dtype], ROUNDING["float32"])
        torch.testing.assert_close(actual, expected, rtol=close, atol=0)


@pytest.mark.parametrize("dtype", ROUNDING)
def test_x_transformers_far_away(golden, dtype, where):
    for case in golden("alibi_x_transformers_far"):
        q, k = (torch.tensor(case[f"{side}_positions"], device=where) for side in "qk")
        slopes = alibi_slopes(case["heads"], device=where)
        actual = alibi(q, k, slopes, form="symmetric", dtype=getattr(torch, dtype)).double().cpu()
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(actual, expected, rtol=ROUNDING[dtype], atol=0)


def test_falcon_is_close_and_its_positions_collide(golden):
    for case in golden("alibi_falcon"):
        slopes = alibi_slopes(case["heads"])
        at = positions_from_mask(torch.tensor([case["mask"]]))
        actual, falcon = alibi(at, at, slopes, form="key_only"), torch.tensor(case["values"])
        # slope, position and product are rounded to bfloat16, 2^-9 each
        torch.testing.assert_close(actual[0], falcon, rtol=3 * 2**-9, atol=0)
        if falcon.shape[-1] == 2048:
            assert falcon.unique().numel() == 641
            assert actual.unique().numel() == 2048


@given(st.integers(1, 128))
def test_slopes_of_any_number_of_heads(heads):
    slopes = alibi_slopes(heads).tolist()
    whole = 1 << (heads.bit_length() - 1)
    assert len(slopes) == len(set(slopes)) == heads
    assert slopes[:whole] == [2.0 ** (-8 * h / whole) for h in range(1, whole + 1)] or heads > 8
    assert all(0 < m < 1 for m in slopes)
    doubled = alibi_slopes(2 * whole).tolist()
    assert slopes[whole:] == doubled[0::2][: heads - whole]


def test_slopes_of_eight_and_twelve_heads():
    eight = [2.0**-h for h in range(1, 9)]
    assert alibi_slopes(8).tolist() == eight
    assert alibi_slopes(12).tolist()[:8] == eight
    more = torch.tensor([0.707, 0.354, 0.177, 0.088])
    torch.testing.assert_close(alibi_slopes(12)[8:], more, rtol=0, atol=5e-4)


@settings(deadline=None, max_examples=30)
@given(start=st.integers(-50, 10**6), lq=st.integers(1, 5), lk=st.integers(1, 5))
def test_only_distance_is_seen(start, lq, lk):
    slopes, (q, k) = alibi_slopes(3), (positions(lq, start=2), positions(lk))
    for form in ("causal", "symmetric"):
        here = alibi(q, k, slopes, form=form)
        assert torch.equal(here, alibi(q + start, k + start, slopes, form=form))


def test_key_only_is_exact_behind_a_causal_mask_and_nowhere_else():
    at, slopes = positions(6), alibi_slopes(2).double()
    q, k = torch.randn(2, 1, 2, 6, 4, dtype=torch.float64)
    mask = causal_mask(at, at)

    def weights(form, mask=None):
        bias = alibi(at, at, slopes, form=form, dtype=torch.float64)
        return attention_weights(q, k, mask, bias.expand(2, 6, 6))

    torch.testing.assert_close(weights("key_only", mask), weights("causal", mask))
    torch.testing.assert_close(weights("symmetric", mask), weights("causal", mask))
    assert (weights("key_only") - weights("symmetric")).abs().max() > 0.05


TEXTS = {
    "heads": st.integers(1, 12),
    "length": st.integers(1, 9),
    "start": st.integers(-1000, 131072),
    "seed": st.integers(0, 2**31),
}


@settings(deadline=None, max_examples=30)
@given(**TEXTS, shift=st.floats(-1e4, 1e4))
def test_a_shift_of_the_keys_is_invisible_to_a_causal_softmax(heads, length, start, seed, shift):
    """A constant in each row, m i or any other: "key_only" is "causal", from wherever it counts."""
    torch.manual_seed(seed)
    at, slopes = positions(length, start=start), alibi_slopes(heads).double()
    q, k = torch.randn(2, 1, heads, length, 4, dtype=torch.float64)

    def weights(form, k_at=at):
        bias = alibi(at, k_at, slopes, form=form, dtype=torch.float64)
        return attention_weights(q, k, causal_mask(at, at), bias.expand(heads, length, length))

    expected, moved = weights("causal"), at.double() + shift
    for actual in (weights("key_only"), weights("key_only", moved), weights("causal", moved)):
        # scores of a size of 131072 have 2^-35 for their last place
        torch.testing.assert_close(actual, expected, rtol=0, atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(**TEXTS)
def test_the_symmetric_form_looks_both_ways_alike(heads, length, start, seed):
    torch.manual_seed(seed)
    q_at, k_at = (start + torch.randint(0, 1000, (n,)) for n in (length, length + 2))
    slopes = alibi_slopes(heads).double()

    def bias(*at, form="symmetric"):
        return alibi(*at, slopes, form=form, dtype=torch.float64)

    actual = bias(q_at, k_at)
    assert torch.equal(actual, bias(k_at, q_at).mT)
    assert torch.equal(actual, bias(-q_at, -k_at))  # a text read backwards
    causal = bias(q_at, k_at, form="causal")
    assert torch.equal(actual, torch.minimum(causal, -causal))
    as_loops = [[[-m * abs(i - j) for j in k_at.tolist()] for i in q_at.tolist()] for m in slopes]
    assert torch.equal(actual, torch.tensor(as_loops, dtype=torch.float64))


def test_bfloat16_is_rounded_last():
    at, slopes = positions(2048), alibi_slopes(8)
    exact = alibi(at[-1:], at, slopes.double(), dtype=torch.float64)
    rounded = alibi(at[-1:], at, slopes, dtype=torch.bfloat16)
    assert torch.equal(rounded, exact.bfloat16())
    near = slice(-200, None)  # where ALiBi looks, small numbers keep their differences
    assert rounded[0, 0, near].unique().numel() == 200


@pytest.mark.parametrize("form", FORMS)
def test_far_positions_are_exact_in_float32(form):
    q, k = positions(1, start=131071), torch.tensor([0, 1, 65537, 131071])
    slopes = alibi_slopes(8)  # powers of two
    exact = alibi(q, k, slopes.double(), form=form, dtype=torch.float64)
    assert torch.equal(alibi(q, k, slopes, form=form).double(), exact)


def test_slopes_may_be_trained():
    slopes = alibi_slopes(3).double().requires_grad_()
    at = positions(4)
    assert torch.autograd.gradcheck(lambda m: alibi(at, at, m, dtype=torch.float64), (slopes,))


@pytest.mark.parametrize("form", FORMS)
def test_is_mapped_and_cast(form):
    rows = torch.stack((positions(5), positions(5, start=9)))
    bias = partial(alibi, slopes=alibi_slopes(3), form=form)
    expected = bias(rows, rows)
    assert torch.equal(torch.vmap(bias)(rows, rows), expected)
    with torch.autocast(torch.get_default_device().type, torch.bfloat16):
        assert torch.equal(bias(rows, rows), expected)  # stays float32


def test_a_batch_of_positions():
    rows = torch.stack((positions(3), positions(3, start=5)))
    for form in FORMS:
        actual = alibi(rows, rows, alibi_slopes(2), form=form)
        for row in range(2):
            assert torch.equal(actual[row], alibi(rows[row], rows[row], alibi_slopes(2), form=form))


BAD = {
    "heads must be positive, got 0": lambda: alibi_slopes(0),
    "form must be one of causal, symmetric, key_only, got 'both'": lambda: alibi(
        positions(2), positions(2), alibi_slopes(2), form="both"
    ),
    "slopes must be (H,), got (2, 1)": lambda: alibi(
        positions(2), positions(2), alibi_slopes(2)[:, None]
    ),
    "slopes must be (H,), got (1, 2)": lambda: alibi_falcon(positions(2), alibi_slopes(2)[None]),
    "disagree: (1, 2) and (2,)": lambda: alibi(positions(2)[None], positions(2), alibi_slopes(2)),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_wrong_dtypes_raise_an_error_that_names_them():
    with pytest.raises(TypeError, match=r"slopes must be float32 or float64.* torch\.bfloat16"):
        alibi(positions(2), positions(2), alibi_slopes(2).bfloat16())
    with pytest.raises(TypeError, match=r"dtype must be floating point, .* got torch\.int64"):
        alibi(positions(2), positions(2), alibi_slopes(2), dtype=torch.int64)
    with pytest.raises(TypeError, match=r"dtype must be floating point, .* got 'float32'"):
        alibi(positions(2), positions(2), alibi_slopes(2), dtype="float32")
    with pytest.raises(TypeError, match="slopes must be a tensor, got list"):
        alibi(positions(2), positions(2), [0.5, 0.25])
    with pytest.raises(ValueError, match=r"k_positions must be \(…, Lk\), got \(\)"):
        alibi_falcon(torch.tensor(3), alibi_slopes(2))
    with pytest.raises(TypeError, match=r"slopes must be float32 or float64.* torch\.float16"):
        alibi_falcon(positions(2), alibi_slopes(2).half())
