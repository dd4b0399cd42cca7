"""FLOATER and the GRU under compile, export, vmap and autocast: what works, and what refuses how.

The functions `floater` and `gru_step` are plain arithmetic. The modules are not: FloaterEmbedding
integrates up to the largest position that it is given, and torch has no rules for its own GRU.
"""

import pytest
import torch
from torch import nn
from torch._dynamo.exc import Unsupported
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from posenc_ref.floater import FloaterEmbedding, floater
from posenc_ref.positions import positions
from posenc_ref.recurrent import RecurrentEmbedding, gru_step
from tests.posenc_ref.test_relative_transforms import Called


class Step(nn.Module):
    """One step with the GRU as its own, as torch.export wants it."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 4)

    def forward(self, x, state):
        return gru_step(x, state, self.gru)


def integrated(initial):
    return floater(lambda t, p: torch.tanh(p * t), initial, 5)


def compiled(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, backend="eager", **options)


def under_autocast(function, *inputs):
    with torch.autocast(torch.get_default_device().type, dtype=torch.bfloat16):
        return function(*inputs)


def test_floater_compiles_exports_and_maps():
    p = torch.randn(2, 4)
    expected = integrated(p[0])
    torch.testing.assert_close(compiled(integrated, fullgraph=True)(p[0]), expected)
    program = torch.export.export(Called(integrated), (p[0],))
    torch.testing.assert_close(program.module()(p[0]), expected)
    torch.testing.assert_close(torch.vmap(integrated)(p)[1], integrated(p[1]))
    assert torch.equal(under_autocast(integrated, p[0]), expected)  # no products of matrices in it


def test_floater_embedding_does_not_export_or_map_over_positions():
    module = FloaterEmbedding(4)
    with pytest.raises(GuardOnDataDependentSymNode, match="data-dependent expression"):
        torch.export.export(module, (positions(5),))
    rows = torch.stack((positions(5), positions(5) + 1))
    with pytest.raises(RuntimeError, match="data-dependent control flow"):
        torch.vmap(module)(rows)
    torch.testing.assert_close(module(rows)[1], module(positions(5) + 1))  # a batch needs no vmap


def test_floater_embedding_under_autocast():
    module = FloaterEmbedding(4)
    actual = under_autocast(module, positions(5))
    assert actual.dtype == torch.float32  # p(0) is a parameter of 32 bits, and each step adds to it
    # slopes below 1, rounded to 2^-9, over a way of 4 · 0.1
    torch.testing.assert_close(actual, module(positions(5)), rtol=0, atol=0.4 * 2**-8)


def test_the_gru_exports_with_a_warning_of_torch():
    module, x = RecurrentEmbedding(4), torch.randn(2, 5, 4)
    with pytest.warns(UserWarning, match="_flat_weights"):
        program = torch.export.export(module, (x,))
    torch.testing.assert_close(program.module()(x), module(x))


def test_the_gru_does_not_map_over_texts():
    module, x = RecurrentEmbedding(4), torch.randn(2, 5, 4)
    with pytest.raises(RuntimeError, match="Batching rule not implemented for aten::gru"):
        torch.vmap(lambda text: module(text[None])[0][0])(x)
    torch.testing.assert_close(module(x)[0][1:], module(x[1:])[0])  # a batch needs no vmap


def test_gru_step_exports_and_maps_but_does_not_compile():
    """torch.compile looks at what is handed in, and that is a GRU."""
    step, x, state = Step(), torch.randn(2, 4), torch.randn(2, 4)
    expected = step(x, state)
    program = torch.export.export(step, (x, state))
    torch.testing.assert_close(program.module()(x, state), expected)
    mapped = torch.vmap(lambda x, state: step(x[None], state[None])[0])(x, state)
    torch.testing.assert_close(mapped, expected)
    with pytest.raises(Unsupported, match="wrap RNN, GRU, or LSTM"):
        compiled(step, fullgraph=True)(x, state)


def test_the_gru_under_autocast():
    module, x = RecurrentEmbedding(4), torch.randn(2, 5, 4)
    state = torch.zeros(2, 4)
    for function, inputs in (
        (lambda x: module(x)[0], (x,)),
        (lambda x, state: gru_step(x, state, module.gru), (x[:, 0], state)),
    ):
        actual = under_autocast(function, *inputs)
        # gates of sums of eight products below 2, rounded to 2^-9 each, five times over
        torch.testing.assert_close(actual.float(), function(*inputs), rtol=0, atol=2**-5)
