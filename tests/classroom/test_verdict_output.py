"""The report and the verdict travel in one output; outside of a notebook the words are printed."""

import json

import pytest

from autograde.kit import verdict_output
from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate


@pytest.fixture
def asked():
    return exercise("sinusoidal_frequencies")


def test_the_payload_is_plain_json_and_names_the_misconception(asked):
    wrong = asked.misconceptions[0]
    payload = verdict_output.payload(evaluate(asked, wrong.answer))
    assert json.loads(json.dumps(payload)) == payload
    assert payload["misconception"] == wrong.name
    assert payload["reason"] == {"en": wrong.sentence.en, "zh": wrong.sentence.zh}
    assert payload["unsolved"] is False


def test_an_unknown_mistake_gives_the_first_failed_check_and_its_reason(asked):
    payload = verdict_output.payload(evaluate(asked, lambda dim, base=1.0: None))
    assert payload["misconception"] is None
    assert payload["failed"] == [check.name for check in asked.checks]
    assert "None" in payload["reason"]["en"]
    assert "None" in payload["reason"]["zh"]


def test_a_stub_is_unsolved(asked):
    def stub(dim, base=10000.0):
        raise NotImplementedError

    payload = verdict_output.payload(evaluate(asked, stub))
    assert payload["unsolved"] is True
    assert payload["failed"] == []
    assert payload["reason"] is None


def test_without_ipython_the_words_are_printed(asked, capsys):
    verdict_output.show(evaluate(asked, asked.misconceptions[0].answer), "the words\nof a report")
    assert capsys.readouterr() == ("the words\nof a report\n", "")
