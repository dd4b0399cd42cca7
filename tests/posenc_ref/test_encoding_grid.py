"""Rows, columns and segments made of one position: each name is its function with those."""

from itertools import product

import pytest
import torch

from posenc_ref import frequencies, positions, rope_angles, rotate
from posenc_ref.encoding_names import encoding_by_name
from posenc_ref.mrope import mrope_angles, mrope_positions
from posenc_ref.rope_2d import rotate_2d
from posenc_ref.rope_axial import axial_angles
from posenc_ref.rope_mixed import mixed_angles
from posenc_ref.xlnet import xlnet_scores


@pytest.fixture
def cells():
    """Rows and columns of seven patches, four in a row."""
    return torch.tensor([0, 0, 0, 0, 1, 1, 1]), torch.tensor([0, 1, 2, 3, 0, 1, 2])


def axial(x, rows, columns):
    return rotate(x, axial_angles((rows, columns), frequencies(8)), layout="half")


def two_streams(x, rows, columns):
    return rotate_2d(x, *(rope_angles(at, frequencies(8)) for at in (rows, columns)))


def one_image(x, rows, columns):
    at = mrope_positions([(1, 2, 4)])[:, :7]
    return rotate(x, mrope_angles(at, frequencies(16), (2, 3, 3)), layout="half")


@pytest.mark.parametrize(
    ("name", "turned"), [("axial", axial), ("rope_2d", two_streams), ("mrope", one_image)]
)
def test_a_grid_is_read_row_by_row(name, turned, cells):
    encoding, x = encoding_by_name(name, 32, 2, width=4), torch.randn(1, 2, 7, 16)
    at, expected = positions(7), turned(x, *cells)
    for actual in encoding.rotate(x, x, at, at):
        torch.testing.assert_close(actual, expected, rtol=0, atol=1e-6)
    _, keys = encoding.rotate(x[:, :, 5:6], x, at[5:6], at)
    torch.testing.assert_close(keys, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_mixed_waves_are_parameters_of_each_head(cells, dtype):
    encoding = encoding_by_name("rope_mixed", 32, 2, width=4, base=20.0).to(dtype)
    (waves,) = encoding.parameters()
    magnitudes = frequencies(8, base=20.0).to(torch.float32).repeat(2).expand(2, -1)
    torch.testing.assert_close(waves.float().norm(dim=0), magnitudes, rtol=1e-2, atol=0)
    x, at = torch.randn(1, 2, 7, 16, dtype=dtype), positions(7)
    expected = rotate(x, mixed_angles(*cells, waves.float()), layout="half")
    for actual in encoding.rotate(x, x, at, at):
        torch.testing.assert_close(actual, expected)
    encoding.rotate(x, x, at, at)[0].float().square().sum().backward()
    assert waves.grad.isfinite().all()
    _, shared = encoding.rotate(x, x[:, :1], at, at)  # one key, turned for each of two heads
    both = encoding.rotate(x, x[:, :1].expand(-1, 2, -1, -1), at, at)[1]
    torch.testing.assert_close(shared, both)


def test_options_of_a_grid_are_those_of_its_function(cells):
    x, at = torch.randn(1, 2, 7, 16), positions(7)
    options = {"sections": (3, 3, 2), "arrangement": "interleaved", "layout": "interleaved"}
    actual, _ = encoding_by_name("mrope", 32, 2, width=4, **options).rotate(x, x, at, at)
    axes = torch.stack((0 * cells[0], *cells))
    angles = mrope_angles(axes, frequencies(16), (3, 3, 2), arrangement="interleaved")
    torch.testing.assert_close(actual, rotate(x, angles, layout="interleaved"), rtol=0, atol=1e-6)


@pytest.mark.parametrize("batch", [False, True])
def test_segments_are_of_equal_length(batch, cells):
    encoding, (q, k) = (
        encoding_by_name("xlnet", 32, 2, segment_length=4),
        torch.randn(2, 3, 2, 7, 16),
    )
    at = positions(7).expand(3, -1) if batch else positions(7)
    module, segment = encoding.score, cells[0]
    expected = xlnet_scores(
        *(q, k, at, at, module.u, module.v, module.weight),
        same_segment=(segment[:, None] == segment).expand(3, -1, -1),
        segment_bias=module.segment_bias,
        segment_embedding=module.segment_embedding,
    )
    torch.testing.assert_close(encoding.scores(q, k, at, at), expected)


def test_rows_and_segments_have_a_positive_length(subtests):
    for name, size in product(("axial", "rope_2d", "mrope", "xlnet"), (0, -1)):
        option = "segment_length" if name == "xlnet" else "width"
        message = f"{option} must be positive, got {size}"
        with subtests.test(name, size=size), pytest.raises(ValueError, match=message):
            encoding_by_name(name, 32, 2, **{option: size})
