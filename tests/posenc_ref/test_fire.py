"""FIRE: the formula as loops, a third party's class, and where it stops being relative.

No package has FIRE, and the authors have published no code: the golden is that class.
"""

import math
from itertools import product

import pytest
import torch

from posenc_ref import positions
from posenc_ref.fire import FireBias, fire_input

MLP = ("0.weight", "0.bias", "2.weight", "2.bias")


def test_input_equals_the_formula_as_loops(where):
    c, threshold = 0.7, 4.0
    at = positions(9, device=where)
    numbers = (torch.tensor(x, dtype=torch.float64, device=where) for x in (c, threshold))
    actual = fire_input(at, at, *numbers)
    for i in range(9):
        for j in range(9):
            share = math.log(c * max(i - j, 0) + 1) / math.log(c * max(threshold, i) + 1)
            assert actual[i, j].item() == pytest.approx(share, abs=1e-14)


def fire_as_loops(module, length, start):
    """The formula of the paper with this module's numbers, one pair of tokens at a time."""
    first, _, second = module.network
    c, threshold = module.c.item(), module.multiplier.item() * module.threshold.item()
    bias = torch.zeros(second.out_features, length, length, dtype=torch.float64)
    for i in range(length):
        for j in range(length):
            distance, reached = max(i - j, 0), max(threshold, start + i)
            x = math.log(c * distance + 1) / math.log(c * reached + 1)
            hidden = [max(0.0, w * x + b) for w, b in zip(*listed(first, 0), strict=True)]
            for head, (row, b) in enumerate(zip(*listed(second), strict=True)):
                bias[head, i, j] = b + sum(w * h for w, h in zip(row, hidden, strict=True))
    return bias


def listed(linear, column=None):
    weight = linear.weight if column is None else linear.weight[:, column]
    return weight.tolist(), linear.bias.tolist()


def test_bias_equals_the_formula_as_loops(subtests):
    tolerances = {torch.float64: 2e-6, torch.float32: 5e-6}  # c is c + 1e-6
    for start, heads, dtype in product((0, 500, 131072), (1, 3, 12), tolerances):
        with subtests.test(heads=heads, start=start, dtype=dtype):
            module, at = (
                FireBias(heads, width=5, threshold=3.0).to(dtype),
                positions(6, start=start),
            )
            actual, expected = module(at, at).double(), fire_as_loops(module, 6, start)
            torch.testing.assert_close(actual, expected, rtol=0, atol=tolerances[dtype])


def test_the_past_is_that_of_the_third_party_class():
    """Its lines in float64: a guard of 1e-6 in the denominator, and |i - j| for keys ahead."""
    module, at = FireBias(4, threshold=16.0).double(), positions(40)
    distance = (at[:, None] - at).double()
    reached = torch.maximum(at.double(), module.multiplier * module.threshold)[:, None]
    share = (module.c * distance).abs().log1p() / ((module.c * reached).log1p() + 1e-6)
    theirs, ours = module.network(share[..., None]).movedim(-1, 0), module(at, at)
    past = distance >= 0
    # 1e-6 of a denominator of at least ln 2.6, and of c and L, through slopes of about 1
    torch.testing.assert_close(ours[:, past], theirs[:, past], rtol=0, atol=2e-6)
    assert (ours - theirs)[:, ~past].abs().max() > 0.1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_equals_the_third_party_class_run(golden, dtype, where):
    """Near, and at positions drawn up to 131071; float32 there, and 1e-6 in the denominator.

    In bfloat16 the input (at most 1), weights, hidden numbers and the sum are rounded: each term of
    the sum four times, by 2^-8.
    """
    for case in golden("fire"):
        weights = {name: torch.tensor(weight) for name, weight in case["weights"].items()}
        module = FireBias(len(case["values"]), width=5, threshold=case["threshold"])
        names = {"multiplier": "L_multiplier", "threshold": "init_L", "c": "c"}
        names |= {f"network.{name}": f"mlp.{name}" for name in MLP}
        module.load_state_dict({ours: weights[theirs] for ours, theirs in names.items()})
        at = torch.tensor(case["positions"], device=where)
        actual = module.to(where, dtype)(at, at).tril().double().cpu()
        expected = torch.tensor(case["values"], dtype=torch.float64)
        first, b1, second, b2 = (weights[f"mlp.{name}"].abs() for name in MLP)
        largest = (second @ (first[:, 0] + b1) + b2).max().item()
        atol = 4 * 2**-8 * largest if dtype == torch.bfloat16 else 5e-6
        torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def test_positions_are_never_16_bit():
    c, threshold = torch.tensor([0.1, 512.0], dtype=torch.bfloat16)
    near = fire_input(positions(1, start=1000), positions(8, start=993), c, threshold)
    assert near.dtype == torch.float32
    assert len(near.unique()) == 8  # in bfloat16 the 8 keys would fall together
    assert FireBias(2).bfloat16()(positions(3), positions(3)).dtype == torch.bfloat16


def test_the_threshold_moves_as_fast_as_it_has_to():
    """A step of Adam is about its learning rate, whatever the number that it moves."""
    module = FireBias(2)
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
    module(positions(300), positions(300)).square().mean().backward()
    optimizer.step()
    moved = (module.multiplier * module.threshold).item() - 512
    assert abs(moved) == pytest.approx(5.12, rel=1e-3)


def test_a_decode_step_and_a_batch_of_positions():
    module, at = FireBias(3, threshold=4.0), positions(9)
    whole = module(at, at)
    torch.testing.assert_close(module(at[-1:], at), whole[:, -1:])
    rows = torch.stack((at, at + 5))
    shifted = module(rows, rows)
    torch.testing.assert_close(shifted[0], whole)
    assert not torch.allclose(shifted[1], whole)  # beyond L a shift is seen


def test_relative_up_to_the_threshold_only():
    module = FireBias(2, threshold=16.0)
    bias = module(positions(40), positions(40)).detach()
    beside = bias.diagonal(-1, dim1=1, dim2=2)  # distance 1 from query 1, 2, …
    torch.testing.assert_close(beside[:, :15], beside[:, :1].expand(2, 15))
    assert (beside[:, -1] - beside[:, 0]).abs().min() > 1e-5


def test_learns_and_loads():
    module = FireBias(3, threshold=2.0)
    bias = module(positions(5), positions(5))
    assert bias.shape == (3, 5, 5)
    bias.square().sum().backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in module.parameters())
    FireBias(3).load_state_dict(module.state_dict(), strict=True)
    rows = torch.stack((positions(5), positions(5)))
    torch.testing.assert_close(module(rows, rows), bias.expand(2, 3, 5, 5))


def test_signs_of_the_learned_numbers_do_not_matter():
    module, at = FireBias(2, threshold=4.0), positions(9)
    bias = module(at, at)
    with torch.no_grad():
        module.c.neg_()
        module.multiplier.neg_()
    torch.testing.assert_close(module(at, at), bias)


def test_wrong_sizes_raise_an_error_that_names_them():
    with pytest.raises(ValueError, match=r"must be positive, got 0, 32, 512\.0"):
        FireBias(0)
    with pytest.raises(ValueError, match="must be positive, got 1, 32, 0"):
        FireBias(1, threshold=0)
    with pytest.raises(ValueError, match="must be positive, got 1, 32, inf"):
        FireBias(1, threshold=torch.inf)
    with pytest.raises(TypeError, match="c must be a tensor, got float"):
        fire_input(positions(3), positions(3), 0.1, torch.tensor(1.0))
    at, one = positions(3), torch.tensor(1.0)
    for numbers, message in (
        ((one.expand(3), one), r"c must be a scalar, got \(3,\)"),
        ((one, one.expand(1)), r"threshold must be a scalar, got \(1,\)"),
        ((-one, one), r"c must be positive and finite, got \[-1\.0\]"),
        ((torch.inf * one, one), r"c must be positive and finite, got \[inf\]"),
        ((one, torch.nan * one), r"threshold must be positive and finite, got \[nan\]"),
    ):
        with pytest.raises(ValueError, match=message):
            fire_input(at, at, *numbers)
