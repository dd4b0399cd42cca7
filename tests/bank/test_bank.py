"""Right answers of the bank pass, wrong ones do not, and each is told what a reader confirmed."""

from collections import Counter

import pytest

from autograde.kit.catalogue import exercise_ids
from tests.bank.answers import NO_BANK, answers, cause_of, exercises_with_answers

ENOUGH = 0.85  # of the wrong answers have their mistake named


def test_every_file_belongs_to_an_exercise():
    assert set(exercises_with_answers()) <= set(exercise_ids()) - NO_BANK


def test_an_exercise_has_answers_of_both_kinds():
    for name in sorted(set(exercise_ids()) - NO_BANK):
        count = Counter(answer.right for answer in answers(name))
        assert count[True] >= 4, f"tests/bank/{name}.toml: right answers"
        assert count[False] >= 8, f"tests/bank/{name}.toml: wrong answers"


def test_most_mistakes_are_named():
    wrong = [a for name in exercises_with_answers() for a in answers(name) if not a.right]
    assert len(wrong) >= 1000
    single = [answer for answer in wrong if answer.mistakes == 1]
    assert sum(bool(answer.cause) for answer in single) >= ENOUGH * len(single)


def test_two_mistakes_at_once_are_often_named():
    two = [a for name in exercises_with_answers() for a in answers(name) if a.mistakes == 2]
    assert len(two) >= 40
    assert len({answer.exercise for answer in two}) >= 15
    assert sum(bool(answer.cause) for answer in two) >= 0.6 * len(two)


@pytest.mark.parametrize("name", exercises_with_answers())
def test_each_answer_gets_what_it_deserves(name, record_property):
    listed = answers(name)
    verdicts = {answer.why: answer.verdict() for answer in listed}
    assert len(verdicts) == len(listed), "two answers with the same `why`"
    kinds = Counter(cause_of(verdicts[a.why]).partition(":")[0] for a in listed if not a.right)
    record_property("bank", {"exercise": name, "right": sum(a.right for a in listed), **kinds})
    refused = {a.why: verdicts[a.why].outcomes for a in listed if a.right != verdicts[a.why].full}
    assert refused == {}, "right and refused, or wrong and accepted"
    causes = {a.why: cause_of(verdicts[a.why]) for a in listed}
    assert causes == {a.why: a.cause for a in listed}, "python -m tests.bank.record, and read it"
