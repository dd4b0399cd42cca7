"""The two ends of attention by loops: right sums on all threads, and what is left unread."""

import pytest
import torch

from posenc_loops.decode import QUICKER, can_attend, products, weighted_sum
from posenc_ref import alibi, alibi_slopes, attention, decode_attention, positions

ROUNDING = {torch.float32: 1e-5, torch.float16: 4e-3}
each = pytest.mark.parametrize("dtype", QUICKER, ids=str)


@pytest.fixture(autouse=True, params=[1, 2, 3], ids="{} threads".format)
def _threads(request):
    before = torch.get_num_threads()
    torch.manual_seed(0)
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@each
@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (2, 5, 37, 19), (1, 7, 900, 64)], ids=str)
def test_products_and_sums(shape, dtype):
    batch, heads, keys, dim = shape
    q, k = torch.randn(batch, heads, 1, dim).to(dtype), torch.randn(shape).to(dtype)
    close = {"rtol": 0, "atol": ROUNDING[dtype] * dim**0.5}
    scores = products(q, k, torch.float32)
    torch.testing.assert_close(scores.double(), q.double() @ k.double().mT, **close)
    weights = torch.rand(batch, heads, 1, keys).log_softmax(-1).exp()
    found = weighted_sum(weights, k)
    assert found.dtype == dtype
    torch.testing.assert_close(found.double(), weights.double() @ k.double(), **close)


@each
def test_values_without_weight_are_not_read(dtype):
    weights = torch.tensor([0.25, 0.0, 1e-39, 0.75, -0.0]).view(1, 1, 1, 5)
    v = torch.tensor([4.0, torch.nan, torch.inf, 8.0, torch.nan]).view(1, 1, 5, 1).to(dtype)
    assert weighted_sum(weights, v).item() == 7.0


@each
def test_one_query_far_into_a_text(dtype):
    q, (k, v) = torch.randn(1, 16, 1, 64).to(dtype), torch.randn(2, 1, 16, 3000, 64).to(dtype)
    row = alibi(positions(1, start=131_071), positions(3000, start=128_072), alibi_slopes(16))
    exact = attention(q.double(), k.double(), v.double(), bias=row.double())
    found = decode_attention(q, k, v, row).double()
    torch.testing.assert_close(found, exact, rtol=0, atol=ROUNDING[dtype])


def test_roundings_do_not_add_up_over_many_keys():
    weights = torch.full((1, 1, 1, 2**16), 2.0**-16)
    v = torch.full((1, 1, 2**16, 1), 1.1)
    assert abs(weighted_sum(weights, v).item() - 1.1) < 2e-5


def test_what_loops_leave_to_torch():
    x = torch.randn(1, 2, 3, 4)
    assert can_attend(x, x)
    for other in (x.to("meta"), x.mT, x[:, :0], torch.complex(x, x).conj().imag):
        assert not can_attend(x, other)
        assert not can_attend(other, x)
    for dtype in (torch.float64, torch.bfloat16):
        assert not can_attend(x.to(dtype), x)
