"""Forgetting attention: its recurrence, ALiBi as equal gates, a closed door, gates in the cache."""

import pytest
import torch
from torch.nn.functional import logsigmoid

from posenc_ref import (
    DecodingCache,
    Encoding,
    ForgettingEncoding,
    LayerEncodings,
    TinyLM,
    alibi,
    alibi_slopes,
    attention,
    causal_mask,
    forgetting_bias,
    positions,
)
from tests.posenc_ref.bad_input import each_raises


def test_its_weights_are_those_of_a_recurrence_with_a_forget_gate(where64):
    """S_t = f_t S_{t-1} + φ(k_t) v_tᵀ, z_t = f_t z_{t-1} + φ(k_t): a kernel that has features φ.

    The paper derives its bias from this: exp(q·k) in place of φ(q)·φ(k) makes it softmax attention.
    """
    q, k = torch.rand(2, 30, 5, dtype=torch.float64, device=where64) + 0.1  # φ of queries, keys
    v = torch.randn(30, 3, dtype=torch.float64, device=where64)
    gates = torch.rand(30, dtype=torch.float64, device=where64)
    state, total, expected = torch.zeros_like(k[:1].T @ v[:1]), torch.zeros_like(k[0]), []
    for t in range(30):
        state = gates[t] * state + k[t][:, None] * v[t]
        total = gates[t] * total + k[t]
        expected.append(q[t] @ state / (q[t] @ total))
    at = positions(30, device=where64)
    bias = forgetting_bias(gates.log()[None, None], at, at)
    actual = attention(
        *((q @ k.T).log()[None, None], torch.eye(30).to(v)[None, None]),
        v[None, None],
        bias=bias,
        scale=1.0,
    )
    torch.testing.assert_close(actual[0, 0], torch.stack(expected))


def test_equal_gates_are_alibi():
    slopes, at = alibi_slopes(4), positions(9, start=20)
    log_gates = -slopes[None, :, None].expand(1, 4, 9)
    actual = forgetting_bias(log_gates, at, at)
    visible = causal_mask(at, at)
    expected = alibi(at, at, slopes, form="causal")
    torch.testing.assert_close(actual[0][:, visible], expected[:, visible], rtol=1e-5, atol=1e-5)
    assert actual[0][:, ~visible].isneginf().all()


def test_a_gate_of_zero_closes_the_door_on_all_before_it():
    gates = torch.ones(1, 1, 8)
    gates[..., 5] = 0.0
    q, k, v = torch.randn(3, 1, 1, 8, 4)
    at = positions(8)
    mask = causal_mask(at, at)
    bias = forgetting_bias(gates.clamp(min=1e-30).log(), at, at)
    actual = attention(q, k, v, mask=mask, bias=bias)
    alone = attention(q[:, :, 5:], k[:, :, 5:], v[:, :, 5:], mask=mask[5:, 5:])
    torch.testing.assert_close(actual[:, :, 5:], alone)
    torch.testing.assert_close(actual[:, :, :5], attention(q, k, v, mask=mask)[:, :, :5])


def test_one_step_and_rows_with_positions_of_their_own_equal_the_whole_text():
    log_gates = logsigmoid(torch.randn(2, 3, 10))
    at = positions(10)
    whole = forgetting_bias(log_gates, at, at)
    torch.testing.assert_close(forgetting_bias(log_gates, at[7:], at), whole[:, :, 7:])
    padded = torch.stack((at, (at - 3).clamp(min=0)))  # three of padding, on the left
    batch = forgetting_bias(log_gates, padded, padded)
    torch.testing.assert_close(batch[0], whole[0])
    torch.testing.assert_close(batch[1, :, 4:, 3:], whole[1, :, 4:, 3:])


def test_the_gate_of_a_masked_key_is_not_counted():
    log_gates, at = logsigmoid(torch.randn(1, 2, 8)), positions(8)
    words = torch.tensor([True, True, False, True, False, True, True, True])
    mask = (causal_mask(at, at) & words)[None, None]
    actual = forgetting_bias(log_gates, at, at, mask=mask)
    alone = forgetting_bias(log_gates[..., words], at[words], at[words])
    torch.testing.assert_close(actual[:, :, words][..., words], alone)
    assert actual[..., ~words].isneginf().all()
    with pytest.raises(ValueError, match="mask"):
        forgetting_bias(log_gates, at, at, mask=mask[..., :3])


def test_sixteen_bits_are_added_up_in_float32():
    log_gates = logsigmoid(torch.randn(1, 1, 2000)).bfloat16()
    actual = forgetting_bias(log_gates, positions(1, start=1999), positions(2000))
    exact = forgetting_bias(log_gates.double(), positions(1, start=1999), positions(2000))
    assert actual.dtype == torch.float32
    torch.testing.assert_close(actual.double(), exact, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("kv_heads", [4, 2, 1])
def test_each_head_has_its_own_gate_also_where_keys_are_shared(kv_heads):
    encoding, x = ForgettingEncoding(dim=16, heads=4), torch.randn(2, 6, 16)
    q, k = torch.zeros(2, 4, 6, 4), torch.zeros(2, kv_heads, 6, 4)
    keys = encoding.keys(x, k)
    assert keys.shape == (2, kv_heads, 6, 4 + 4 // kv_heads)
    at = positions(6)
    actual = encoding.scores(q, keys.repeat_interleave(4 // kv_heads, dim=1), at, at)
    log_gates = logsigmoid(encoding.gate(x)).transpose(1, 2)
    torch.testing.assert_close(actual, forgetting_bias(log_gates, at, at))
    assert (actual[:, 0, -1] - actual[:, 1, -1]).abs().max() > 0.01


def test_content_decides_so_one_word_changes_how_far_away_all_others_are():
    encoding, x = ForgettingEncoding(dim=8, heads=2), torch.randn(1, 5, 8)
    q, k, at = torch.zeros(1, 2, 5, 4), torch.zeros(1, 2, 5, 4), positions(5)
    before = encoding.scores(q, encoding.keys(x, k), at, at)
    changed = x.clone()
    changed[:, 3] += 1
    after = encoding.scores(q, encoding.keys(changed, k), at, at)
    moved = (after - before).nan_to_num().abs().amax((0, 1)) > 1e-6
    expected = torch.zeros(5, 5, dtype=torch.bool)
    expected[3:, :3] = True  # from the word on, of what came before it
    assert moved.tolist() == expected.tolist()


def test_decodes_with_a_cache_as_in_one_pass():
    model = TinyLM(vocabulary=11, dim=16, heads=4, kv_heads=2, layers=2, encoding="forgetting")
    text = torch.randint(0, 11, (2, 9))
    with torch.no_grad():
        whole, cache = model(text), DecodingCache(layers=2)
        parts = [model(part, cache=cache) for part in text.split((4, 1, 1, 3), dim=1)]
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, rtol=1e-4, atol=1e-5)


def test_each_layer_may_have_gates_of_its_own():
    encodings = LayerEncodings([ForgettingEncoding(16, 4), Encoding(), ForgettingEncoding(16, 4)])
    model = TinyLM(vocabulary=11, dim=16, heads=4, layers=3, encoding=encodings)
    model(torch.randint(0, 11, (2, 5))).square().sum().backward()
    for layer in (0, 2):
        assert encodings.of_layer(layer).gate.weight.grad.abs().sum() > 0


GATES = torch.zeros(2, 1, 3)
BAD = {
    "log_gates (B, H, Lk) and positions disagree: (2, 1, 3)": lambda: forgetting_bias(
        GATES, positions(2), positions(4)
    ),
    "log_gates (B, H, Lk) and positions disagree: (3,)": lambda: forgetting_bias(
        GATES[0, 0], positions(3), positions(3)
    ),
    "dim and heads must be positive, got 4 and 0": lambda: ForgettingEncoding(4, 0),
    "k must carry gates behind its 4 channels": lambda: ForgettingEncoding(4, 1).scores(
        torch.zeros(1, 1, 3, 4), torch.zeros(1, 1, 3, 4), positions(3), positions(3)
    ),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_gates_must_be_floats():
    with pytest.raises(TypeError, match="log_gates must be floating point"):
        forgetting_bias(GATES.long(), positions(3), positions(3))
