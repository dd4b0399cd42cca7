"""The grader draws new inputs for every submission: verdicts must not depend on them."""

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate
from tests.autograde.grading.written import alternatives

SEEDS = range(1000, 1004)


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_right_answers_are_right_and_mistakes_are_named_under_any_seed(exercise_id):
    task = exercise(exercise_id)
    for seed in SEEDS:
        for right in alternatives(exercise_id):
            assert evaluate(task, right, seed).full, (right.__name__, seed)
        for misconception in task.misconceptions:
            verdict = evaluate(task, misconception.answer, seed)
            assert not verdict.full, (misconception.name, seed)
            assert verdict.cause.name == misconception.name, (misconception.name, seed)
