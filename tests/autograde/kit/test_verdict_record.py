"""A verdict as data comes back as it was; what was made up does not."""

import json

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import KEY
from autograde.kit.scoring import evaluate
from autograde.kit.verdict import Cause
from autograde.kit.verdict_record import VerdictRecord, verdict_of_cell
from autograde.notebook import verdict_output
from bilingual import Text


@pytest.fixture
def double():
    return exercise("double")


def record(task, answer, **facts):
    return VerdictRecord.of(evaluate(task, answer), **facts)


def stub(x):
    raise NotImplementedError


def test_a_misconception_is_named_with_its_sentence(double):
    wrong = double.misconceptions[0]
    facts = record(double, wrong.answer)
    assert facts.cause == Cause("misconception", wrong.name, wrong.sentence)
    assert facts.reason == wrong.sentence
    assert not facts.unsolved


def test_an_explained_error_is_kept_with_its_sentence(double):
    facts = record(double, lambda x: x @ torch.ones(7))
    assert (facts.cause.kind, facts.cause.name) == ("error", "RuntimeError")
    assert facts.reason == facts.cause.sentence


def test_an_unknown_mistake_gives_the_first_failed_check_and_its_reason(double):
    facts = record(double, lambda x: None)
    assert facts.cause is None
    assert facts.failed == tuple(check.name for check in double.checks)
    assert "None" in facts.reason.en
    assert "None" in facts.reason.zh


def test_a_stub_is_unsolved(double):
    facts = record(double, stub)
    assert (facts.unsolved, facts.failed, facts.reason) == (True, (), None)


@pytest.mark.parametrize(
    "answer", [stub, lambda x: 2 * x, lambda x: x**2, lambda x: None, lambda x: x[:, 0]]
)
@pytest.mark.parametrize("facts", [{}, {"seed": 0, "tier": 3}])
def test_a_record_comes_back_from_its_json(double, answer, facts):
    stored = record(double, answer, **facts)
    value = json.loads(json.dumps(stored.to_json()))
    assert VerdictRecord.from_json(value) == stored
    display = {"output_type": "display_data", "metadata": {KEY: value}}
    assert verdict_of_cell({"outputs": [{"output_type": "stream"}, display]}) == stored


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FIELDS = (
    *("exercise", "unsolved", "failed", "cause", "reason", "reasons"),
    *("unchanged", "error", "seed", "tier"),
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, VALUES)) | VALUES)
def test_whatever_a_submission_writes_is_a_whole_record_or_none(value):
    facts = VerdictRecord.from_json(value)
    if facts is not None:
        assert all(isinstance(name, str) for name in (*facts.failed, *facts.unchanged))
        assert facts.reason is None or isinstance(facts.reason, Text)
        assert facts.seed is None or type(facts.seed) is int
        facts.to_json()


def test_without_ipython_the_words_are_printed(double, capsys):
    verdict_output.show(evaluate(double, lambda x: x**2), "the words\nof a report")
    assert capsys.readouterr() == ("the words\nof a report\n", "")
