"""Sinusoidal tables: upstream values, the properties of the paper, errors that explain."""

import math
from functools import partial
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_ref import frequencies, positions, positions_from_mask, shift_matrix, sinusoidal

EXACT = {"dtype": torch.float64}
DIMS = st.integers(1, 32).map(lambda pairs: 2 * pairs)
CONVENTIONS = st.fixed_dictionaries(
    {
        "layout": st.sampled_from(["interleaved", "concatenated"]),
        "exponent": st.sampled_from(["paper", "tensor2tensor"]),
        "base": st.sampled_from([100.0, 10000.0, 500000.0]),
    }
)
NUMBERS = st.floats(-1e4, 1e4, allow_nan=False)
# an angle up to 2·10⁴ is off by some 2^-53 of itself: 1e-11, over at most 64 channels
TOLERANCE = 1e-9


def assert_within(actual, expected, bound):
    """Compare each entry with its own bound."""
    excess = (actual.double() - torch.tensor(expected, dtype=torch.float64)).abs() - bound
    assert excess.max() <= 0, f"beyond the bound by {excess.max():.3g}"


def per_row(case, unit):
    """Return `unit` for each row, and as much again for each radian of the fastest angle."""
    return unit * (2 + 2 * torch.tensor(case["positions"], dtype=torch.float64).abs()[:, None])


@pytest.mark.parametrize(
    ("dtype", "rounding"),
    [
        (torch.float64, 0.0),
        (torch.float32, 2**-25),  # half a unit in the last place below 1
        (torch.bfloat16, 2**-9),
        (torch.float16, 2**-12),
    ],
)
def test_equals_the_formula_with_50_digits(golden, dtype, rounding):
    for case in golden("sinusoidal_mpmath"):
        convention = {"base": case["base"], "exponent": case["exponent"]}
        at = torch.tensor(case["positions"], dtype=torch.float64)
        actual = sinusoidal(at, case["dim"], **convention, dtype=dtype)
        assert actual.dtype == dtype
        assert_within(actual, case["values"], per_row(case, 2**-52) + rounding)
        omega = frequencies(case["dim"], **convention)
        assert_within(omega / torch.tensor(case["frequencies"], dtype=torch.float64), 1.0, 2**-51)


def test_equals_marian(golden):
    for case in golden("sinusoidal_marian"):
        actual = sinusoidal(torch.tensor(case["positions"]), case["dim"], layout="concatenated")
        assert_within(actual, case["values"], 2**-24)  # both are rounded from float64


def test_equals_positional_encodings(golden):
    for case in golden("sinusoidal_positional_encodings"):
        actual = sinusoidal(torch.tensor(case["positions"]), case["dim"], odd="cut")
        assert_within(actual, case["values"], per_row(case, 2**-24))


def test_equals_x_transformers(golden):
    for case in golden("sinusoidal_x_transformers"):
        start = case["positions"][0]
        actual = sinusoidal(positions(5, start=start), case["dim"], layout="concatenated")
        assert_within(actual * case["scale"], case["values"], per_row(case, 2**-24))


def test_equals_m2m100(golden):
    convention = {"layout": "concatenated", "exponent": "tensor2tensor"}
    *tables, padded = golden("sinusoidal_m2m100")
    for case in tables:
        actual = sinusoidal(
            torch.tensor(case["positions"]), case["dim"], odd="padded", **convention
        )
        assert_within(actual, case["values"], per_row(case, 2**-24))
    tokens = torch.tensor(padded["tokens"])[0]
    is_token = tokens != padded["padding_idx"]
    at = positions_from_mask(is_token[None], padding_idx=padded["padding_idx"])[0]
    actual = sinusoidal(at, padded["dim"], **convention)  # its row of padding is 0
    assert_within(actual * is_token[:, None], padded["values"][0], 2**-20)


@settings(deadline=None)
@given(NUMBERS, DIMS, CONVENTIONS)
def test_every_row_has_norm_root_of_half_dim(p, dim, convention):
    row = sinusoidal(torch.tensor([p], **EXACT), dim, **convention, **EXACT)
    assert math.isclose(row.norm().item(), math.sqrt(dim / 2), rel_tol=1e-12)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, DIMS, CONVENTIONS)
def test_shift_matrix_moves_every_position(p, k, dim, convention):
    at = torch.tensor([p, p + k, -p], **EXACT)
    table = sinusoidal(at, dim, **convention, **EXACT)
    M = shift_matrix(k, dim, **convention, **EXACT)
    torch.testing.assert_close(M @ table[0], table[1], rtol=0, atol=TOLERANCE)
    torch.testing.assert_close(M @ M.T, torch.eye(dim, **EXACT), rtol=0, atol=1e-14)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, DIMS, CONVENTIONS)
def test_shifts_compose(j, k, dim, convention):
    M_j, M_k, M = (shift_matrix(x, dim, **convention, **EXACT) for x in (j, k, j + k))
    torch.testing.assert_close(M_j @ M_k, M, rtol=0, atol=TOLERANCE)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, NUMBERS, DIMS, CONVENTIONS)
def test_dot_product_depends_on_the_distance_alone(p, q, shift, dim, convention):
    at = torch.tensor([p, q, p + shift, q + shift], **EXACT)
    a, b, c, d = sinusoidal(at, dim, **convention, **EXACT)
    omega = frequencies(dim, base=convention["base"], exponent=convention["exponent"])
    torch.testing.assert_close(a @ b, c @ d, rtol=0, atol=TOLERANCE)
    torch.testing.assert_close(a @ b, ((p - q) * omega).cos().sum(), rtol=0, atol=TOLERANCE)


@settings(deadline=None)
@given(NUMBERS, DIMS)
def test_layouts_differ_by_the_order_of_the_channels(p, dim):
    at = torch.tensor([p], **EXACT)
    interleaved = sinusoidal(at, dim, layout="interleaved")[0]
    concatenated = sinusoidal(at, dim, layout="concatenated")[0]
    assert torch.equal(torch.cat([interleaved[0::2], interleaved[1::2]]), concatenated)


@settings(deadline=None)
@given(NUMBERS, DIMS)
def test_negative_position_has_the_same_cosines_and_opposite_sines(p, dim):
    here, there = sinusoidal(torch.tensor([p, -p], **EXACT), dim, layout="concatenated", **EXACT)
    sines, cosines = here.chunk(2)
    assert torch.equal(there, torch.cat([-sines, cosines]))


@pytest.mark.parametrize(("dim", "first_rise"), [(64, 6), (128, 12), (512, 44)])
def test_dot_product_does_not_fall_monotonically(dim, first_rise):
    table = sinusoidal(positions(60), dim, **EXACT)
    steps = (table @ table[0]).diff()
    assert (steps > 0).nonzero()[0].item() + 1 == first_rise


def test_exponents_are_other_numbers():
    paper, t2t = frequencies(64), frequencies(64, exponent="tensor2tensor")
    assert paper[0] == t2t[0] == 1
    assert math.isclose(1 / t2t[-1], 10000)  # reached
    assert math.isclose(1 / paper[-1], 10000 ** (62 / 64))  # not reached


def test_a_batch_of_positions_is_row_by_row():
    rows = torch.tensor([[0, 0, 1], [4, 5, 6]])
    table = sinusoidal(rows, 6)
    assert table.shape == (2, 3, 6)
    assert torch.equal(table[1], sinusoidal(rows[1], 6))
    assert sinusoidal(positions(0), 6).shape == (0, 6)


def test_angles_are_never_16_bit_whatever_the_output():
    far = torch.tensor([100_000, 100_001])
    table = sinusoidal(far, 64, dtype=torch.bfloat16)
    assert not torch.equal(table[0], table[1])
    assert frequencies(64).dtype == torch.float64
    float32 = sinusoidal(far.float(), 64)
    assert torch.equal(float32, sinusoidal(far, 64))  # these integers are exact in float32


def test_results_are_on_the_device_of_the_positions():
    """The meta device has shapes and no numbers: enough to see that no tensor stays behind."""
    where = torch.device("meta")
    assert sinusoidal(positions(3, device=where), 8).device == where
    assert frequencies(8, device=where).device == where
    for layout in ("interleaved", "concatenated"):
        assert shift_matrix(1, 8, layout=layout, device=where).device == where


def test_odd_and_empty_dims_are_refused(subtests):
    calls = (frequencies, partial(sinusoidal, positions(3)), partial(shift_matrix, 1))
    for call, dim in product(calls, (0, -2, 1, 7)):
        message = f"dim must be even and positive .* got {dim}"
        with subtests.test(call=call, dim=dim), pytest.raises(ValueError, match=message):
            call(dim)


@pytest.mark.parametrize("odd", ["padded", "cut"])
def test_odd_is_a_convention_of_odd_dims_alone(odd):
    assert torch.equal(sinusoidal(positions(5), 6, odd=odd), sinusoidal(positions(5), 6))
    table = sinusoidal(torch.tensor([[1, 2], [3, 4]]), 7, odd=odd, dtype=torch.bfloat16)
    assert table.shape == (2, 2, 7)
    assert table.dtype == torch.bfloat16


def test_an_unknown_way_with_odd_dims_is_refused():
    with pytest.raises(ValueError, match="odd must be one of refused, padded, cut, got 'drop'"):
        sinusoidal(positions(3), 7, odd="drop")


def test_base_must_be_above_one(subtests):
    for base in [0, -10000.0, 0.5, 1.0, math.nan, math.inf]:
        message = f"base must be a finite number .* 1, got {base}"
        with subtests.test(base=base), pytest.raises(ValueError, match=message):
            frequencies(8, base=base)


def test_a_list_of_positions_is_refused():
    with pytest.raises(TypeError, match="positions must be a tensor, got list"):
        sinusoidal([0, 1], 8)


def test_unknown_conventions_are_refused_with_the_known_ones():
    layouts, exponents = (
        "interleaved, concatenated, got 'half'",
        "paper, tensor2tensor, got 'Paper'",
    )
    with pytest.raises(ValueError, match=f"layout must be one of {layouts}"):
        sinusoidal(positions(3), 8, layout="half")
    with pytest.raises(ValueError, match=f"layout must be one of {layouts}"):
        shift_matrix(1, 8, layout="half")
    with pytest.raises(ValueError, match=f"exponent must be one of {exponents}"):
        frequencies(8, exponent="Paper")


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_16_bit_positions_are_refused(dtype):
    with pytest.raises(TypeError, match=r"256 == 257 in bfloat16"):
        sinusoidal(positions(3).to(dtype), 8)


def test_integer_output_is_refused():
    with pytest.raises(TypeError, match=r"dtype must be floating point.* got torch.int64"):
        sinusoidal(positions(3), 8, dtype=torch.int64)
    with pytest.raises(TypeError, match=r"dtype must be floating point.* got torch.int64"):
        shift_matrix(1, 8, dtype=torch.int64)


def test_the_name_of_a_dtype_is_refused():
    with pytest.raises(TypeError, match=r"dtype must be floating point.* got 'float32'"):
        sinusoidal(positions(2), 4, dtype="float32")


@pytest.mark.parametrize("offset", [float("nan"), float("inf")])
def test_offsets_are_finite(offset):
    with pytest.raises(ValueError, match=f"offset must be finite, got {offset}"):
        shift_matrix(offset, 4)


def test_one_channel_has_no_even_number_below_to_pad():
    with pytest.raises(ValueError, match=r"dim must be even .*, got 1"):
        sinusoidal(positions(3), 1, odd="padded")
