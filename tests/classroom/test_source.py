"""Every misconception can be written into a cell as a learner would: alone, under another name."""

import pytest

from autograde.demo.source import as_written
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_a_misconception_written_alone_is_diagnosed_as_itself(exercise_id):
    task = exercise(exercise_id)
    for misconception in task.misconceptions:
        source = as_written(misconception.answer, "answer")
        assert "@exercise" not in source
        cell = {}
        exec(source, cell)
        verdict = evaluate(task, cell["answer"])
        assert verdict.cause is not None, source
        assert verdict.cause.name == misconception.name
