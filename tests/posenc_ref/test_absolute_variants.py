"""Recurrent, flowing, multiplied and concatenated positions."""

import pytest
import torch
from torch import nn

from posenc_ref import (
    FloaterEmbedding,
    RecurrentEmbedding,
    concatenated,
    floater,
    multiplicative,
    positions,
    sinusoidal,
)
from tests.posenc_ref.bad_input import each_raises


def test_floater_agrees_with_an_adaptive_solver(golden, where):
    (case,) = golden("floater_torchdiffeq")
    a, b, p0, expected = (
        torch.tensor(case[name], dtype=torch.float64, device=where)
        for name in ("A", "b", "p0", "values")
    )
    flow = lambda t, p: torch.tanh(a @ p + b * t)
    coarse, fine = (floater(flow, p0, 30, parts=parts) for parts in (1, 4))
    errors = [(actual - expected).abs().max().item() for actual in (coarse, fine)]
    assert errors[0] < 1e-4
    assert errors[1] < 4e-7
    assert errors[0] / errors[1] > 100  # fourth order: a quarter of the step, 1/256 of the error


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    # 120 small steps of numbers up to 2.1, each rounded by up to 2^-23
    [(torch.float32, 120 * 2**-23), (torch.float64, 4e-7)],
)
def test_floater_in_both_dtypes(golden, dtype, tolerance, where):
    (case,) = golden("floater_torchdiffeq")
    a, b, p0 = (torch.tensor(case[name], dtype=dtype, device=where) for name in ("A", "b", "p0"))
    actual = floater(lambda t, p: torch.tanh(a @ p + b * t), p0, 30, parts=4)
    assert actual.dtype == dtype
    expected = torch.tensor(case["values"], dtype=torch.float64)
    torch.testing.assert_close(actual.double().cpu(), expected, rtol=0, atol=tolerance)


def test_floater_learns_and_goes_on_past_any_length():
    module = FloaterEmbedding(4)
    rows = module(positions(6))
    torch.testing.assert_close(
        module(torch.tensor([[5, 0], [2, 2]])), rows[torch.tensor([[5, 0], [2, 2]])]
    )
    assert module(torch.tensor([300])).isfinite().all()
    rows.square().sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in module.parameters())
    FloaterEmbedding(4).load_state_dict(module.state_dict(), strict=True)
    with pytest.raises(IndexError, match="position -1 lies before the first"):
        module(torch.tensor([-1, 3]))
    with pytest.raises(TypeError, match="must be integers"):
        module(torch.tensor([0.5]))


def gru_step(x, state, gru):
    """Return the next state (B, d) by the formula in the docstring of RecurrentEmbedding."""
    of_x = nn.functional.linear(x, gru.weight_ih_l0, gru.bias_ih_l0).chunk(3, dim=-1)
    of_h = nn.functional.linear(state, gru.weight_hh_l0, gru.bias_hh_l0).chunk(3, dim=-1)
    r, z = ((a + b).sigmoid() for a, b in zip(of_x[:2], of_h[:2], strict=True))
    return (1 - z) * torch.tanh(of_x[2] + r * of_h[2]) + z * state


def test_floater_maps_over_starts():
    flow, starts = (lambda t, p: torch.tanh(p * t)), torch.randn(2, 4)
    expected = torch.stack([floater(flow, p, 5) for p in starts])
    torch.testing.assert_close(torch.vmap(lambda p: floater(flow, p, 5))(starts), expected)


def test_floater_keeps_its_bits_under_autocast():
    """p(0) is a parameter of 32 bits, and each step adds to it."""
    module = FloaterEmbedding(4)
    with torch.autocast(torch.get_default_device().type, dtype=torch.bfloat16):
        actual = module(positions(5))
    assert actual.dtype == torch.float32
    # slopes below 1, rounded to 2^-9, over a way of 4 · 0.1
    torch.testing.assert_close(actual, module(positions(5)), rtol=0, atol=0.4 * 2**-8)


@pytest.mark.parametrize(("dtype", "atol"), [(torch.float64, 1e-14), (torch.float32, 1e-6)])
def test_recurrent_is_the_formula_step_by_step(dtype, atol, where, subtests):
    """torch's own nn.GRU is the upstream: states below 1, which forget the roundings before."""
    for length in [5, 300]:
        with subtests.test(length=length):
            module = RecurrentEmbedding(4).to(where, dtype)
            x = torch.randn(2, length, 4, dtype=torch.float64).to(where, dtype)
            states, last = module(x)
            state = torch.zeros(2, 4, dtype=dtype, device=where)
            for t in range(length):
                state = gru_step(x[:, t], state, module.gru)
                torch.testing.assert_close(states[:, t], state, rtol=0, atol=atol)
            torch.testing.assert_close(last[0], state, rtol=0, atol=atol)


def test_recurrent_decodes_from_the_last_state_and_sees_order():
    module, x = RecurrentEmbedding(4), torch.randn(1, 6, 4)
    whole, _ = module(x)
    _, last = module(x[:, :5])
    torch.testing.assert_close(module(x[:, 5:], last)[0], whole[:, 5:])
    swapped = module(x[:, [1, 0, 2, 3, 4, 5]])[0]
    assert not torch.allclose(swapped[:, -1], whole[:, -1])
    changed = x.clone()
    changed[:, 4:] += 1
    torch.testing.assert_close(module(changed)[0][:, :4], whole[:, :4])  # causal


def test_concatenating_is_adding_two_projections():
    x, table = torch.randn(2, 5, 6, dtype=torch.float64), sinusoidal(positions(5), 4).double()
    linear = nn.Linear(10, 3, bias=False).double()
    w_x, w_p = linear.weight.split([6, 4], dim=1)
    joined = linear(concatenated(x, table))
    torch.testing.assert_close(joined, x @ w_x.T + table @ w_p.T)
    rows = torch.stack((table, 2 * table))  # positions of each row of a batch
    torch.testing.assert_close(concatenated(x, rows)[1, :, 6:], 2 * table)


def test_multiplicative_multiplies_embeddings_by_table_rows():
    x, table = torch.randn(2, 5, 4), sinusoidal(positions(5), 4)
    actual = multiplicative(x.bfloat16(), table)
    assert actual.dtype == torch.bfloat16
    torch.testing.assert_close(multiplicative(x, table)[1, 3], x[1, 3] * table[3])
    assert torch.equal(multiplicative(x, torch.ones(5, 4)), x)
    assert (multiplicative(x, table)[:, 0, 0::2] == 0).all()  # sin 0 erases the channel


BAD = {
    "disagree: (2, 5, 4) and (4, 4)": lambda: multiplicative(
        torch.zeros(2, 5, 4), torch.zeros(4, 4)
    ),
    "disagree: (5, 4) and (5, 3)": lambda: concatenated(torch.zeros(5, 4), torch.zeros(5, 3)),
    "x must be (B, L, 4) with L ≥ 1, got (5, 4)": lambda: RecurrentEmbedding(4)(torch.zeros(5, 4)),
    "dim must be positive, got 0": lambda: RecurrentEmbedding(0),
    "dim, width and step must be positive, got 4, 32, 0": lambda: FloaterEmbedding(4, step=0),
    "state must be (1, 2, 4), got (1, 1, 4)": lambda: RecurrentEmbedding(4)(
        torch.zeros(2, 3, 4), torch.zeros(1, 1, 4)
    ),
    "with L ≥ 1, got (2, 0, 4)": lambda: RecurrentEmbedding(4)(torch.zeros(2, 0, 4)),
    "flow must give (2,), got (1,)": lambda: floater(lambda t, p: p[:1], torch.ones(2), 2),
    "got (2,), 2, inf and 1": lambda: floater(lambda t, p: p, torch.ones(2), 2, step=torch.inf),
    "initial (dim,), positive length": lambda: floater(lambda t, p: p, torch.ones(2), 0),
}


test_bad_input_raises_an_error_that_names_it = each_raises(BAD, ValueError)


def test_integers_are_not_multiplied():
    """Rounded to the dtype of x, a table of sines would be one of zeros."""
    with pytest.raises(
        TypeError, match=r"x must be floating point, of 16 bits or more, got torch\.int64"
    ):
        multiplicative(torch.ones(1, 2, 4, dtype=torch.int64), sinusoidal(positions(2), 4))


X, TABLE = torch.ones(1, 2, 4), torch.ones(2, 4)
KINDS = {
    "table must be floating point, of 16 bits or more, got torch.complex64": lambda: multiplicative(
        X, TABLE + 0j
    ),
    "x must be floating point, of 16 bits or more, got torch.int64": lambda: concatenated(
        X.long(), TABLE
    ),
    "table must be a tensor, got list": lambda: concatenated(X, TABLE.tolist()),
    "initial must be floating point, of 16 bits or more, got torch.int64": lambda: floater(
        lambda t, p: t + p, TABLE[0].long(), 2
    ),
    "x, weights must have one dtype, got torch.float64, torch.float32": lambda: RecurrentEmbedding(
        4
    )(X.double()),
}


test_wrong_types_raise_an_error_that_names_them = each_raises(KINDS, TypeError)
