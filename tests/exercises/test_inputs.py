"""Checks draw their inputs from the seed, so that answers known for one do not do for another."""

import re
from pathlib import Path

import torch

from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.compare import same

TEACHING = Path(__file__).parents[2] / "docs" / "teaching.md"
FIXED = re.compile(r"(?s)same inputs whatever the\s+seed: (.+?)\.\s")


def inputs(name: str, seed: int) -> list[tuple[tuple, dict]]:
    """Return what the checks of an exercise ask the true answer."""
    task, calls = exercise(name), []
    for check in task.checks:
        answer = Answer(task.true_answer, task.seconds)
        check.run(answer, torch.Generator().manual_seed(seed))
        calls += [(call.args, call.kwargs) for call in answer.calls]
    return calls


def test_the_teachers_page_lists_the_exercises_whose_inputs_are_fixed():
    fixed = {name for name in exercise_ids() if same(inputs(name, 1), inputs(name, 2))}
    listed = FIXED.search(TEACHING.read_text(encoding="utf-8"))[1]
    assert set(re.findall(r"`(\w+)`", listed)) == fixed
