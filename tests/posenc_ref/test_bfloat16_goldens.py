"""bfloat16 against upstream's own answers, not against our float64.

A number is rounded to 8 bits: by up to U = 2^-8 of itself. Each tolerance counts such roundings.
Here are biases and tables; DeBERTa, CoPE, what turns are in test_bfloat16_scores.py; Shaw, BERT,
Transformer-XL, XLNet are in test_relative_scores.py; sinusoidal and RoPE by 50 digits, the
sinks in the test of their file. Rotary scalings have no 16-bit form: their frequencies are float64.
"""

import pytest
import torch

from posenc_ref import (
    LearnedPositionalEmbedding,
    T5Bias,
    alibi,
    alibi_slopes,
    floater,
    kerple_log,
    positions,
    positions_from_mask,
    sandwich,
)

U = 2**-8
EXACT, HALF = {"dtype": torch.float64}, {"dtype": torch.bfloat16}


def halves(case, *names):
    return [torch.tensor(case[name], **HALF) for name in names]


def assert_near(actual, values, atol=0.0, rtol=0.0):
    assert actual.dtype == torch.bfloat16
    expected = torch.as_tensor(values, **EXACT)
    torch.testing.assert_close(actual.double(), expected, rtol=rtol, atol=atol)


def loaded(module, weight):
    module.bfloat16().load_state_dict({"weight": torch.tensor(weight)}, strict=True)
    return module


# biases: one rounding of the result, or of a table of which it is a row


@pytest.mark.parametrize(
    ("name", "queries", "form"),
    [
        ("alibi_bloom", 5, "key_only"),
        ("alibi_mpt", 1, "causal"),
        ("alibi_x_transformers", 3, "symmetric"),
    ],
)
def test_alibi(golden, name, queries, form):
    for case in golden(name):
        at = positions(queries, start=5 - queries), positions(5)
        actual = alibi(*at, alibi_slopes(case["heads"]), form=form, **HALF)
        values = torch.tensor(case["values"], **EXACT).view_as(actual)
        assert_near(actual, values, rtol=U + 3e-6)  # upstream's slopes are float32


@pytest.mark.parametrize("name", ["t5_bias", "t5_bias_x_transformers"])
def test_t5(golden, name):
    for case in golden(name):
        buckets, heads = len(case["weight"]), len(case["weight"][0])
        options = {"buckets": buckets, "max_distance": case.get("max_distance", 128)}
        module = T5Bias(heads, bidirectional=case["bidirectional"], **options)
        at = (torch.tensor(case[f"{side}_positions"]) for side in "qk")
        assert_near(loaded(module, case["weight"])(*at), case["values"], rtol=U)


def test_kerple(golden):
    (case,) = golden("kerple_nemo")
    actual = kerple_log(positions(6), positions(6), *halves(case, "r1", "r2")).tril()
    assert actual.dtype == torch.float32  # parameters of 16 bits, computed in 32
    expected = torch.tensor(case["values"])
    torch.testing.assert_close(actual, expected, rtol=2 * U, atol=1e-7)  # r1, and r2 in a logarithm


def test_sandwich(golden):
    for case in golden("sandwich_nemo"):
        options = {"dim": case["dim"], "pairs": "nemo", **HALF}
        actual = sandwich(positions(4, start=3), positions(7), case["heads"], **options)
        assert_near(actual, case["values"][0], rtol=U, atol=2e-5)  # upstream's cosines are float32


# tables


def test_gpt2(golden):
    for case in golden("learned_gpt2"):
        tokens, (wte, wpe) = torch.tensor(case["tokens"]), halves(case, "wte", "wpe")
        table = loaded(LearnedPositionalEmbedding(*wpe.shape), case["wpe"])
        actual = wte[tokens] + table(positions(tokens.shape[1], start=case["past"]))
        largest = wte.abs().max().item() + wpe.abs().max().item()
        assert_near(actual, case["values"], atol=2 * U * largest)  # both terms, then the sum


def test_opt(golden):
    (case,) = golden("learned_opt")
    rows, dim = torch.tensor(case["weight"]).shape
    table = loaded(LearnedPositionalEmbedding(rows - 2, dim, offset=2), case["weight"])
    mask, values = torch.tensor(case["mask"]), torch.tensor(case["values"], **EXACT)
    assert_near(table(positions_from_mask(mask))[mask.bool()], values[mask.bool()], rtol=U)


def test_floater_wants_32_bits(golden):
    """Each step rounds: four times as many steps are more wrong, not 256 times less."""
    (case,) = golden("floater_torchdiffeq")
    a, b, initial = halves(case, "A", "b", "p0")
    expected = torch.tensor(case["values"], **EXACT)
    coarse, fine = (
        (floater(lambda t, p: torch.tanh(a @ p + b * t), initial, 30, parts=parts) - expected)
        .abs()
        .max()
        .item()
        for parts in (1, 4)
    )
    assert coarse < 30 * U * 2.2  # 30 steps of numbers up to 2.1
    assert fine > coarse
