"""Decoding with a cache equals the full pass; each silent way to get it wrong is noticed."""

import re
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import (
    KVCache,
    LearnedPositionalEmbedding,
    T5Bias,
    alibi,
    alibi_slopes,
    append,
    attend,
    attention,
    cache_positions,
    causal_mask,
    dynamic_ntk,
    evict,
    frequencies,
    next_positions,
    positions,
    positions_from_mask,
    repeat_heads,
    rope_angles,
    rotate,
    shift_keys,
    sink_indices,
    sinusoidal,
)

LAYOUTS = ("interleaved", "half")
both = pytest.mark.parametrize("layout", LAYOUTS)


def qkv(length=7, heads=4, kv_heads=2, dim=8, batch=1, dtype=torch.float64):
    shapes = [(batch, h, length, dim) for h in (heads, kv_heads, kv_heads)]
    return (torch.randn(shape, dtype=torch.float64).to(dtype) for shape in shapes)


def turned(x, at, layout, base=10000.0):
    return rotate(x, rope_angles(at, frequencies(x.shape[-1], base=base)), layout=layout)


def test_equals_transformers_with_grouped_queries(golden):
    for case in golden("kv_cache_llama"):
        q, k, v, values = (torch.tensor(case[name]) for name in ("q", "k", "v", "values"))
        cache = None
        for t in range(q.shape[2]):
            at = next_positions(cache, 1)
            now = slice(t, t + 1)
            key = turned(k[:, :, now], at, "half", case["base"])
            cache = append(cache, key, v[:, :, now], at)
            out = attend(turned(q[:, :, now], at, "half", case["base"]), at, cache)
            torch.testing.assert_close(out.transpose(1, 2).flatten(2), values[t], rtol=0, atol=2e-6)


def test_equals_transformers_with_left_padding(golden):
    for case in golden("kv_cache_llama_padded"):
        q, k, v, mask = (torch.tensor(case[name]) for name in ("q", "k", "v", "mask"))
        at, cache, first = positions_from_mask(mask), None, 0
        for values in case["values"]:
            values = torch.tensor(values)
            now = slice(first, first := first + values.shape[1])
            new = at[:, now] if cache is None else next_positions(cache, 2)
            assert torch.equal(new, at[:, now])
            key = turned(k[:, :, now], new, "half", case["base"])
            cache = append(cache, key, v[:, :, now], new, mask[:, now].bool())
            out = attend(turned(q[:, :, now], new, "half", case["base"]), new, cache)
            found, tokens = out.transpose(1, 2).flatten(2), mask[:, now].bool()
            torch.testing.assert_close(found[tokens], values[tokens], rtol=0, atol=2e-6)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_one_shot_equals_sink_cache_of_transformers(golden, dtype):
    """SinkCache turns stored keys by a position at a time, in float32.

    It has a fault, held here: the token that fills the window evicts nothing, yet moves the keys
    behind the sinks. Those keys stand one position too low until they have left.
    """
    for case in golden("kv_cache_sinks"):
        keys, cache, sinks = torch.tensor(case["keys"]).to(dtype), None, case["sinks"]
        for t, values in enumerate(case["values"]):
            at = torch.tensor([t])
            key = turned(keys[:, :, t : t + 1], at, "half")
            cache = evict(append(cache, key, key, at), sinks=sinks, window=case["window"] - sinks)
            near, full_since = cache_positions(cache), case["window"] - 1
            early = (cache.positions >= sinks) & (cache.positions < full_since)
            near = near - (early & (t >= full_since)).long()
            found = shift_keys(cache.keys, cache.positions, near, frequencies(8), layout="half")
            exact = 4e-6 if dtype != torch.bfloat16 else 0.05  # three roundings of numbers up to 3
            torch.testing.assert_close(
                found.double(), torch.tensor(values).double(), rtol=0, atol=exact
            )


def decoded(q, k, v, *, encode_q, encode_k, bias=None):
    """One token at a time, from an empty cache."""
    cache, outs = None, []
    for t in range(q.shape[2]):
        at, now = next_positions(cache, len(q)), slice(t, t + 1)
        cache = append(cache, encode_k(k[:, :, now], at), v[:, :, now], at)
        row = None if bias is None else bias(at, cache.positions)
        outs.append(attend(encode_q(q[:, :, now], at), at, cache, row))
    return torch.cat(outs, dim=2)


def schemes():
    slopes, t5 = alibi_slopes(4), T5Bias(4, bidirectional=False)
    learned = LearnedPositionalEmbedding(16, 8).double()
    plain = {"encode_q": lambda x, at: x, "encode_k": lambda x, at: x}

    def added(table):
        return lambda x, at: x + table(at)[:, None]

    def rope(layout):
        turn = partial(turned, layout=layout)
        return {"encode_q": turn, "encode_k": turn}

    return {
        "rope interleaved": rope("interleaved"),
        "rope half": rope("half"),
        "alibi": {**plain, "bias": lambda q, k: alibi(q, k, slopes)},
        "t5": {**plain, "bias": lambda q, k: t5(q, k).detach()},
        "learned": {"encode_q": added(learned), "encode_k": added(learned)},
        "sinusoidal": {
            name: added(lambda at: sinusoidal(at, 8, dtype=torch.float64))
            for name in ("encode_q", "encode_k")
        },
        "none": plain,
    }


def full(q, k, v, *, encode_q, encode_k, bias=None):
    at = positions(q.shape[2])[None].expand(len(q), -1)
    k, v = repeat_heads(encode_k(k, at), q.shape[1]), repeat_heads(v, q.shape[1])
    added = None if bias is None else bias(at, at)
    return attention(encode_q(q, at), k, v, causal_mask(at, at)[:, None], added)


@pytest.mark.parametrize("name", schemes())
@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_decoding_is_the_full_pass(name, kv_heads):
    scheme, given = schemes()[name], tuple(qkv(kv_heads=kv_heads, batch=2))
    torch.manual_seed(3)
    torch.testing.assert_close(decoded(*given, **scheme), full(*given, **scheme))


@both
def test_in_several_tokens_at_a_time(layout):
    q, k, v = qkv()
    turn = partial(turned, layout=layout)
    cache, outs = None, []
    for part in (slice(0, 4), slice(4, 6), slice(6, 7)):
        at = next_positions(cache, 1, part.stop - part.start)
        cache = append(cache, turn(k[:, :, part], at), v[:, :, part], at)
        outs.append(attend(turn(q[:, :, part], at), at, cache))
    expected = full(q, k, v, encode_q=turn, encode_k=turn)
    torch.testing.assert_close(torch.cat(outs, dim=2), expected)


@pytest.mark.parametrize("name", schemes())
def test_left_padding_is_as_if_there_were_none(name):
    """Row 0 has three paddings, row 1 none; each new token equals the row alone."""
    torch.manual_seed(3)
    scheme = schemes()[name]
    mask = torch.tensor([[0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1]])
    q, k, v = qkv(length=7, batch=2)
    at = positions_from_mask(mask)
    cache = append(None, scheme["encode_k"](k[:, :, :6], at), v[:, :, :6], at, mask.bool())
    new = next_positions(cache, 2)
    assert new.tolist() == [[3], [6]]
    cache = append(cache, scheme["encode_k"](k[:, :, 6:], new), v[:, :, 6:], new)
    bias = scheme["bias"](new, cache.positions) if "bias" in scheme else None
    found = attend(scheme["encode_q"](q[:, :, 6:], new), new, cache, bias)
    for row, padding in ((0, 3), (1, 0)):
        alone = tuple(x[row : row + 1, :, padding:] for x in (q, k, v))
        expected = full(*alone, **scheme)[:, :, -1:]
        torch.testing.assert_close(found[row : row + 1], expected)


# the silent failures: each of these differs, so the comparisons above would notice


@both
def test_the_silent_failures_are_not_silent_here(layout):
    q, k, v = qkv()
    turn = partial(turned, layout=layout)
    right = full(q, k, v, encode_q=turn, encode_k=turn)[:, :, -1:]
    at = positions(7)[None]
    cache = append(None, turn(k, at), v, at)
    last = q[:, :, -1:]

    def differs(q_at, cache):
        return (attend(turn(last, q_at), torch.tensor([[6]]), cache) - right).abs().max() > 1e-2

    assert not differs(at[:, -1:], cache)
    assert differs(at[:, -1:] + 1, cache)  # off by one
    assert differs(at[:, -1:] * 0, cache)  # the new token counted from 0
    assert differs(at[:, -1:], cache._replace(keys=turn(cache.keys, at)))  # rotated twice
    assert differs(at[:, -1:], cache._replace(values=turn(cache.values, at)))  # values rotated
    padded = append(None, torch.randn_like(k), v, at * 0, torch.zeros(1, 7, dtype=torch.bool))
    unmasked = append(padded._replace(visible=~padded.visible), *cache[:3])
    assert differs(at[:, -1:], unmasked)  # padding seen
    assert not differs(at[:, -1:], append(padded, *cache))


def test_left_padding_breaks_a_learned_table_that_counts_columns():
    """GPT-2 with 0, 1, 2, … for the columns reads another text; counting words mends it.

    RoPE does not mind: distances are the same either way, if padding is masked.
    """
    q, k, v = qkv(length=6, kv_heads=4)
    mask = torch.tensor([[0, 0, 1, 1, 1, 1]])
    columns, words = positions(6)[None], positions_from_mask(mask)

    def last(scheme, at):
        cache = append(None, scheme["encode_k"](k, at), v, at, mask.bool())
        return attend(scheme["encode_q"](q, at)[:, :, -1:], at[:, -1:], cache)

    for name, minds in (("learned", True), ("sinusoidal", True), ("rope half", False)):
        scheme = schemes()[name]
        if name == "learned":  # rows as a trained table has them, not of size 0.02
            table = torch.randn(16, 8, dtype=torch.float64)
            scheme = dict.fromkeys(
                ("encode_q", "encode_k"), lambda x, at, table=table: x + table[at][:, None]
            )
        alone = full(*(x[:, :, 2:] for x in (q, k, v)), **scheme)[:, :, -1:]
        torch.testing.assert_close(last(scheme, words), alone)
        assert ((last(scheme, columns) - alone).abs().max() > 1e-2) == minds


def test_a_window_alone_loses_the_weight_that_rests_on_the_first_token():
    """A first key that all queries look at and whose value is 0, as trained models make it."""
    q, k, v = qkv(length=24, heads=1, kv_heads=1)
    q, k, v = (x.index_fill(-1, torch.tensor([0]), 0.0) for x in (q, k, v))
    q[..., 0], k[:, :, 0, 0], v[:, :, 0] = 1.0, 20.0, 0.0
    at = positions(24)[None]
    whole = append(None, k, v, at)
    right = attend(q[:, :, -1:], at[:, -1:], whole)
    error = [
        (attend(q[:, :, -1:], at[:, -1:], evict(whole, sinks=sinks, window=8)) - right).norm()
        for sinks in (0, 1)
    ]
    assert error[0] > 10 * error[1]


def test_dynamic_scaling_needs_unrotated_keys():
    """Keys turned by the base of their own time do not fit the query of now."""
    q, k, v = qkv(length=32, kv_heads=4)
    at, trained = positions(32)[None], 8

    def turned_at(x, at, length):
        return rotate(x, rope_angles(at, dynamic_ntk(8, length, trained)[0]), layout="half")

    right = attend(
        turned_at(q[:, :, -1:], at[:, -1:], 32),
        at[:, -1:],
        append(None, turned_at(k, at, 32), v, at),
    )
    stale, unrotated = None, None
    for t in range(32):
        now = slice(t, t + 1)
        stale = append(stale, turned_at(k[:, :, now], at[:, now], t + 1), v[:, :, now], at[:, now])
        unrotated = append(unrotated, k[:, :, now], v[:, :, now], at[:, now])
    query = turned_at(q[:, :, -1:], at[:, -1:], 32)
    fresh = unrotated._replace(keys=turned_at(unrotated.keys, at, 32))
    torch.testing.assert_close(attend(query, at[:, -1:], fresh), right)
    assert (attend(query, at[:, -1:], stale) - right).abs().max() > 1e-2


# moving keys


@both
@settings(deadline=None, max_examples=25)
@given(old=st.integers(0, 50_000), new=st.integers(0, 50_000))
def test_shifting_is_rotating_at_the_new_position(layout, old, new):
    k = torch.randn(1, 2, 1, 8, dtype=torch.float64)
    omega, (old, new) = frequencies(8), (torch.tensor([p]) for p in (old, new))
    moved = shift_keys(turned(k, old, layout), old, new, omega, layout=layout)
    torch.testing.assert_close(moved, turned(k, new, layout), rtol=0, atol=1e-9)


@both
def test_a_stream_of_evictions_keeps_sinks_and_window_at_their_places(layout):
    keys, cache = torch.randn(1, 2, 40, 8, dtype=torch.float64), None
    for t in range(40):
        at = torch.tensor([t])
        new = turned(keys[:, :, t : t + 1], at, layout)
        cache = evict(append(cache, new, torch.zeros_like(new), at), sinks=2, window=4)
        near = cache_positions(cache)
        found = shift_keys(cache.keys, cache.positions, near, frequencies(8), layout=layout)
        kept = [0, 1, *range(t - 3, t + 1)] if t >= 6 else list(range(t + 1))
        torch.testing.assert_close(found, turned(keys[:, :, kept], near, layout))


def test_evicted_cache_attends_as_a_short_text():
    """Sinks and window, moved together, are a text of their own; un-rotated keys agree."""
    q, k, v = qkv(length=12, kv_heads=4)
    at = positions(12)[None]
    cache = evict(append(None, turned(k, at, "half"), v, at), sinks=2, window=3)
    kept = torch.tensor([0, 1, 9, 10, 11])
    assert cache.positions.tolist() == [kept.tolist()]
    near = cache_positions(cache)
    keys = shift_keys(cache.keys, cache.positions, near, frequencies(8), layout="half")
    moved = KVCache(keys, cache.values, near, cache.visible)
    found = attend(turned(q[:, :, -1:], near[:, -1:], "half"), near[:, -1:], moved)
    short = tuple(x[:, :, kept] for x in (q, k, v))
    turn = partial(turned, layout="half")
    expected = full(*short, encode_q=turn, encode_k=turn)[:, :, -1:]
    torch.testing.assert_close(found, expected)


def test_many_small_turns_drift_in_bfloat16_and_one_does_not():
    """The oldest of 1024 keys, turned back a position at a time, as SinkCache does."""
    k, omega = torch.randn(1, 4, 1, 128), frequencies(128)
    start = torch.tensor([1023])
    key = turned(k, start, "half").bfloat16()
    exact = turned(k.double(), torch.tensor([0]), "half")
    stepwise = key
    for p in range(1023, 0, -1):
        now, then = torch.tensor([p]), torch.tensor([p - 1])
        stepwise = shift_keys(stepwise, now, then, omega, layout="half")
    once = shift_keys(key, start, torch.tensor([0]), omega, layout="half")
    errors = [((x.double() - exact).norm() / exact.norm()).item() for x in (stepwise, once)]
    assert errors[0] > 0.05
    assert errors[1] < 0.01
    assert errors[0] > 10 * errors[1]


def test_grouped_queries_equal_torch():
    q, k, v = qkv(heads=6, kv_heads=2)
    found = attention(q, repeat_heads(k, 6), repeat_heads(v, 6))
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    torch.testing.assert_close(found, expected)
    assert repeat_heads(k, 2) is k


@given(st.integers(0, 30), st.integers(0, 5), st.integers(1, 8))
def test_what_stays(length, sinks, window):
    kept = sink_indices(length, sinks=sinks, window=window).tolist()
    assert kept == sorted(set(kept))
    assert len(kept) == min(length, sinks + window)
    assert kept[-window:] == list(range(length))[-window:]


def test_a_step_compiles_and_shifts_under_vmap():
    q, k, v = qkv(batch=2)
    at = positions(7).expand(2, -1)

    def step(q, k, v, at):
        cache = append(
            append(None, k[:, :, :6], v[:, :, :6], at[:, :6]), k[:, :, 6:], v[:, :, 6:], at[:, 6:]
        )
        near = cache_positions(evict(cache, sinks=1, window=3))
        return attend(q[:, :, 6:], next_positions(cache, 2) - 1, cache), near

    compiled = torch.compile(step, backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(q, k, v, at), step(q, k, v, at))
    torch.compiler.reset()
    shift = partial(shift_keys, frequencies=frequencies(8), layout="half")
    moved = torch.vmap(lambda k, old, new: shift(k[None], old, new)[0])(k, at, at + 5)
    torch.testing.assert_close(moved, shift(k, at, at + 5))


def test_the_next_position_follows_the_last_word_not_the_last_padding():
    """Padding behind the words, at positions of its own; a row of padding alone begins at 0."""
    seen = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]]).bool()
    cache = KVCache(None, None, positions(4).expand(3, -1), seen)
    assert next_positions(cache, 3).tolist() == [[2], [4], [0]]


def test_the_given_cache_is_not_changed_and_gradients_flow():
    k = torch.randn(1, 2, 3, 4, requires_grad=True)
    cache = append(None, k, k, positions(3))
    longer = append(cache, k, k, positions(3, start=3))
    assert cache.keys.shape[2] == 3
    attend(torch.randn(1, 2, 1, 4), torch.tensor([[5]]), longer).sum().backward()
    assert k.grad.any()
    assert next_positions(None, 2, 3).tolist() == [[0, 1, 2]] * 2


BAD = {
    "disagree: (1, 2, 3, 4), (1, 2, 3, 4) and (2,)": lambda k: append(None, k, k, positions(2)),
    "disagree: (1, 2, 3, 4), (1, 2, 2, 4) and (3,)": lambda k: append(
        None, k, k[:, :, :2], positions(3)
    ),
    "visible must be boolean (1, 3)": lambda k: append(None, k, k, positions(3), torch.ones(1, 3)),
    "keys do not fit the cache": lambda k: append(
        append(None, k, k, positions(3)), k.double(), k, positions(3)
    ),
    "count must be positive": lambda k: next_positions(None, 1, 0),
    "batch that of the cache (1)": lambda k: next_positions(append(None, k, k, positions(3)), 2),
    "does not serve 3 heads: (1, 2, 3, 4)": lambda k: repeat_heads(k, 3),
    "sinks and window must keep something": lambda k: sink_indices(4, sinks=0, window=0),
    "positions differ in shape: (3,) and (2,)": lambda k: shift_keys(
        k, positions(3), positions(2), frequencies(4), layout="half"
    ),
}


@pytest.mark.parametrize("said", BAD)
def test_bad_input_is_named(said):
    with pytest.raises(ValueError, match=re.escape(said)):
        BAD[said](torch.zeros(1, 2, 3, 4))
