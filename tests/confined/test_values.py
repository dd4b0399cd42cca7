"""Numbers that arrive: a bool is 0 or 1, whatever byte stood for it, and each byte is read once."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from confined.frames import ProtocolError
from confined.values import LARGEST, Decoder, Encoder


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


@pytest.mark.parametrize("value", [torch.tensor(7.0), np.float32(7.0), np.array(7.0)])
def test_a_single_number_has_no_axes(value):
    encoder = Encoder()
    coded = encoder.encode(value)
    assert Decoder(encoder.payload).decode(coded) == value


@pytest.mark.parametrize(("kind", "name"), [("tensor", "float32"), ("array", "<f4")])
def test_an_axis_beside_an_empty_one_has_a_largest_length(kind, name):
    value = Decoder(bytearray()).decode({kind: [name, [0, LARGEST], 0]})
    assert value.shape == (0, LARGEST)
    with pytest.raises(ProtocolError):
        Decoder(bytearray()).decode({kind: [name, [0, LARGEST + 1], 0]})


def test_the_extent_counts_an_empty_axis_as_one_and_what_is_left_out():
    decoder = Decoder(bytearray())
    for kind, content in (("tensor", ["float32", [3, 0], 0]), ("huge", [5, 7]), ("sparse", [2, 0])):
        decoder.decode({kind: content})
    assert decoder.extent == 3 + 5 * 7 + 2
