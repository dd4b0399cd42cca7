"""Two results are equal by shape and value, however easily one would stretch to the other."""

import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograde.kit.compare import alike, all_alike, largest, same


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_a_shape_that_would_broadcast_is_another_shape(shape, data):
    stretched = data.draw(st.sets(st.sampled_from(range(len(shape)))))
    narrow = [1 if axis in stretched else size for axis, size in enumerate(shape)]
    for other in (torch.ones(narrow), torch.ones(1, *shape)):
        assert same(torch.ones(shape), other) == (other.shape == torch.Size(shape))
        assert same(other, torch.ones(shape)) == (other.shape == torch.Size(shape))


@given(st.integers(2**1024, 2**1030), st.sampled_from([1, -1]), st.floats(allow_infinity=False))
def test_a_number_that_no_float_holds_is_compared_as_infinite(number, sign, other):
    assert same(sign * number, sign * (number + 1))
    assert not same(sign * number, -sign * number)
    assert not same(sign * number, other)
    assert largest([sign * number, 2.0]) == 2.0


SPECIAL = (0.0, 1.0, 1.0005, -1e308, 1e308, torch.inf, -torch.inf, torch.nan)


@pytest.mark.parametrize("tolerance", [0.0, 1e-3])
def test_numbers_agree_where_torch_says_so(tolerance):
    left, right = torch.tensor([*itertools.product(SPECIAL, SPECIAL)], dtype=torch.float64).T
    expected = torch.isclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True)
    shares = {"rtol": tolerance, "atol": tolerance}
    assert alike(left.numpy(), right.numpy(), **shares).tolist() == expected.tolist()
    for place, agree in enumerate(expected.tolist()):
        one, other = (side[place : place + 1].numpy() for side in (left, right))
        assert all_alike(one, other, **shares) == agree


X = torch.tensor([1.0, float("nan")])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X, X.double()),
        (torch.tensor(2.0), 2),
        ((1, [X]), [1, (X,)]),
        ({"a": X}, {"a": X.clone()}),
        (float("inf"), float("inf")),
        (float("nan"), torch.tensor(float("nan"))),
        (torch.nn.Linear(2, 2, bias=False).requires_grad_(False), None),
        ("half", "half"),
        (None, None),
    ],
)
def test_equal_things_are_the_same(left, right):
    if isinstance(left, torch.nn.Module):
        right = torch.nn.Linear(2, 2, bias=False)
        right.load_state_dict(left.state_dict())
    assert same(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X, X[:1]),
        (X, [1.0, float("nan")]),
        (torch.zeros(2), torch.zeros(2).to_sparse()),
        (torch.zeros(2), torch.zeros(2, device="meta")),
        (torch.tensor(0.0, device="meta"), 0.0),
        (torch.zeros(1).expand(10**8), torch.zeros(1).expand(10**8)),
        (torch.tensor([1j]), torch.tensor([1.0])),
        ((1, 2), (1, 2, 3)),
        ({"a": 1}, {"b": 1}),
        (torch.nn.Linear(1, 1), torch.nn.Linear(2, 1)),
        (float("inf"), -float("inf")),
        (1, None),
        (X.numpy(), X.numpy() + 1),
    ],
)
def test_different_things_are_not_the_same(left, right):
    assert not same(left, right, rtol=1e-4, atol=1e-5)
