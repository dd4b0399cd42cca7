"""Each fault is planted, and is the one of its case: it shows where chapter 12 says."""

from collections import defaultdict
from itertools import combinations

import pytest
import torch

from posenc_glass import text_part, windows
from posenc_glass.faults import CASES, COUNTS, STRETCHED, in_order, planted, read
from posenc_ref import positions
from tests.one_test import one_test

TEXT = windows(text_part("test"), 300)[:2]
PIECES = [100, 40, 30, *[1] * 10, 120]


def gap(number, tokens, sizes):
    """Return the largest difference that the fault makes at each position, (L,)."""
    patient = planted(number)
    with torch.no_grad():
        healthy = read(patient.healthy, tokens, sizes)
        broken = read(patient.broken, tokens, sizes, patient.positions)
    return (broken - healthy).abs().amax((0, 2))


@one_test([(number,) for number in CASES], str)
def test_a_fault_changes_what_is_read_in_pieces(number):
    assert gap(number, TEXT, PIECES).max() > 0.01


@one_test([(11, 16), (16, 256), (18, 100), (19, 100)], lambda number, _: str(number))
def test_some_faults_are_right_at_the_beginning(number, right_up_to):
    """Buckets up to 15, whole numbers below 256 in bfloat16, the first piece."""
    differences = gap(number, TEXT, PIECES)
    assert differences[:right_up_to].max() < 1e-4
    assert differences[right_up_to:].max() > 0.01


@one_test([(18,), (19,), (21,)], str)
def test_faults_of_writing_do_not_show_in_one_pass(number):
    assert gap(number, TEXT[:, :64], [64]).max() < 1e-4


def test_the_mirror_reads_backwards():
    """Case 6 is RoPE with the sign of every position changed."""
    patient, tokens = planted(6), TEXT[:, :20]
    with torch.no_grad():
        torch.testing.assert_close(
            patient.broken(tokens, positions(20)), turned_by_minus(patient.healthy, tokens)
        )


def turned_by_minus(model, tokens):
    model.encoding.frequencies = -model.encoding.frequencies
    return model(tokens, positions(20))


def test_cases_of_one_name_have_the_same_healthy_model():
    by_name = defaultdict(list)
    for patient in map(planted, CASES):
        with torch.no_grad():
            by_name[patient.name].append(patient.healthy(TEXT[:, :20]))
    for first, *others in by_name.values():
        assert all(torch.equal(first, other) for other in others)
    firsts = [logits[0] for logits in by_name.values()]
    assert not any(torch.equal(*pair) for pair in combinations(firsts, 2))


def test_a_stretched_patient_is_stretched_when_healthy():
    for number in STRETCHED:
        healthy = planted(number).healthy.encoding.frequencies
        assert not torch.equal(healthy, planted(16).healthy.encoding.frequencies)


def test_positions_are_counted_wrongly_where_the_case_says():
    assert COUNTS[18]([3, 1, 1]).tolist() == [0, 1, 2, 4, 5]
    assert COUNTS[19]([4, 4, 2]).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 4, 5]
    assert in_order([4, 4, 2]).tolist() == list(range(10))


def test_a_text_in_pieces_is_the_text_in_one_pass():
    model = planted(18).healthy
    with torch.no_grad():
        torch.testing.assert_close(
            read(model, TEXT, PIECES), model(TEXT), rtol=1e-4, atol=1e-4
        )  # fmt: skip


@one_test([(number,) for number in (0, 12, 13, 20, 22)], str)
def test_a_case_without_a_bed_is_refused(number):
    with pytest.raises(ValueError, match=f"case must be one of .*, got {number}"):
        planted(number)
