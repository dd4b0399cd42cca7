"""An answer that leans on the reference is told that a class is graded without it."""

import math

import torch

import posenc_ref
from autograde.kit.catalogue import exercise
from autograde.kit.reference_use import reference_names
from autograde.kit.scoring import evaluate
from autograde.notebook.report import report
from posenc_ref import sinusoidal


def helper(positions):
    return sinusoidal(positions, 8)


def direct(positions):
    return posenc_ref.sinusoidal(positions, 8)


def through_a_helper(positions):
    return [helper(position) for position in positions]


def in_a_nested_function(positions):
    def inner():
        return sinusoidal(positions, 8)

    return inner()


def imported_within(positions):
    from posenc_ref.sinusoidal import sinusoidal as table

    return table(positions, 8)


def a_list_has_a_method_of_that_name(positions):
    rows = []
    rows.append(positions)
    return rows


def own(positions):
    return torch.sin(positions * math.pi)


def recursive(n):
    return recursive(n - 1) if n else 0


def test_the_names_are_found_wherever_they_are_called():
    assert "posenc_ref" in reference_names(direct)
    assert reference_names(through_a_helper) == ("sinusoidal",)
    assert reference_names(in_a_nested_function) == ("sinusoidal",)
    assert reference_names(imported_within) == ("posenc_ref.sinusoidal",)


def test_an_answer_without_the_reference_uses_no_name_of_it(monkeypatch):
    monkeypatch.setitem(globals(), "append", posenc_ref.append)
    assert reference_names(a_list_has_a_method_of_that_name) == ()
    assert (
        reference_names(own)
        == reference_names(recursive)
        == reference_names(3)
        == reference_names(torch.sin)
        == ()
    )


def test_the_report_says_so_and_the_points_stay():
    plain = evaluate(exercise("double"), lambda x: 2 * x)
    leaning = evaluate(exercise("double"), lambda x: 2 * x + 0 * len(sinusoidal.__name__))
    assert leaning.score == plain.score
    assert "sinusoidal" in report(leaning)
    assert "uses the reference" in report(leaning)
    assert "uses the reference" not in report(plain)
