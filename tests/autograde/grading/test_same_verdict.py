"""The grader gives an answer in a worker the verdict that `check` gives it in the notebook."""

import inspect
import re

import pytest

from autograde.demo.source import as_written
from autograde.grading.session import Session
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate
from tests.autograde.grading.written import alternatives

SEED = 7


@pytest.fixture
def session(zygote):
    with Session(zygote, {}) as session:
        yield session


def verdict_there(session, source, task):
    session.run(f"import torch\nimport torch.nn.functional as F\nimport math\n{source}")
    return session.verdict(task, "answer", SEED)


def facts(verdict):
    reasons = {one.check.name: one.reason and one.reason.zh for one in verdict.outcomes}
    likely = (verdict.cause.kind, verdict.cause.name) if verdict.cause else None
    return verdict.score, verdict.unsolved, likely, reasons


def functions(task):
    wrong = [(misconception.name, misconception.answer) for misconception in task.misconceptions]
    return [*wrong, *((right.__name__, right) for right in alternatives(task.id))]


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_worker_and_notebook_agree(session, exercise_id):
    task = exercise(exercise_id)
    for name, function in functions(task):
        if name == "<lambda>" or inspect.isclass(function):
            continue  # has no source of its own
        own = function.__name__
        source = f"{as_written(function, own)}\n\nanswer = {own}"
        there = verdict_there(session, source, task)
        if any("posenc_ref" in one.reason.en for one in there.outcomes if one.reason):
            assert re.search("from (posenc_ref|autograde)", source), name
            assert not there.full, name
        else:
            assert "posenc_ref" not in source, name
            here = evaluate(task, function, SEED)
            assert _without_line(facts(there)) == _without_line(facts(here)), name
    assert not session.over
    assert session.restarts == 0


def _without_line(facts_of_one):
    # the line of the answer that raised stands behind a dash; it names what the source calls it
    score, unsolved, likely, reasons = facts_of_one
    cut = {name: reason and reason.split(" — ")[0] for name, reason in reasons.items()}
    return score, unsolved, likely, cut


def test_the_stub_is_unsolved(session):
    task = exercise("sinusoidal_table")
    verdict = verdict_there(session, "def answer(*args):\n    raise NotImplementedError", task)
    assert verdict.unsolved
    assert verdict.score == 0.0
