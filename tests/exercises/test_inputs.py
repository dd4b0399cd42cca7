"""Checks draw their inputs from the seed, so that answers known for one do not do for another."""

import re
from pathlib import Path

import torch

from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.compare import same
from autograde.kit.exercise import Check, Exercise

TEACHING = Path(__file__).parents[2] / "docs" / "teaching.md"
FIXED = re.compile(r"(?s)same inputs whatever the\s+seed: (.+?)\.\s")


def inputs(task: Exercise, check: Check, seed: int) -> list[tuple[tuple, dict]]:
    """Return what a check asks the true answer."""
    answer = Answer(task.true_answer, task.seconds)
    check.run(answer, torch.Generator().manual_seed(seed))
    return [(call.args, call.kwargs) for call in answer.calls]


def is_fixed(task: Exercise) -> bool:
    """Return whether all its checks ask the same whatever the seed."""
    return all(same(inputs(task, one, 1), inputs(task, one, 2)) for one in task.checks)


def test_the_teachers_page_lists_the_exercises_whose_inputs_are_fixed():
    fixed = {name for name in exercise_ids() if is_fixed(exercise(name))}
    listed = FIXED.search(TEACHING.read_text(encoding="utf-8"))[1]
    assert set(re.findall(r"`(\w+)`", listed)) == fixed
