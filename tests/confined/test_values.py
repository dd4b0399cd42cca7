"""Numbers that arrive: a bool is 0 or 1, whatever byte stood for it, and each byte is read once."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from confined.frames import ProtocolError
from confined.values import Decoder


@pytest.mark.parametrize(("kind", "name"), [("tensor", "bool"), ("array", "|b1")])
@given(sent=st.binary(min_size=1, max_size=20))
def test_a_bool_is_0_or_1(kind, name, sent):
    value = Decoder(bytearray(sent)).decode({kind: [name, [len(sent)], 0]})
    numbers = value.view(torch.uint8 if kind == "tensor" else np.uint8).tolist()
    assert numbers == [int(byte != 0) for byte in sent]


def test_no_byte_is_read_twice():
    one, same, next_ = ({"tensor": ["uint8", [4], start]} for start in (0, 0, 4))
    assert len(Decoder(bytearray(8)).decode({"list": [one, next_]})) == 2
    with pytest.raises(ProtocolError):
        Decoder(bytearray(8)).decode({"list": [one, same]})
