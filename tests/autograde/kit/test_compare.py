"""Two results are equal by shape and value, however easily one would stretch to the other."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from autograde.kit.compare import largest, same


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
