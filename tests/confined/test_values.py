"""A bool that arrives is 0 or 1, whatever byte stood for it: torch may think any other both."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from confined.values import Decoder


@pytest.mark.parametrize(("kind", "name"), [("tensor", "bool"), ("array", "|b1")])
@given(sent=st.binary(min_size=1, max_size=20))
def test_a_bool_is_0_or_1(kind, name, sent):
    value = Decoder(bytearray(sent)).decode({kind: [name, [len(sent)], 0]})
    numbers = value.view(torch.uint8 if kind == "tensor" else np.uint8).tolist()
    assert numbers == [int(byte != 0) for byte in sent]
