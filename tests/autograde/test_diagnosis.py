"""What a graded cell's outputs say was wrong, whoever wrote them."""

import pytest
from nbformat.v4 import new_code_cell

from autograde.grading.diagnosis import QUOTED, Diagnosis, diagnose_cells, no_function
from tests.autograde.small_class import check_output, error, graded, verdict

RIGHT = {
    "exercise": "double",
    "unsolved": False,
    "failed": ["values"],
    "cause": None,
    "reason": None,
}


def diagnosis_of(payload):
    return diagnose_cells(graded("double", [check_output(payload)]), None)


def test_a_verdict_gives_the_misconception_and_the_failed_checks():
    cell = graded("double", [verdict(lambda x: x**2)])
    diagnosis = diagnose_cells(cell, None)
    assert (diagnosis.kind, diagnosis.name) == ("misconception", "squares")
    assert diagnosis.failed == ("values",)
    assert diagnosis.sentence.en == "You squared it."


@pytest.mark.parametrize(
    "change",
    [
        {"unsolved": "no"},
        {"failed": None},
        {"failed": [1]},
        {"failed": "values"},
        {"cause": 7},
        {"cause": {"kind": "misconception"}},
        {"cause": {"kind": "misconception", "name": "squares"}},  # without its sentence
        {"cause": {"kind": "opinion", "name": "squares"}, "reason": {"en": "x", "zh": "y"}},
        {"reason": "because"},
        {"reason": {"en": "x"}},
        {"reason": {"en": "x", "zh": " "}},
        {"reason": {"en": "x", "zh": "y", "de": "z"}},
        {"reason": {"en": 1, "zh": 2}},
    ],
)
def test_a_payload_of_another_form_is_not_a_verdict(change):
    assert diagnosis_of(RIGHT).failed == ("values",)
    assert diagnosis_of(RIGHT | change) is None


@pytest.mark.parametrize(("kind", "expected"), [("relation", "relation"), ("error", "raised")])
def test_another_cause_is_of_a_kind_of_its_own(kind, expected):
    cause = {"cause": {"kind": kind, "name": "factor"}, "reason": {"en": "x", "zh": "y"}}
    diagnosis = diagnosis_of(RIGHT | cause)
    assert (diagnosis.kind, diagnosis.name, diagnosis.failed) == (expected, "factor", ("values",))
    assert diagnosis.blind().sentence is None


@pytest.mark.parametrize("payload", [None, "text", [], {}, 3])
def test_an_empty_or_foreign_payload_is_not_a_verdict(payload):
    assert diagnosis_of(payload) is None


def test_an_error_in_a_call_that_nothing_explains_has_its_name():
    def answer(x):
        raise OverflowError("mine")

    diagnosis = diagnose_cells(graded("double", [verdict(answer)]), None)
    assert (diagnosis.kind, diagnosis.name) == ("raised", "OverflowError")
    assert "mine" in diagnosis.sentence.en


@pytest.mark.parametrize(
    ("error", "kind"),
    [("TooSlow", "slow"), ("KeyError", "raised"), ("<b>", "checks"), (7, "checks")],
)
def test_the_end_of_the_time_is_told_from_an_error(error, kind):
    diagnosis = diagnosis_of({**RIGHT, "error": error})
    assert diagnosis.kind == kind
    assert diagnosis.failed == ("values",)


def test_an_error_of_the_answer_goes_before_that_of_the_check():
    answer = new_code_cell("def", outputs=[error("SyntaxError", "expected ':'")])
    check = graded("double", [error("NameError", "double")])
    assert diagnose_cells(check, answer).name == "SyntaxError"
    assert diagnose_cells(check, None).sentence.en == "NameError: double"


def test_an_answer_cell_that_stopped_is_told_as_its_error_and_not_as_failed_checks():
    answer = new_code_cell("def double(x): ...", outputs=[error("NameError", "y")])
    diagnosis = diagnose_cells(graded("double", [check_output(RIGHT)]), answer)
    assert (diagnosis.kind, diagnosis.name, diagnosis.failed) == ("error", "NameError", ("values",))


def test_the_end_of_a_cells_time_is_told_in_either_language():
    late = new_code_cell("", outputs=[error("TooSlow", "no end after 5 s · 5秒后仍未结束")])
    diagnosis = diagnose_cells(graded("double", [check_output(RIGHT)]), late)
    assert (diagnosis.kind, diagnosis.sentence.en) == ("slow", "no end after 5 s")
    assert diagnosis.sentence.zh == "5秒后仍未结束"


def test_a_syntax_error_names_no_file_of_the_kernels():
    broken = error("SyntaxError", "expected ':' (<ipython-input-6-89ed8b1450db>, line 1)")
    diagnosis = diagnose_cells(graded("double", []), new_code_cell("def", outputs=[broken]))
    assert diagnosis.sentence.zh == "SyntaxError: expected ':' (line 1)"


def test_the_line_of_the_cell_goes_with_its_error():
    at = ["Cell In[3], line 5", "----> 5 f()", "Cell In[2], line 1, in f()", "KeyError: 'k'"]
    output = error("KeyError", "'k'") | {"traceback": at}
    sentence = diagnose_cells(graded("double"), new_code_cell("f()", outputs=[output])).sentence
    assert sentence.en == "KeyError: 'k' (line 5)"


def missing(source, *outputs):
    cell = new_code_cell(source, outputs=list(outputs))
    return no_function("bert_input", lambda tokens, table, *, eps=0.0: 0, cell)


@pytest.mark.parametrize(
    ("source", "other"),
    [
        ("def helper(x): ...\ndef bertInput(x): ...", "bertInput"),
        ("def bert_imput(x): ...\n1 / 0", "bert_imput"),
        ("def helper(x): ...\ndef embed(tokens, table, *, eps=1.0): ...", "embed"),
    ],
)
def test_a_renamed_function_is_named_whatever_else_went_wrong(source, other):
    sentence = missing(source, error("NameError", "y"))
    assert sentence.en == f"there is no function `bert_input`, only `{other}`: did you rename it?"
    assert f"`{other}`" in sentence.zh


@pytest.mark.parametrize(
    ("output", "en", "zh"),
    [
        (error("SyntaxError", "expected ':' (<ipython-input-6-8>, line 1)"), "SyntaxError", ""),
        (error("TooSlow", "no end after 5 s · 5秒后仍未结束"), "no end after 5 s", "5秒后仍未结束"),
        (error("SystemExit", "0"), "SystemExit: 0", ""),
    ],
)
def test_a_missing_function_is_told_by_what_stopped_its_cell(output, en, zh):
    for source in ("def bert_input(tokens): ...", "def bert_input("):
        sentence = missing(source, output)
        assert f"its cell was stopped: {en}" in sentence.en
        assert f"中途停下了：{zh or en}" in sentence.zh


def test_what_a_submission_wrote_is_cut_and_of_nothing_known_nothing_is_said():
    assert len(missing("", error("E", "long " * 999)).en) < 100 + QUOTED
    assert len(missing(f"def {'x' * 999}(tokens, table, eps): ...").en) < 100 + QUOTED
    for source in ("", "def helper(x): ...", "%magic\ndef bertInput(x): ...", "(" * 9999):
        assert "does its cell stop" in missing(source).en
    assert "does its cell stop" in no_function("f", None, None).en
    assert "does its cell stop" in no_function("f", None, new_code_cell("def g(): ...")).en


def test_a_missing_check_and_one_graded_by_hand():
    assert diagnose_cells(None, None).kind == "missing"
    assert diagnose_cells(graded("a_why"), None) is None


def test_blind_keeps_no_word_that_a_submission_chose():
    diagnosis = Diagnosis("error", "ZeroDivisionError").blind()
    assert diagnosis.name == "ZeroDivisionError"
    for kind in ("error", "raised"):
        assert Diagnosis(kind, "AdaLovelaceError").blind().name == "Exception"
    assert diagnosis_of(RIGHT | {"reason": {"en": "Ada", "zh": "Ada"}}).blind().sentence is None
