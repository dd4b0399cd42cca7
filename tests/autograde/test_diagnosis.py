"""What a graded cell's outputs say was wrong, whoever wrote them."""

import pytest
from nbformat.v4 import new_code_cell

from autograde.grading.diagnosis import Diagnosis, diagnose_cells
from tests.autograde.small_class import error, graded, shown, verdict

RIGHT = {
    "exercise": "double",
    "unsolved": False,
    "failed": ["values"],
    "misconception": None,
    "reason": None,
}


def found(payload):
    return diagnose_cells(graded("double", [shown(payload)]), None)


def test_a_verdict_gives_the_misconception_and_the_failed_checks():
    made = graded("double", [verdict(lambda x: x**2)])
    said = diagnose_cells(made, None)
    assert (said.kind, said.name, said.failed) == ("misconception", "squares", ("values",))
    assert said.sentence.en == "You squared it."


@pytest.mark.parametrize(
    "change",
    [
        {"unsolved": "no"},
        {"failed": None},
        {"failed": [1]},
        {"failed": "values"},
        {"misconception": 7},
        {"misconception": ["squares"]},
        {"reason": "because"},
        {"reason": {"en": "x"}},
        {"reason": {"en": "x", "zh": " "}},
        {"reason": {"en": "x", "zh": "y", "de": "z"}},
        {"reason": {"en": 1, "zh": 2}},
    ],
)
def test_a_payload_of_another_form_is_no_verdict(change):
    assert found(RIGHT).failed == ("values",)
    assert found(RIGHT | change) is None


@pytest.mark.parametrize("payload", [None, "text", [], {}, 3])
def test_something_else_in_its_place_is_no_verdict(payload):
    assert found(payload) is None


def test_an_error_of_the_answer_goes_before_that_of_the_check():
    answer = new_code_cell("def", outputs=[error("SyntaxError", "expected ':'")])
    check = graded("double", [error("NameError", "double")])
    assert diagnose_cells(check, answer).name == "SyntaxError"
    assert diagnose_cells(check, None).sentence.en == "NameError: double"


def test_an_answer_cell_that_stopped_is_told_as_its_error_and_not_as_failed_checks():
    answer = new_code_cell("def double(x): ...", outputs=[error("NameError", "y")])
    said = diagnose_cells(graded("double", [shown(RIGHT)]), answer)
    assert (said.kind, said.name, said.failed) == ("error", "NameError", ("values",))


def test_a_missing_check_and_one_graded_by_hand():
    assert diagnose_cells(None, None).kind == "missing"
    assert diagnose_cells(graded("a_why"), None) is None


def test_blind_keeps_no_word_that_a_submission_chose():
    said = Diagnosis("error", "ZeroDivisionError").blind()
    assert said.name == "ZeroDivisionError"
    assert Diagnosis("error", "AdaLovelaceError").blind().name == "Exception"
    assert found(RIGHT | {"reason": {"en": "Ada", "zh": "Ada"}}).blind().sentence is None
