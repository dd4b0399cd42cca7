"""Results of another seed, given back in the order of the calls, earn nothing."""

import copy
from dataclasses import replace

import pytest
import torch

from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.exercise import Check, Exercise
from autograde.kit.scoring import SEED, run_checks

# docs/teaching.md: a chart of which tests find which faults is the same for every seed
WARDS = ("tables", "rotations", "biases", "stretching", "decoding")
CHARTS = {f"clinic_chart_{ward}" for ward in WARDS}
MOST = 2 / 3  # of the weight: checks of shapes, of signs, of what stays as it is


def is_passed_blindly(task: Exercise, check: Check) -> bool:
    """Return whether the check takes what is right for another seed, whatever it asks."""
    results = []

    def right(*args, **kwargs):
        results.append(copy.deepcopy(task.true_answer(*args, **kwargs)))
        return results[-1]

    check.run(Answer(right, task.seconds), torch.Generator().manual_seed(SEED + 1))
    stored = iter(results)
    blind = Answer(lambda *args, **kwargs: next(stored), task.seconds)
    return run_checks(replace(task, checks=[check]), blind, SEED)[0].reason is None


@pytest.mark.parametrize("name", [name for name in exercise_ids() if name not in CHARTS])
def test_constants_in_the_order_of_the_calls_are_not_enough(name):
    task = exercise(name)
    passed = [check.name for check in task.checks if is_passed_blindly(task, check)]
    weight = sum(check.weight for check in task.checks if check.name in passed)
    most = MOST * sum(check.weight for check in task.checks)
    assert weight <= most, f"{passed}: draw inputs or the order (autograde/kit/shuffled.py)"
