"""The judge draws new inputs for every submission: verdicts must not depend on them."""

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate
from tests.autograde.grading.written import alternatives

SEEDS = range(1000, 1004)


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_right_answers_are_right_and_mistakes_are_named_under_any_seed(exercise_id):
    asked = exercise(exercise_id)
    for seed in SEEDS:
        for right in alternatives(exercise_id):
            assert evaluate(asked, right, seed).full, (right.__name__, seed)
        for known in asked.misconceptions:
            verdict = evaluate(asked, known.answer, seed)
            assert not verdict.full, (known.name, seed)
            assert verdict.cause.name == known.name, (known.name, seed)
