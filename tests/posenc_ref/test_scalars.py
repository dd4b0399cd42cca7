"""What is not an integer, or not a number: the same error wherever it is handed in."""

import math
import re

import numpy as np
import pytest
import torch

import posenc_ref as p


def q():
    return torch.zeros(1, 2, 3, 4)


def at():
    return torch.arange(3)


SIZES = {
    "positions": p.positions,
    "positions start": lambda n: p.positions(3, start=n),
    "positions_from_mask": lambda n: p.positions_from_mask(torch.ones(1, 3).bool(), padding_idx=n),
    "frequencies": p.frequencies,
    "sinusoidal": lambda n: p.sinusoidal(at(), n),
    "shift_matrix": lambda n: p.shift_matrix(1, n),
    "rotation_matrix": lambda n: p.rotation_matrix(1, n),
    "ntk_aware": lambda n: p.ntk_aware(n, 2.0),
    "dynamic_ntk": lambda n: p.dynamic_ntk(n, 10, 5),
    "yarn": lambda n: p.yarn(n, 2.0, 100),
    "llama3": p.llama3,
    "proportional": lambda n: p.proportional(n, 0.5),
    "position_interpolation": lambda n: p.position_interpolation(n, 2.0),
    "longrope": lambda n: p.longrope(n, 8, 4, short=[1.0, 1.0], long=[1.0, 1.0], factor=2.0),
    "LearnedPositionalEmbedding": lambda n: p.LearnedPositionalEmbedding(5, n),
    "LearnedPositionalEmbedding offset": lambda n: p.LearnedPositionalEmbedding(5, 4, offset=n),
    "RecurrentEmbedding": p.RecurrentEmbedding,
    "FloaterEmbedding": p.FloaterEmbedding,
    "floater": lambda n: p.floater(lambda t, x: -x, torch.ones(1), n),
    "floater parts": lambda n: p.floater(lambda t, x: -x, torch.ones(1), 3, parts=n),
    "ShawEmbedding": lambda n: p.ShawEmbedding(3, n),
    "shaw_scores": lambda n: p.shaw_scores(q(), q(), at(), at(), torch.zeros(7, 4), past=n),
    "TransformerXLEmbedding": lambda n: p.TransformerXLEmbedding(2, 4, n),
    "XLNetEmbedding": lambda n: p.XLNetEmbedding(2, 4, 4, segment_length=n),
    "T5Bias": lambda n: p.T5Bias(n, bidirectional=True),
    "t5_bucket": lambda n: p.t5_bucket(at(), bidirectional=False, buckets=n),
    "deberta_bucket": lambda n: p.deberta_bucket(at(), buckets=n),
    "alibi_slopes": p.alibi_slopes,
    "KerpleBias": lambda n: p.KerpleBias(n, kernel="log"),
    "FireBias": p.FireBias,
    "FireBias width": lambda n: p.FireBias(2, width=n),
    "sandwich": lambda n: p.sandwich(at(), at(), n),
    "sandwich dim": lambda n: p.sandwich(at(), at(), 2, dim=n),
    "cope_positions": lambda n: p.cope_positions(torch.zeros(2, 3), n),
    "rel_shift_bidirectional": lambda n: p.rel_shift_bidirectional(torch.zeros(2, 9), n),
    "repeat_heads": lambda n: p.repeat_heads(q(), n),
    "sink_indices": lambda n: p.sink_indices(n, sinks=1, window=2),
    "sink_indices window": lambda n: p.sink_indices(9, sinks=1, window=n),
    "next_positions": lambda n: p.next_positions(None, n),
    "next_positions count": lambda n: p.next_positions(None, 1, n),
    "DecodingCache": p.DecodingCache,
    "GridEncoding": lambda n: p.encoding_by_name("axial", 8, 1, width=n),
    "CopeEncoding": lambda n: p.encoding_by_name("cope", 8, 1, rows=n),
    "mrope_angles": lambda n: p.mrope_angles(
        torch.zeros(3, 2).long(), p.frequencies(12), (n, 1, 1)
    ),
    "encoding_by_name": lambda n: p.encoding_by_name("rope", 8, n),
    "TinyLM": lambda n: p.TinyLM(9, 4, 1, n),
    "TinyLM heads": lambda n: p.TinyLM(9, 4, n, 1),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_size_is_an_integer(name):
    for wrong in (4.0, 2.5, math.nan, True, "4", [4], torch.tensor(4)):
        with pytest.raises(TypeError, match=re.escape(f" must be an integer, got {wrong!r}")):
            SIZES[name](wrong)


@pytest.mark.parametrize("name", SIZES)
def test_an_integer_of_numpy_is_an_integer(name):
    size = 1 if name in {"TinyLM heads", "encoding_by_name"} else 4
    SIZES[name](np.int64(size))


def angles():
    return torch.zeros(3, 2)


NUMBERS = {
    "rotate": lambda n: p.rotate(q(), angles(), layout="half", attention_factor=n),
    "rotations": lambda n: p.rotations(angles(), "half", attention_factor=n),
    "RotaryEncoding": lambda n: p.RotaryEncoding(p.frequencies(4), n),
    "attention": lambda n: p.attention(q(), q(), q(), scale=n),
    "rotate_xpos": lambda n: p.rotate_xpos(q(), at(), role="key", layout="half", scale_base=n),
    "rotate_xpos center": lambda n: p.rotate_xpos(q(), at(), role="key", layout="half", center=n),
    "shift_matrix": lambda n: p.shift_matrix(n, 4),
    "rotation_matrix": lambda n: p.rotation_matrix(n, 4),
    "frequencies": lambda n: p.frequencies(4, base=n),
    "position_interpolation": lambda n: p.position_interpolation(4, n),
    "dynamic_ntk": lambda n: p.dynamic_ntk(4, 8, 4, factor=n),
    "dynamic_ntk length": lambda n: p.dynamic_ntk(4, n, 4),
    "yarn": lambda n: p.yarn(4, 2.0, n),
    "yarn_temperature": lambda n: p.yarn_temperature(2.0, n),
    "llama3": lambda n: p.llama3(4, high_freq_factor=n),
    "proportional": lambda n: p.proportional(4, n),
    "longrope": lambda n: p.longrope(4, n, 4, short=[1.0, 1.0], long=[1.0, 1.0], factor=2.0),
    "t5_bucket": lambda n: p.t5_bucket(at(), bidirectional=False, max_distance=n),
    "deberta_bucket": lambda n: p.deberta_bucket(at(), max_distance=n),
    "kerple_log": lambda n: p.kerple_log(at(), at(), torch.ones(1), torch.ones(1), head_dim=n),
    "FireBias": lambda n: p.FireBias(2, threshold=n),
    "floater": lambda n: p.floater(lambda t, x: -x, torch.ones(1), 3, step=n),
    "FloaterEmbedding": lambda n: p.FloaterEmbedding(4, step=n),
    "rope share": lambda n: p.encoding_by_name("rope", 8, 1, share=n),
    "a divisor": lambda n: p.longrope(4, 8, 4, short=[1.0, n], long=[1.0, 1.0], factor=2.0),
    "AddedEncoding": lambda n: p.AddedEncoding(torch.nn.Identity(), scale=n),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_real(name):
    for wrong in (1j, True, "2", [2.0], torch.tensor(1j)):
        with pytest.raises(TypeError, match=re.escape(f" must be a real number, got {wrong!r}")):
            NUMBERS[name](wrong)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_tensor_of_two_numbers_is_not_one_number(name):
    with pytest.raises(ValueError, match=r"must be one number, got \(2,\)"):
        NUMBERS[name](torch.ones(2))


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_finite(name):
    for wrong in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match=re.escape(f" {wrong}")):
            NUMBERS[name](wrong)


def test_yes_and_no_are_booleans():
    with pytest.raises(TypeError, match="bidirectional must be True or False, got 'no'"):
        p.t5_bucket(at(), bidirectional="no")


def test_an_argument_that_is_not_a_list_is_named():
    with pytest.raises(TypeError, match="short must be a list, got float"):
        p.longrope(4, 8, 4, short=2.0, long=[1.0, 1.0], factor=2.0)
    with pytest.raises(TypeError, match="sections must be a list, got int"):
        p.mrope_angles(torch.zeros(3, 2).long(), p.frequencies(4), 2)
    with pytest.raises(TypeError, match="terms must be a list, got int"):
        p.deberta_scores(q(), q(), at(), at(), torch.zeros(6, 8), torch.zeros(6, 8), terms=2)
    with pytest.raises(TypeError, match=r"q must be floating point, .* got torch\.float8_e5m2"):
        p.cope_term(q().to(torch.float8_e5m2), torch.zeros(1, 2, 3, 3), torch.zeros(5, 4))
    with pytest.raises(TypeError, match="order must be a list, got NoneType"):
        p.permutation_matrix(None)
    with pytest.raises(TypeError, match=r"dtype must be a torch\.dtype, got 'float32'"):
        p.permutation_matrix([1, 0], dtype="float32")
    with pytest.raises(TypeError, match=r"order must be of integers, got torch\.bfloat16"):
        p.permutation_matrix(torch.tensor([1.0, 0.0]).bfloat16())
