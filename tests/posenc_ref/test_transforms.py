"""What torch does to functions, done to the reference: vmap, autocast, gradients.

Biases and the other score methods are in test_relative_transforms.py, test_t5.py, test_alibi.py;
graphs in test_compile.py.
"""

import pytest
import torch

from posenc_ref import (
    LearnedPositionalEmbedding,
    attention,
    axial_angles,
    causal_mask,
    concatenated,
    frequencies,
    mrope_angles,
    multiplicative,
    permutation_matrix,
    positions,
    positions_from_mask,
    rope_angles,
    rotate,
    rotate_2d,
    rotate_partial,
    rotate_xpos,
    shaw_scores,
    shift_keys,
    sinusoidal,
    transformer_xl_terms,
    yarn,
)


def on_heads(where):
    """Functions of x (B, H, L, D) = (2, 2, 5, 8)."""
    at, omega = positions(5, start=3, device=where), frequencies(8, device=where)
    scaled, factor = yarn(8, 4.0, 64)
    slower = rope_angles(at, scaled.to(where, omega.dtype))
    angles = rope_angles(at, omega)
    table, heads, weight = (
        torch.linspace(-1, 1, rows * columns, device=where).view(rows, columns)
        for rows, columns in ((7, 8), (2, 8), (16, 6))
    )
    return {
        "rope interleaved": lambda x: rotate(x, angles, layout="interleaved"),
        "rope half": lambda x: rotate(x, angles, layout="half"),
        "rope by rows": lambda x: rotate(x, rope_angles(at, omega), layout="half"),
        "rope partial": lambda x: rotate_partial(x, angles[:, :2], layout="half"),
        "rope 2d": lambda x: rotate_2d(x, angles[:, :2], angles[:, 2:]),
        "rope axial": lambda x: rotate(x, axial_angles((at, at), omega[:2]), layout="half"),
        "mrope": lambda x: rotate(
            x, mrope_angles(at.expand(3, 5), omega, (2, 1, 1)), layout="interleaved"
        ),
        "xpos": lambda x: rotate_xpos(x, at, role="key", layout="interleaved"),
        "yarn": lambda x: rotate(x, slower, layout="half", attention_factor=factor),
        "shifted keys": lambda x: shift_keys(x, at, at - 3, omega, layout="half"),
        "attention": lambda x: attention(x, x, x, causal_mask(at, at)),
        "shaw": lambda x: shaw_scores(x, x, at, at, table),
        "transformer_xl": lambda x: sum(transformer_xl_terms(x, x, at, at, heads, heads, weight)),
    }


def on_embeddings(where):
    """Functions of x (B, L, d) = (2, 5, 8)."""
    at = positions(5, start=3, device=where)
    return {
        "sinusoidal": lambda x: x + sinusoidal(at, 8, dtype=x.dtype),
        "multiplicative": lambda x: multiplicative(x, sinusoidal(at, 8)),
        "concatenated": lambda x: concatenated(x, sinusoidal(at, 4)),
    }


ON_HEADS, ON_EMBEDDINGS = on_heads("cpu"), on_embeddings("cpu")
each = pytest.mark.parametrize("name", [*ON_HEADS, *ON_EMBEDDINGS])


@pytest.fixture
def function(name, where):
    return {**on_heads(where), **on_embeddings(where)}[name]


def inputs(name, where, dtype=torch.float32):
    shape = (2, 2, 5, 8) if name in ON_HEADS else (2, 5, 8)
    return torch.randn(shape).to(where, dtype)


ROUNDING = {torch.float64: 1e-14, torch.float32: 1e-6, torch.bfloat16: 2**-8, torch.float16: 2**-11}


@each
def test_keeps_the_dtype_and_comes_close(name, function, where64):
    x = inputs(name, where64, torch.float64)
    for dtype, rounding in ROUNDING.items():
        actual = function(x.to(dtype))
        assert actual.dtype == dtype
        close = dict.fromkeys(("rtol", "atol"), 40 * rounding)  # sums of ten products below 4
        torch.testing.assert_close(actual.double(), function(x), **close)


@each
def test_maps_over_a_new_axis_and_runs_under_autocast(name, function, where):
    x = torch.stack([inputs(name, where), inputs(name, where)])
    mapped = torch.vmap(function)(x)
    torch.testing.assert_close(mapped[1], function(x[1]), rtol=1e-5, atol=1e-5)
    x = inputs(name, where)
    with torch.autocast(where.type, dtype=torch.bfloat16):
        actual = function(x)
    torch.testing.assert_close(actual.float(), function(x), rtol=0.1, atol=0.1)


@each
def test_gradients_are_those_of_finite_differences(name, function, where64):
    x = inputs(name, where64, torch.float64)[:1].requires_grad_()
    assert torch.autograd.gradcheck(function, (x,))


def test_a_learned_table_maps_over_positions():
    at = positions(5, start=3)
    module, rows = LearnedPositionalEmbedding(8, 4), torch.stack((at, at - 3))
    torch.testing.assert_close(torch.vmap(module)(rows), module(rows))


@pytest.mark.cpu_only("a look-up out of range there ends all work on the device, not one call")
def test_a_learned_table_maps_over_positions_without_its_range_check():
    at = positions(5, start=3)
    module, rows = LearnedPositionalEmbedding(8, 4), torch.stack((at, at - 3))
    with pytest.raises(IndexError, match="out of range"):  # of the look-up itself
        torch.vmap(module)(rows + 1)


# the functions that look at numbers to say what is wrong with them; not so under vmap
LOOKERS = {
    "boolean mask": (positions_from_mask, torch.tensor([[False, True, True], [True, True, True]])),
    "mask of 0 and 1": (positions_from_mask, torch.tensor([[0, 1, 1], [1, 1, 1]])),
    "permutation": (permutation_matrix, torch.tensor([2, 0, 1])),
}


def test_what_looks_at_numbers_maps(where, subtests):
    for name in LOOKERS:
        with subtests.test(name=name):
            function, x = LOOKERS[name][0], LOOKERS[name][1].to(where)
            mapped = torch.vmap(function)(torch.stack((x, x.flip(-1))))
            assert torch.equal(mapped[1], function(x.flip(-1)))
