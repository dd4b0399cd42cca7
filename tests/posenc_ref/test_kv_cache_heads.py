"""Decoding with 71 and 112 heads, at positions up to 131071, equals transformers in each dtype.

test_kv_cache.py has few heads and near positions, and the padded cases.
"""

import pytest
import torch

from posenc_ref import (
    append,
    attend,
    cache_positions,
    evict,
    frequencies,
    positions,
    rope_angles,
    rotate,
    shift_keys,
)

every_dtype = pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])


def turned(x, at, base=10000.0):
    omega = frequencies(x.shape[-1], base=base, device=x.device)
    return rotate(x, rope_angles(at, omega), layout="half")


@every_dtype
def test_grouped_queries_far_away_equal_llama(golden, dtype, where):
    """A head has one pair, with ω = 1, so upstream's angles are exact; its cosines are float32.

    In bfloat16 q, k, v and v's weighted sums are each off by 2^-9 of themselves; v is below 4.
    """
    tolerance = 2**-5 if dtype == torch.bfloat16 else 2e-6
    for case in golden("kv_cache_llama_heads"):
        (q, k, v), cache = (torch.tensor(case[x], dtype=dtype, device=where) for x in "qkv"), None
        for t, values in enumerate(case["values"]):
            at, now = torch.tensor([case["positions"][t : t + 1]], device=where), slice(t, t + 1)
            cache = append(cache, turned(k[:, :, now], at, case["base"]), v[:, :, now], at)
            out = attend(turned(q[:, :, now], at, case["base"]), at, cache)
            assert out.dtype == dtype
            actual = out.transpose(1, 2).flatten(2).double().cpu()
            expected = torch.tensor(values, dtype=torch.float64)
            torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


@every_dtype
def test_sinks_equal_sink_cache_of_transformers(golden, dtype, where):
    """All keys after six tokens, with the fault that test_kv_cache.py tells of."""
    for case in golden("kv_cache_sinks_heads"):
        sinks, window, cache = case["sinks"], case["window"], None
        keys = torch.tensor(case["keys"], dtype=dtype, device=where)
        for t in range(6):
            at = positions(1, start=t, device=where)
            key = turned(keys[:, :, t : t + 1], at)
            cache = evict(append(cache, key, key, at), sinks=sinks, window=window - sinks)
        early = (cache.positions >= sinks) & (cache.positions < window - 1)
        near = cache_positions(cache) - early.long()
        omega = frequencies(2, device=where)
        actual = shift_keys(cache.keys, cache.positions, near, omega, layout="half")
        assert actual.dtype == dtype
        expected = torch.tensor(case["values"], dtype=torch.float64)
        exact = 4e-6 if dtype != torch.bfloat16 else 0.05  # three roundings of numbers up to 4
        torch.testing.assert_close(actual.double().cpu(), expected, rtol=0, atol=exact)
