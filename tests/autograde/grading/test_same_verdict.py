"""The grader gives an answer in a worker the verdict that `check` gives it in the notebook."""

import inspect
import re

import pytest
import torch

from autograde.grading.session import Session
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.misconception_source import answer_source, written_alone
from autograde.kit.scoring import evaluate
from tests.autograde.grading.written import alternatives

FIRST_SEED = 1000
NUMBER = re.compile(r"\d+\.\d+(e[-+]\d+)?")


@pytest.fixture
def session(zygote):
    with Session(zygote, {}) as session:
        yield session


def verdict_there(session, source, task, seed):
    session.run(f"import torch\nimport torch.nn.functional as F\nimport math\n{source}")
    return session.verdict(task, "answer", seed)


def facts(verdict):
    reasons = {one.check.name: one.reason and one.reason.zh for one in verdict.outcomes}
    likely = (verdict.cause.kind, verdict.cause.name) if verdict.cause else None
    return verdict.score, verdict.unsolved, likely, reasons


def functions(task):
    """Return a wrong answer with its misconception, if one can be written, and a right one.

    The kit's own tests try all of them in the notebook; what a worker may spoil does not depend on
    the answer: names, tensors and errors on their way.
    """
    wrong = [(one.answer, one.name) for one in written_alone(task) if is_def(one.answer)]
    return [*wrong[:1], (alternatives(task.id)[0], None)]


def is_def(function):
    return inspect.isfunction(function) and function.__name__ != "<lambda>"


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_worker_and_notebook_agree(session, exercise_id):
    """Each with other inputs, as the grader draws them for every submission."""
    task = exercise(exercise_id)
    for seed, (function, mistake) in enumerate(functions(task), FIRST_SEED):
        here = evaluate(task, function, seed)
        assert here.full is (mistake is None), (function, seed)
        assert mistake is None or here.cause.name == mistake, (function, seed)
        own = "answer" if mistake else function.__name__  # one of those that are right calls itself
        source = f"{answer_source(function, own)}\n\nanswer = {own}"
        assert "@exercise" not in source
        there = verdict_there(session, source, task, seed)
        if any("posenc_ref" in one.reason.en for one in there.outcomes if one.reason):
            assert re.search("from (posenc_ref|autograde)", source), source
            assert not there.full, source
        else:
            assert "posenc_ref" not in source
            assert _without_line(facts(there)) == _without_line(facts(here)), source
    assert not session.over
    assert session.restarts == 0


def _without_line(facts_of_one):
    # the line of the answer that raised stands behind a dash; it names what the source calls it;
    # the last digits of a number are those of the processes' numbers of threads
    score, unsolved, likely, reasons = facts_of_one
    cut = {
        name: reason and NUMBER.sub(_rounded, reason.split(" — ")[0])
        for name, reason in reasons.items()
    }
    return score, unsolved, likely, cut


def _rounded(number):
    return f"{float(number[0]):.3g}"


def test_the_stub_is_unsolved(session):
    task = exercise("sinusoidal_table")
    verdict = verdict_there(session, "def answer(*args):\n    raise NotImplementedError", task, 7)
    assert verdict.unsolved
    assert verdict.score == 0.0


@pytest.mark.parametrize("unwritten", [1, 2])
def test_a_branch_left_as_the_stub_costs_its_check_alone(session, unwritten):
    """Whichever call meets it, the first one too."""
    right = alternatives("shaw_rows")[0]
    source = f"""
{answer_source(right, right.__name__)}

calls = []

def answer(*args):
    calls.append(args)
    if len(calls) == {unwritten}:
        raise NotImplementedError
    return {right.__name__}(*args)
"""
    task, names = exercise("shaw_rows"), {"torch": torch, "F": torch.nn.functional}
    exec(source, names)
    here, there = (evaluate(task, names["answer"], 7), verdict_there(session, source, task, 7))
    assert _without_line(facts(there)) == _without_line(facts(here))
    assert not here.unsolved
    assert 0 < here.score < task.points
    (reason,) = (one.reason.en for one in there.outcomes if one.reason)
    assert reason.startswith("it raised NotImplementedError — raise NotImplementedError")


def test_what_is_not_a_function_is_told_what_it_is(session):
    task = exercise("sinusoidal_table")
    there = verdict_there(session, "answer = 3.0", task, 7)
    assert facts(there) == facts(evaluate(task, 3.0, 7))
