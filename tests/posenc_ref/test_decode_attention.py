"""One query that reads by loops, or by torch, gets what `attention` gives it, whatever the bias."""

import importlib
import sys

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posenc_ref import (
    T5Bias,
    alibi,
    alibi_slopes,
    attention,
    decode_attention,
    kerple_log,
    positions,
    sandwich,
)

ROUNDING = {
    torch.float64: 1e-13,
    torch.float32: 4e-6,
    torch.bfloat16: 0.03,
    torch.float16: 4e-3,
}
every_dtype = pytest.mark.parametrize("dtype", ROUNDING, ids=str)


@pytest.fixture(autouse=True, params=["calls", "loops"])
def _reader(request, where, monkeypatch):
    """Let torch read, or loops whatever the size."""
    if request.param == "calls":
        monkeypatch.setattr(sys.modules["posenc_ref.decode_attention"], "loops", lambda *_: None)
    elif sys.platform != "linux" or where.type != "cpu":
        pytest.skip("loops are for the CPU, under Linux")
    else:
        importlib.import_module("posenc_loops.decode")


def made(batch, heads, keys, dim, dtype=torch.float32):
    q, k = torch.randn(batch, heads, 1, dim), torch.randn(batch, heads, keys, dim)
    return [x.to(dtype) for x in (q, k, torch.randn(batch, heads, keys, dim + 3))]


def assert_as_attention(q, k, v, bias):
    found = decode_attention(q, k, v, bias)
    exact = attention(q.double(), k.double(), v.double(), bias=bias.double())
    assert found.dtype == q.dtype
    close = {"rtol": 0, "atol": ROUNDING[q.dtype]}
    torch.testing.assert_close(found.double(), exact, equal_nan=True, **close)


def rows(heads, keys):
    """Return a decode row (H, 1, Lk) of every bias, by name."""
    new, at = positions(1, start=keys - 1), positions(keys)
    torch.manual_seed(1)
    falls = torch.rand(heads) + 0.1
    return {
        "alibi": alibi(new, at, alibi_slopes(heads)),
        "kerple": kerple_log(new, at, falls, falls),
        "sandwich": sandwich(new, at, heads),
        "t5": T5Bias(heads, bidirectional=False)(new, at).detach(),
        "steep": alibi(new, at, torch.full((heads,), 30.0)),
        "none": torch.zeros(heads, 1, keys),
    }


@every_dtype
@pytest.mark.parametrize("name", rows(1, 1))
def test_equals_attention(name, dtype):
    for heads, keys, dim in ((1, 1, 1), (3, 700, 20), (71, 33, 64), (8, 4096, 16)):
        assert_as_attention(*made(2, heads, keys, dim, dtype), rows(heads, keys)[name])


@given(st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_equals_attention_for_any_shape(data):
    batch, heads, keys, dim = (data.draw(st.integers(1, n)) for n in (3, 5, 40, 20))
    q, k, v = made(batch, heads, keys, dim)
    shape = data.draw(st.sampled_from([(1, keys), (heads, 1, keys), (batch, heads, 1, keys)]))
    assert_as_attention(q, k, v, 5 * torch.randn(shape))


@every_dtype
def test_a_cache_larger_than_what_is_in_it_is_read_where_it_lies(dtype):
    room = torch.randn(2, 2, 3, 5, 900, 64).to(dtype)  # k and v beside each other, to spare
    (k, v), q = room[:, :, :, 2, 100:800], torch.randn(2, 3, 1, 64).to(dtype)
    assert_as_attention(q, k, v, rows(3, 700)["alibi"])
    shared = k[:, :1].expand(2, 3, 700, 64)  # one head of keys for all
    assert_as_attention(
        q, shared, v.transpose(2, 3).contiguous().transpose(2, 3), rows(3, 700)["t5"]
    )


@every_dtype
def test_a_query_that_may_read_nothing_gets_zeros(dtype):
    q, k, v = made(1, 2, 50, 8, dtype)
    bias = torch.zeros(2, 1, 50)
    bias[0] = -torch.inf
    found = decode_attention(q, k, v, bias)
    assert not found[:, 0].any()
    assert_as_attention(q, k, v, bias)
    bias[1, 0, 7:] = -torch.inf
    assert_as_attention(q, k, v, bias)


@pytest.mark.parametrize("where_it_is", ["q", "k", "v", "bias"])
def test_nan_shows(where_it_is):
    q, k, v = made(1, 2, 50, 8)
    bias = torch.zeros(2, 1, 50)
    {"q": q[0, 0, 0], "k": k[0, 0, 3], "v": v[0, 0, 3], "bias": bias[0, 0]}[where_it_is][1] = (
        torch.nan
    )
    found = decode_attention(q, k, v, bias)
    assert found[0, 0].isnan().any()
    assert not found[0, 1].isnan().any()


def test_gradients_flow_and_graphs_are_whole():
    q, k, v = made(1, 2, 40, 8)
    bias = rows(2, 40)["alibi"].requires_grad_()
    decode_attention(q.requires_grad_(), k, v, bias).sum().backward()
    wanted = q.detach().requires_grad_(), bias.detach().requires_grad_()
    attention(wanted[0], k, v, bias=wanted[1]).sum().backward()
    torch.testing.assert_close(q.grad, wanted[0].grad, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(bias.grad, wanted[1].grad, rtol=1e-4, atol=1e-6)
    compiled = torch.compile(decode_attention, fullgraph=True, backend="aot_eager")
    given = q.detach(), k, v, bias.detach()
    torch.testing.assert_close(compiled(*given), decode_attention(*given))
    torch.compiler.reset()


@pytest.mark.cpu_only("autocast of the CPU")
def test_autocast_is_the_same_for_every_reader():
    q, k, v = made(1, 2, 40, 8)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert decode_attention(q, k, v, rows(2, 40)["alibi"]).dtype == torch.bfloat16


def test_mapped_over_a_new_axis():
    given = [torch.stack([x, -x]) for x in made(1, 2, 40, 8)]
    row = rows(2, 40)["alibi"]
    found = torch.vmap(lambda *qkv: decode_attention(*qkv, row))(*given)
    torch.testing.assert_close(found[1], decode_attention(*(x[1] for x in given), row))


def test_bad_input_is_named():
    q, k, v = made(1, 2, 5, 8)
    row = torch.zeros(2, 1, 5)
    with pytest.raises(ValueError, match=r"q must hold one query, .* got \(1, 2, 5, 8\)"):
        decode_attention(k, k, v, row)
    with pytest.raises(ValueError, match=r"q \(B, H, Lq, D\) and k \(B, H, Lk, D\) disagree"):
        decode_attention(q, k[..., :4], v, row)
    with pytest.raises(ValueError, match=r"v must be \(B, H, Lk, Dv\) like k"):
        decode_attention(q, k, v[:, :, :3], row)
    with pytest.raises(ValueError, match=r"bias \(2, 1, 4\) does not fit scores"):
        decode_attention(q, k, v, row[..., :4])
    with pytest.raises(TypeError, match=r"one float dtype, got torch\.float32 and torch\.float64"):
        decode_attention(q, k.double(), v, row)
    with pytest.raises(TypeError, match=r"one dtype, got torch\.float32 and torch\.float64"):
        decode_attention(q, k, v.double(), row)
    with pytest.raises(TypeError, match=r"bias must be float32 .* got torch\.float64"):
        decode_attention(q, k, v, row.double())
    with pytest.raises(TypeError, match="a boolean belongs in mask"):
        decode_attention(q, k, v, row.bool())
    with pytest.raises(TypeError, match="must be a tensor, got list"):
        decode_attention(q, k, [1.0], row)
