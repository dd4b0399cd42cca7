"""Sinusoids of a grid: ViT-MAE's table, one axis as plain sinusoids, axes in the given order."""

import torch

from posenc_ref import axial_sinusoidal, positions, sinusoidal
from tests.posenc_ref.bad_input import each_raises


def grid(height, width, where="cpu"):
    at = torch.arange(height * width, device=where)
    return at // width, at % width


def test_rows_first_equals_transformers(golden, where):
    for case in golden("sinusoidal_mae"):
        at = grid(case["height"], case["width"], where)
        actual = axial_sinusoidal(at, case["dim"]).cpu()
        torch.testing.assert_close(actual, torch.tensor(case["values"]), rtol=1e-6, atol=1e-6)


def test_columns_first_are_the_halves_exchanged():
    rows, columns = grid(3, 5)
    first = axial_sinusoidal((columns, rows), 16)
    torch.testing.assert_close(first, axial_sinusoidal((rows, columns), 16).roll(8, dims=-1))
    assert (first - axial_sinusoidal((rows, columns), 16)).abs().max() > 0.5


def test_each_axis_is_a_table_of_its_own_and_one_axis_is_plain():
    at = positions(7, start=3)
    plain = sinusoidal(at, 12, layout="concatenated", base=50.0)
    torch.testing.assert_close(axial_sinusoidal((at,), 12, base=50.0), plain)
    video = axial_sinusoidal((at, at + 1, at + 2), 12, dtype=torch.float64)
    assert video.dtype == torch.float64
    for axis in range(3):
        own = sinusoidal(at + axis, 4, layout="concatenated", dtype=torch.float64)
        torch.testing.assert_close(video[:, 4 * axis : 4 * axis + 4], own)


AT = positions(3)
BAD = {
    "dim must be divisible by 4, got 6": lambda: axial_sinusoidal((AT, AT), 6),
    "dim must be divisible by 4, got 0": lambda: axial_sinusoidal((AT, AT), 0),
    "every axis needs positions (…, L) of one shape, got [(3,), (2,)]": lambda: axial_sinusoidal(
        (AT, AT[:2]), 8
    ),
    "every axis needs positions (…, L) of one shape, got []": lambda: axial_sinusoidal((), 8),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)
