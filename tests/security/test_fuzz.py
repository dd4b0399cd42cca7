"""Whatever arrives, it is a value, outputs or cells, or it is refused by the one right error."""

import base64
import json
import socket
import struct

import nbformat
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograde.grading.output_budget import OutputBudget
from autograde.grading.rebuild import RESTORED, rebuild
from autograde.handed_in.cells import cells_of
from autograde.handed_in.files import NotGradable
from autograde.handed_in.limits import CELLS
from autograde.kit.compare import same
from confined.frames import HEADER_BYTES, LENGTHS, PAYLOAD_BYTES, ProtocolError, receive, send
from confined.outputs import COUNT, fit_outputs
from confined.values import DTYPES, KINDS, NUMPY, Decoder, Encoder
from tests.security.generated import CASES, JSON, LEAVES, WORDS
from tests.security.handed_in import record
from tests.security.pieces import EXERCISE

RECORD = record()
SIZES = st.integers(-2, 5) | st.sampled_from([2**31, 2**62, 2**63, 2**64]) | LEAVES
NAMES = st.sampled_from([*DTYPES, *NUMPY]) | WORDS
NUMBERS = st.tuples(NAMES, st.lists(SIZES, max_size=4) | JSON, SIZES).map(list)
CODED = st.recursive(
    JSON,
    lambda inner: st.dictionaries(
        st.sampled_from(sorted(KINDS)),
        NUMBERS | inner | st.lists(inner, max_size=3) | st.lists(SIZES, max_size=4),
        max_size=1,
    ),
    max_leaves=10,
)


def arrived(content):
    """Return what `receive` makes of these bytes when nothing follows them."""
    here, there = socket.socketpair()
    with here, there:
        there.sendall(content)
        there.close()
        return receive(here, 5.0, 1 << 16)


@CASES
@given(st.binary(max_size=200))
def test_bytes_are_refused(content):
    with pytest.raises(ProtocolError):  # eight random bytes announce more than follows
        arrived(content if content[:4] != bytes(4) else b"")


@CASES
@given(JSON, st.binary(max_size=50))
def test_a_frame_is_an_object(header, payload):
    head = json.dumps(header).encode()
    content = LENGTHS.pack(len(head), len(payload)) + head + payload
    if isinstance(header, dict):
        try:
            assert arrived(content)[1] == payload
        except ProtocolError:  # only for half a character
            with pytest.raises(UnicodeEncodeError):
                json.dumps(header, ensure_ascii=False).encode()
    else:
        with pytest.raises(ProtocolError):
            arrived(content)


@pytest.mark.parametrize("lengths", [(HEADER_BYTES + 1, 0), (2, PAYLOAD_BYTES + 1), (2, 1 << 17)])
def test_lengths_are_capped_before_anything_is_read(lengths):
    with pytest.raises(ProtocolError, match="too long"):
        arrived(LENGTHS.pack(*lengths) + b"{}")


def test_half_a_frame_is_late():
    here, there = socket.socketpair()
    with here, there:
        there.sendall(LENGTHS.pack(2, 0) + b"{")
        with pytest.raises(TimeoutError):
            receive(here, 0.05)


def test_a_peer_that_never_reads_times_out():
    here, there = socket.socketpair()
    with here, there, pytest.raises(ProtocolError):
        send(here, {}, bytes(10_000_000), 0.05)


@CASES
@given(CODED, st.binary(max_size=100))
def test_a_value_or_a_protocol_error(coded, payload):
    decoder = Decoder(bytearray(payload))
    try:
        value = decoder.decode(coded)
    except ProtocolError:
        return
    assert decoder.read <= len(payload)
    if isinstance(value, torch.Tensor) and value.dtype is torch.bool and not value.is_meta:
        assert set(value.view(torch.uint8).flatten().tolist()) <= {0, 1}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(WORDS, inner, max_size=3)
    ),
    max_leaves=8,
)


@CASES
@given(VALUES)
def test_plain_values_come_back(value):
    encoder = Encoder()
    coded = json.loads(json.dumps(encoder.encode(value)))
    assert Decoder(encoder.payload).decode(coded) == value


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3)])
def test_tensors_come_back(name, shape):
    tensor = torch.arange(max(1, int(np.prod(shape)))).to(DTYPES[name])[: int(np.prod(shape))]
    tensor = tensor.reshape(shape)
    encoder = Encoder()
    coded = encoder.encode([tensor, tensor])
    first, second = Decoder(encoder.payload).decode(coded)
    assert first.dtype == second.dtype == tensor.dtype
    assert same(first, tensor)
    assert same(second, tensor)


OUTPUTS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"output_type": st.sampled_from(["stream", "error", "display_data", "execute_result"])},
        optional={
            "name": st.sampled_from(["stdout", "stderr"]) | JSON,
            "text": WORDS | JSON,
            "ename": WORDS | JSON,
            "evalue": WORDS | JSON,
            "traceback": st.lists(WORDS) | JSON,
            "data": st.dictionaries(
                st.sampled_from(["text/plain", "text/html", "image/png", "image/svg+xml"]),
                st.just("iVBORw0KGgo=") | WORDS | JSON,
            ),
        },
    ),
    max_size=6,
)


@CASES
@given(OUTPUTS | JSON, st.integers(0, 60))
def test_outputs_fit(submitted, room):
    outputs = fit_outputs(submitted, room)
    assert len(outputs) <= COUNT
    for output in outputs:
        cell = new_code_cell(outputs=[new_output(**output)])
        nbformat.validate(new_notebook(cells=[cell]))
        assert set(output.get("data", {})) <= {"text/plain", "image/png", "image/jpeg"}
        assert output["output_type"] != "execute_result"
    text = "".join(output.get("text", "") for output in outputs)
    assert len(text) <= room
    json.dumps(outputs, ensure_ascii=False).encode()


@CASES
@given(st.lists(st.lists(st.text(max_size=30), max_size=6), max_size=6))
def test_all_outputs_of_a_notebook_share_one_limit(cells):
    budget, outputs_of_all = OutputBudget(outputs=5, characters=300), []
    for words in cells:
        outputs = [{"output_type": "stream", "name": "stdout", "text": text} for text in words]
        outputs_of_all += budget.fit(outputs)
    assert len(outputs_of_all) <= 5
    assert sum(len(output.text) for output in outputs_of_all) <= 300
    assert len(outputs_of_all) == min(5, sum(map(len, cells))) or budget.characters < 300


def test_all_pictures_of_a_notebook_share_one_limit_of_pixels():
    header = struct.pack(">8sI4sII", b"\x89PNG\r\n\x1a\n", 13, b"IHDR", 30, 30)
    picture = base64.b64encode(header).decode()
    output = {"output_type": "display_data", "data": {"image/png": picture}, "metadata": {}}
    word = {"output_type": "stream", "name": "stdout", "text": "word"}
    budget = OutputBudget(pixels=2000)
    assert [len(budget.fit([output, word, output])) for _ in range(2)] == [3, 1]


IDENTITY = st.sampled_from([EXERCISE, f"{EXERCISE}-answer"]) | WORDS
KNOWN = st.fixed_dictionaries({"grade_id": IDENTITY}) | JSON
CELL = JSON | st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw"]), "source": WORDS},
    optional={
        "metadata": st.fixed_dictionaries(
            {"nbgrader": st.fixed_dictionaries({"grade_id": IDENTITY})}
        )
        | JSON,
        "attachments": JSON,
        "id": JSON,
        "outputs": JSON,
    },
)


@CASES
@given(st.fixed_dictionaries({"cells": st.lists(CELL, max_size=6) | JSON}) | JSON)
def test_rebuilding_gives_the_recorded_cells_or_refuses(submitted):
    try:
        cells = rebuild(cells_of(submitted), RECORD)
    except NotGradable:
        return
    nbformat.validate(new_notebook(cells=cells))
    by_name = {cell.name: cell for cell in RECORD.cells}
    of_nbgrader = [cell for cell in cells if "nbgrader" in cell.metadata]
    assert sorted(cell.metadata.nbgrader.grade_id for cell in of_nbgrader) == sorted(by_name)
    for cell in of_nbgrader:
        recorded = by_name[cell.metadata.nbgrader.grade_id]
        cell.metadata.pop(RESTORED, None)
        assert cell.metadata == recorded.metadata()
        assert cell.cell_type == recorded.cell_type
        assert not recorded.locked or cell.source == recorded.source


def test_more_cells_than_a_chapter_has():
    with pytest.raises(NotGradable):
        cells_of({"cells": [{"cell_type": "code", "source": ""}] * (CELLS + 1)})
