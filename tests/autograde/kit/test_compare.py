"""Two results are equal by shape and value, however easily one would stretch to the other."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from autograde.kit.compare import same


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_a_shape_that_would_broadcast_is_another_shape(shape, data):
    stretched = data.draw(st.sets(st.sampled_from(range(len(shape)))))
    narrow = [1 if axis in stretched else size for axis, size in enumerate(shape)]
    for other in (torch.ones(narrow), torch.ones(1, *shape)):
        assert same(torch.ones(shape), other) == (other.shape == torch.Size(shape))
        assert same(other, torch.ones(shape)) == (other.shape == torch.Size(shape))
