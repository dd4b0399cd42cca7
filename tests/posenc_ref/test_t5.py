"""T5's buckets are the integers of every upstream, and its bias reads the right row."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc_ref import positions
from posenc_ref.t5 import T5Bias, t5_bucket
from tests.posenc_ref.bad_input import each_raises


def test_buckets_equal_transformers(golden, where):
    for case in golden("t5_bucket"):
        actual = t5_bucket(
            torch.tensor(case["relative"], device=where),
            bidirectional=case["bidirectional"],
            buckets=case["buckets"],
            max_distance=case["max_distance"],
        )
        assert actual.tolist() == case["values"], case


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_bias_equals_upstream(golden, dtype, where, subtests):
    """Rows of a table, whatever its dtype; upstream's bias knows no padding."""
    for name in ["t5_bias", "t5_bias_x_transformers", "t5_bias_heads"]:
        with subtests.test(name=name):
            for case in golden(name):
                weight = torch.tensor(case["weight"], dtype=dtype)
                buckets, heads = weight.shape
                module = T5Bias(
                    heads,
                    bidirectional=case["bidirectional"],
                    buckets=buckets,
                    max_distance=case.get("max_distance", 128),
                )
                module.to(dtype).load_state_dict({"weight": weight}, strict=True)
                at = (torch.tensor(case[f"{side}_positions"], device=where) for side in "qk")
                expected = torch.tensor(case["values"], dtype=dtype)
                assert torch.equal(module.to(where)(*at).cpu(), expected)


def test_default_buckets_have_the_known_borders():
    past = -torch.arange(200)
    bucket = t5_bucket(past, bidirectional=False)
    assert (bucket[1:] >= bucket[:-1]).all()
    assert (bucket == 31).nonzero()[0].item() == 113  # not 128
    assert t5_bucket(-past, bidirectional=False).eq(0).all()  # keys ahead
    both = t5_bucket(past, bidirectional=True)
    assert torch.equal(t5_bucket(-past[1:], bidirectional=True), both[1:] + 16)


def test_a_batch_of_positions_and_a_decode_step():
    module = T5Bias(3, bidirectional=False)
    whole = module(positions(6), positions(6))
    assert torch.equal(module(positions(1, start=5), positions(6)), whole[:, 5:])
    rows = torch.stack((positions(6), positions(6, start=9)))
    assert torch.equal(module(rows, rows), whole.expand(2, 3, 6, 6))
    whole.sum().backward()
    assert module.weight.grad.any()


@pytest.mark.parametrize("bidirectional", [True, False])
def test_is_mapped_and_cast(bidirectional):
    module = T5Bias(3, bidirectional=bidirectional)
    rows = torch.stack((positions(40), positions(40, start=9)))
    expected = module(rows, rows)
    assert torch.equal(torch.vmap(module)(rows, rows), expected)
    with torch.autocast(torch.get_default_device().type, torch.bfloat16):
        assert torch.equal(module(rows, rows), expected)  # borders in float32, table as it is


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_the_dtype_of_the_table_changes_no_bucket(dtype, where, subtests):
    for heads in [1, 71, 112]:
        with subtests.test(heads=heads):
            module = T5Bias(heads, bidirectional=False).to(where)
            at = positions(300, device=where)
            expected = module(at[-1:], at).to(dtype)
            assert torch.equal(module.to(dtype)(at[-1:], at), expected)


def test_gradient_counts_the_pairs_of_a_bucket():
    module = T5Bias(1, bidirectional=False)
    module(positions(20), positions(20)).sum().backward()
    bucket = t5_bucket(positions(20)[None] - positions(20)[:, None], bidirectional=False)
    assert torch.equal(module.weight.grad[:, 0], bucket.flatten().bincount(minlength=32).float())


def test_borders_fall_where_float32_has_them(subtests):
    """In float64 one of each would be elsewhere; the formula is that of transformers' T5."""
    for buckets, longest in [(16, 1461), (32, 939), (64, 1878)]:
        with subtests.test(buckets=buckets, longest=longest):
            exact, distance = buckets // 2, torch.arange(buckets // 2, longest)
            ratio = torch.log(distance.float() / exact) / math.log(longest / exact)
            far = (exact + (ratio * (buckets - exact)).long()).clamp(max=buckets - 1)
            options = {"bidirectional": False, "buckets": buckets, "max_distance": longest}
            assert torch.equal(t5_bucket(-distance, **options), far)


@given(relative=st.integers(-(10**6), 10**6), side=st.integers(2, 64), more=st.integers(1, 999))
def test_buckets_are_of_the_formula_in_floats_of_double_precision(relative, side, more):
    exact = side // 2
    longest = exact + more
    bucket = t5_bucket(
        torch.tensor(relative), bidirectional=True, buckets=2 * side, max_distance=longest
    ).item()
    assert (bucket >= side) == (relative > 0)
    distance, bucket = abs(relative), bucket % side
    if distance < exact:
        assert bucket == distance
        return
    far = math.log(distance / exact) / math.log(longest / exact) * (side - exact)
    # on a border, float32 may fall to either side: that is what checkpoints were trained with
    assert bucket in {min(exact + int(far + error), side - 1) for error in (-1e-4, 0, 1e-4)}


BAD = {
    "2 buckets up to distance 128": lambda: T5Bias(1, bidirectional=True, buckets=2),
    "32 buckets up to distance 8": lambda: t5_bucket(
        torch.tensor(0), bidirectional=True, max_distance=8
    ),
    "32 buckets up to distance nan": lambda: t5_bucket(
        torch.tensor(0), bidirectional=True, max_distance=math.nan
    ),
    "heads must be positive, got 0": lambda: T5Bias(0, bidirectional=True),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_buckets_are_a_whole_number():
    with pytest.raises(TypeError, match=r"buckets must be an integer, got 32\.0"):
        t5_bucket(torch.tensor(0), bidirectional=True, buckets=32.0)


def test_relative_positions_are_integers():
    with pytest.raises(TypeError, match="must be integers"):
        t5_bucket(torch.zeros(3), bidirectional=True)
