"""Every rotary scaling equals its upstream, and keeps what it promises to keep."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import (
    RotaryEncoding,
    dynamic_ntk,
    frequencies,
    llama3,
    longrope,
    ntk_aware,
    ntk_by_parts,
    position_interpolation,
    positions,
    proportional,
    rope_angles,
    rotate,
    yarn,
    yarn_temperature,
)
from tests.posenc_ref.bad_input import each_raises

ONE_ROUNDING = 2e-7  # upstream frequencies are float32, through a power and a quotient
SIZES = st.integers(2, 64).map(lambda pairs: 2 * pairs)
STRETCHES = st.floats(1, 64)


def ours(kind: str, case: dict):
    dim, trained, options = case["dim"], case["trained_length"], dict(case["parameters"])
    options.pop("original_max_position_embeddings", None)
    if "rope_theta" in options:
        options["base"] = options.pop("rope_theta")
    if kind == "linear":
        return position_interpolation(dim, **options)
    if kind == "dynamic":
        return dynamic_ntk(dim, case["length"], trained, **options)
    if kind == "llama3":
        return llama3(dim, trained_length=trained, **options)
    if kind == "proportional":
        return proportional(dim, options.pop("partial_rotary_factor", 1.0), **options)
    if kind == "longrope":
        lists = {name: options.pop(f"{name}_factor") for name in ("short", "long")}
        return longrope(dim, case["length"], trained, **lists, **options)
    options |= {"beta": options.pop("beta_fast", 32.0), "alpha": options.pop("beta_slow", 1.0)}
    return yarn(dim, options.pop("factor"), trained, **options)


@pytest.mark.parametrize(
    "kind", ["linear", "dynamic", "yarn", "llama3", "longrope", "proportional"]
)
def test_equals_transformers(golden, kind):
    for case in golden(f"rope_scaling_{kind}"):
        omega, attention_factor = ours(kind, case)
        expected = torch.tensor(case["values"], dtype=torch.float64)
        # a dynamic base and Llama's bands go through some more roundings
        torch.testing.assert_close(omega, expected, rtol=10 * ONE_ROUNDING, atol=0)
        assert attention_factor == pytest.approx(case["attention_factor"], rel=1e-12)


def test_ntk_aware_equals_rotary_embedding_torch(golden):
    for case in golden("rope_scaling_ntk"):
        omega, _ = ntk_aware(case["dim"], case["factor"])
        expected = torch.tensor(case["values"], dtype=torch.float64)
        torch.testing.assert_close(omega, expected, rtol=10 * ONE_ROUNDING, atol=0)


def test_equal_borders_are_a_step_as_llama_4_scout_has_it():
    """Base 10000, 8 channels, 628 tokens: wavelengths 6.28, 62.8, 628.3, 6283; the last two > L."""
    omega, factor = llama3(
        8, factor=16.0, low_freq_factor=1.0, high_freq_factor=1.0, trained_length=628, base=1e4
    )
    expected = torch.tensor([1.0, 0.1, 0.01 / 16, 0.001 / 16], dtype=torch.float64)
    torch.testing.assert_close(omega, expected)
    assert factor == 1.0


def test_by_parts_equals_the_paper_with_50_digits(golden):
    for case in golden("rope_scaling_by_parts"):
        expected = torch.tensor(case.pop("values"), dtype=torch.float64)
        torch.testing.assert_close(ntk_by_parts(**case)[0], expected, rtol=1e-13, atol=0)


@settings(deadline=None, max_examples=50)
@given(dim=SIZES, s=STRETCHES, base=st.sampled_from([100.0, 10000.0, 500000.0]))
def test_ntk_keeps_the_fastest_and_divides_the_slowest(dim, s, base):
    plain, (scaled, factor) = frequencies(dim, base=base), ntk_aware(dim, s, base=base)
    assert scaled[0] == plain[0] == 1
    assert (plain[-1] / scaled[-1]).item() == pytest.approx(s, rel=1e-9)
    assert factor == 1.0
    between = plain / scaled
    assert (between[1:] >= between[:-1] * (1 - 1e-12)).all()


@settings(deadline=None, max_examples=50)
@given(dim=SIZES, s=STRETCHES, length=st.integers(100, 100000))
def test_every_scaling_lies_between_none_and_interpolation(dim, s, length):
    plain, interpolated = frequencies(dim), position_interpolation(dim, s)[0]
    for omega, _ in (
        ntk_aware(dim, s),
        ntk_by_parts(dim, s, length),
        yarn(dim, s, length),
        yarn(dim, s, length, ramp="paper"),
        llama3(dim, factor=s, trained_length=length, base=10000.0),
    ):
        assert omega.dtype == torch.float64
        assert (omega <= plain * (1 + 1e-12)).all()
        assert (omega >= interpolated * (1 - 1e-12)).all()


def test_a_stretch_of_one_changes_nothing():
    lists = {"short": [1.0] * 4, "long": [1.0] * 4}
    for omega, factor in (
        position_interpolation(8, 1.0),
        ntk_aware(8, 1.0),
        dynamic_ntk(8, 50, 100, factor=4.0),
        ntk_by_parts(8, 1.0, 100),
        yarn(8, 1.0, 100),
        llama3(8, factor=1.0, base=10000.0),
        longrope(8, 200, 100, factor=1.0, **lists),
    ):
        torch.testing.assert_close(omega, frequencies(8), rtol=1e-14, atol=0)
        assert factor == 1.0


def test_interpolated_position_is_a_position_of_training():
    x = torch.randn(1, 1, 5, 8, dtype=torch.float64)
    far, near = torch.arange(5) * 8, torch.arange(5)
    omega, _ = position_interpolation(8, 8.0)
    stretched = rotate(x, rope_angles(far, omega), layout="half")
    trained = rotate(x, rope_angles(near, frequencies(8)), layout="half")
    torch.testing.assert_close(stretched, trained)


def test_meaning_of_the_dynamic_factor():
    """At four times the trained length, factor 1, 2, 4 stretch by 4, 7, 13."""
    for factor, stretch in ((1.0, 4), (2.0, 7), (4.0, 13)):
        actual = dynamic_ntk(16, 400, 100, factor=factor)[0]
        torch.testing.assert_close(actual, ntk_aware(16, stretch)[0])


def test_ntk_extrapolates_a_little():
    """17 of the 18 slow pairs pass the largest angle of training at 8 times its length."""
    length, s = 4096, 8
    plain, scaled = frequencies(128), ntk_aware(128, s)[0]
    slow = 2 * math.pi / plain > length
    past = scaled * (s * length - 1) / (plain * (length - 1))
    assert slow.sum() == 18
    assert (past[slow] > 1.001).sum() == 17
    assert past[slow].max().item() == pytest.approx(1.75, abs=0.01)


def test_the_two_ramps_of_yarn_are_not_the_same():
    code, paper = (yarn(128, 16.0, 4096, ramp=ramp)[0] for ramp in ("code", "paper"))
    apart = (code / paper - 1).abs()
    assert (apart > 0.01).sum() >= 12
    assert apart.max() > 0.5


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_proportional_turns_a_share_of_the_pairs(layout):
    x, at = torch.randn(1, 2, 5, 16, dtype=torch.float64), positions(5, start=7)
    omega, _ = proportional(16, 0.25)
    actual = rotate(x, rope_angles(at, omega), layout=layout)
    whole = rotate(x, rope_angles(at, frequencies(16)), layout=layout)
    turning = [0, 1, 8, 9] if layout == "half" else [0, 1, 2, 3]
    still = [channel for channel in range(16) if channel not in turning]
    torch.testing.assert_close(actual[..., turning], whole[..., turning])
    assert torch.equal(actual[..., still], x[..., still])


def test_temperature_multiplies_scores_by_its_square():
    q, k = torch.randn(2, 1, 1, 3, 8, dtype=torch.float64)
    omega, factor = yarn(8, 16.0, 4096)
    angles = rope_angles(torch.arange(3), omega)

    def scores(**more):
        turned = [rotate(x, angles, layout="half", **more) for x in (q, k)]
        return turned[0] @ turned[1].mT

    torch.testing.assert_close(scores(attention_factor=factor), factor**2 * scores())
    assert yarn_temperature(16.0) ** 2 == pytest.approx(1.6314, abs=1e-4)


def test_scaling_runs_on_the_device_asked_for(where):
    for omega, _ in (
        position_interpolation(8, 2.0, device=where),
        dynamic_ntk(8, 300, 100, device=where),
        yarn(8, 2.0, 100, device=where),
        llama3(8, device=where),
        longrope(8, 10, 5, short=[1.0] * 4, long=[2.0] * 4, factor=2.0, device=where),
        proportional(8, 0.5, device=where),
    ):
        assert omega.device.type == where.type


def test_an_encoding_takes_frequencies_not_the_pair_of_a_scaling():
    with pytest.raises(TypeError, match="frequencies must be a tensor, got tuple"):
        RotaryEncoding(yarn(8, 2.0, 100))


BAD = {
    "short must be one list, got (4, 1)": lambda: longrope(
        8, 9, 5, short=np.ones((4, 1)), long=[1.0] * 4, factor=2.0
    ),
    "at least 1, got 0.5": lambda: position_interpolation(8, 0.5),
    "at least 1, got nan": lambda: ntk_aware(8, math.nan),
    "dim = 2 has one frequency": lambda: ntk_aware(2, 2.0),
    "lengths must be positive, got 0 and 5": lambda: dynamic_ntk(8, 0, 5),
    "0 < alpha <= beta": lambda: ntk_by_parts(8, 2.0, 100, alpha=5.0, beta=4.0),
    "a positive trained_length": lambda: yarn(8, 2.0, 0),
    "ramp must be one of code, paper, got 'hf'": lambda: yarn(8, 2.0, 100, ramp="hf"),
    "short needs 4 positive numbers": lambda: longrope(
        8, 9, 5, short=[1.0], long=[1.0] * 4, factor=2.0
    ),
    "long needs 4 positive numbers": lambda: longrope(
        8, 9, 5, short=[1.0] * 4, long=[1.0, 1.0, 1.0, 0.0], factor=2.0
    ),
    "trained_length must be at least 2, got 1": lambda: longrope(
        2, 9, 1, short=[1.0], long=[1.0], factor=2.0
    ),
    "dim must be even and positive": lambda: yarn(7, 2.0, 100),
    "greater than 1, got 1": lambda: yarn(8, 2.0, 100, base=1),
    "factor must be positive and finite, got nan": lambda: dynamic_ntk(8, 9, 5, factor=math.nan),
    "factor must be positive and finite, got -3": lambda: dynamic_ntk(8, 9, 5, factor=-3),
    "lengths must be positive, got nan and 5": lambda: dynamic_ntk(8, math.nan, 5),
    "lengths must be positive, got 9 and inf": lambda: dynamic_ntk(8, 9, math.inf),
    "are needed, got 1.0, 32.0 and nan": lambda: ntk_by_parts(8, 2.0, math.nan),
    "are needed, got nan, 4.0 and 8192": lambda: llama3(8, low_freq_factor=math.nan),
    "are needed, got 1.0, inf and 100": lambda: yarn(8, 2.0, 100, beta=math.inf),
    "at least 0 and finite, got -1.0": lambda: yarn(8, 2.0, 100, mscale_all_dim=-1.0),
    "at least 0 and finite, got nan": lambda: yarn_temperature(2.0, math.nan),
    "short needs 4 positive numbers, got [nan": lambda: longrope(
        8, 9, 5, short=[math.nan] * 4, long=[1.0] * 4, factor=2.0
    ),
    "long needs 4 positive numbers, got [inf": lambda: longrope(
        8, 9, 5, short=[1.0] * 4, long=[math.inf] * 4, factor=2.0
    ),
    "length must be at least 1, got nan": lambda: longrope(
        2, math.nan, 5, short=[1.0], long=[1.0], factor=2.0
    ),
    "trained_length must be at least 2, got nan": lambda: longrope(
        2, 9, math.nan, short=[1.0], long=[1.0], factor=2.0
    ),
    "short needs 2 positive numbers, got [1.0, -1.0]": lambda: longrope(
        4, 9, 5, short=[1.0, -1.0], long=[1.0] * 2, factor=2.0
    ),
    "share must be above 0 and at most 1, got 2.0": lambda: proportional(8, 2.0),
    "share must be above 0 and at most 1, got nan": lambda: proportional(8, math.nan),
}

SCALINGS = {
    "position_interpolation": position_interpolation,
    "ntk_aware": ntk_aware,
    "ntk_by_parts": lambda dim, s, **base: ntk_by_parts(dim, s, 100, **base),
    "yarn": lambda dim, s, **base: yarn(dim, s, 100, **base),
    "yarn_temperature": lambda dim, s, **base: yarn_temperature(s),
    "llama3": lambda dim, s, **base: llama3(dim, factor=s, **base),
    "longrope": lambda dim, s, **base: longrope(
        dim, 9, 5, short=[1.0] * 4, long=[1.0] * 4, factor=s, **base
    ),
    "proportional": lambda dim, s, **base: proportional(dim, 0.5, factor=s, **base),
}


@pytest.mark.parametrize("name", SCALINGS)
def test_a_stretch_below_one_and_a_base_of_at_most_one_are_refused(name):
    for s in (math.nan, math.inf, -3.0, 0.0, 0.5):
        with pytest.raises(ValueError, match=f"factor is .* at least 1, got {s}"):
            SCALINGS[name](8, s)
    for base in (math.nan, math.inf, -10000.0, 0.0, 0.5, 1.0):
        if name != "yarn_temperature":  # it has none
            with pytest.raises(
                ValueError, match="base must be a finite number greater than 1, got"
            ):
                pytest.fail(f"base {base}: {SCALINGS[name](8, 2.0, base=base)}")


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_frequencies_assigned_in_few_bits_are_refused():
    q, at = torch.zeros(1, 1, 2, 4), positions(2)
    encoding = RotaryEncoding(frequencies(4))
    for bad, message in (
        (frequencies(4).bfloat16(), r"must be float32 or float64, got torch\.bfloat16"),
        (position_interpolation(4, 2.0), "must be a tensor, got tuple"),
    ):
        with pytest.raises(TypeError, match=f"frequencies {message}"):
            RotaryEncoding(bad)
        encoding.frequencies = bad
        with pytest.raises(TypeError, match=f"frequencies {message}"):
            encoding.rotate(q, q, at, at)
