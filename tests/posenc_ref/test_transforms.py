"""What torch does to functions, done to the reference: compile, vmap, export, autocast, gradients.

Biases and the other score methods are in test_relative_transforms.py, test_t5.py, test_alibi.py.
"""

import pytest
import torch
from torch import nn

from posenc_ref import (
    LearnedPositionalEmbedding,
    attention,
    axial_angles,
    causal_mask,
    concatenated,
    frequencies,
    mrope_angles,
    multiplicative,
    positions,
    rope_angles,
    rotate,
    rotate_2d,
    rotate_partial,
    rotate_plain,
    rotate_xpos,
    shaw_scores,
    shift_keys,
    sinusoidal,
    transformer_xl_terms,
    yarn,
)

AT = positions(5, start=3)
OMEGA = frequencies(8)
ANGLES = rope_angles(AT, OMEGA)
TABLE = torch.linspace(-1, 1, 56).view(7, 8)
HEADS = torch.linspace(-1, 1, 16).view(2, 8)
WEIGHT = torch.linspace(-1, 1, 96).view(16, 6)


def scaled(x):
    omega, factor = yarn(8, 4.0, 64)
    return rotate(x, rope_angles(AT, omega), layout="half", attention_factor=factor)


# x is (B, H, L, D) = (2, 2, 5, 8), or (B, L, d) = (2, 5, 8) for what acts on embeddings
ON_HEADS = {
    "rope interleaved": lambda x: rotate(x, ANGLES, layout="interleaved"),
    "rope half": lambda x: rotate(x, ANGLES, layout="half"),
    "rope plain": lambda x: rotate_plain(x, ANGLES, layout="interleaved"),
    "rope by rows": lambda x: rotate(x, rope_angles(AT, OMEGA), layout="half"),
    "rope partial": lambda x: rotate_partial(x, ANGLES[:, :2], layout="half"),
    "rope 2d": lambda x: rotate_2d(x, ANGLES[:, :2], ANGLES[:, 2:]),
    "rope axial": lambda x: rotate(x, axial_angles((AT, AT), OMEGA[:2]), layout="half"),
    "mrope": lambda x: rotate(
        x, mrope_angles(AT.expand(3, 5), OMEGA, (2, 1, 1)), layout="interleaved"
    ),
    "xpos": lambda x: rotate_xpos(x, AT, role="key", layout="interleaved"),
    "yarn": scaled,
    "shifted keys": lambda x: shift_keys(x, AT, AT - 3, OMEGA, layout="half"),
    "attention": lambda x: attention(x, x, x, causal_mask(AT, AT)),
    "shaw": lambda x: shaw_scores(x, x, AT, AT, TABLE),
    "transformer_xl": lambda x: sum(transformer_xl_terms(x, x, AT, AT, HEADS, HEADS, WEIGHT)),
}
ON_EMBEDDINGS = {
    "sinusoidal": lambda x: x + sinusoidal(AT, 8, dtype=x.dtype),
    "multiplicative": lambda x: multiplicative(x, sinusoidal(AT, 8)),
    "concatenated": lambda x: concatenated(x, sinusoidal(AT, 4)),
}
MEMBERS = {**ON_HEADS, **ON_EMBEDDINGS}
each = pytest.mark.parametrize("name", MEMBERS)


def inputs(name, dtype=torch.float32):
    shape = (2, 2, 5, 8) if name in ON_HEADS else (2, 5, 8)
    return torch.randn(shape).to(dtype)


class Holding(nn.Module):
    """A function as a module: what torch.export takes."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


@each
def test_compiles_whole(name):
    x = inputs(name)
    compiled = torch.compile(MEMBERS[name], fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), MEMBERS[name](x), rtol=1e-5, atol=1e-5)


@each
def test_exports(name):
    x = inputs(name)
    program = torch.export.export(Holding(MEMBERS[name]), (x,))
    torch.testing.assert_close(program.module()(x), MEMBERS[name](x), rtol=1e-5, atol=1e-5)


@each
def test_maps_over_a_new_axis(name):
    x = torch.stack([inputs(name), inputs(name)])
    mapped = torch.vmap(MEMBERS[name])(x)
    torch.testing.assert_close(mapped[1], MEMBERS[name](x[1]), rtol=1e-5, atol=1e-5)


@each
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_keeps_the_dtype_and_comes_close(name, dtype):
    x = inputs(name, torch.float64)
    exact, found = MEMBERS[name](x), MEMBERS[name](x.to(dtype))
    assert found.dtype == dtype
    rounding = {torch.float64: 1e-14, torch.float32: 1e-6, torch.bfloat16: 2**-8}
    # scores are sums of some ten products of numbers below 4
    tolerance = 40 * rounding.get(dtype, 2**-11)
    torch.testing.assert_close(found.double(), exact, rtol=tolerance, atol=tolerance)


@each
def test_runs_under_autocast(name):
    x = inputs(name)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = MEMBERS[name](x)
    torch.testing.assert_close(found.float(), MEMBERS[name](x), rtol=0.1, atol=0.1)


@each
def test_gradients_are_those_of_finite_differences(name):
    x = inputs(name, torch.float64)[:1].requires_grad_()
    assert torch.autograd.gradcheck(MEMBERS[name], (x,))


def test_a_learned_table_compiles_and_exports_without_its_range_check():
    """A graph cannot read positions; eager, the IndexError names the one that has no row."""
    module = LearnedPositionalEmbedding(8, 4)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(AT), module(AT))
    torch.testing.assert_close(torch.export.export(module, (AT,)).module()(AT), module(AT))
    with pytest.raises(IndexError, match="position 8 is outside a table of length 8"):
        module(AT + 1)
