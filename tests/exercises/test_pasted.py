"""A solution that is pasted under another exercise of as many parameters does not solve it."""

import inspect
from itertools import permutations

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from tests.exercises.test_kit import answer, passes, solution


def solves(function, name):
    """Return whether every check of an exercise passes, those that weigh most asked first."""
    task = exercise(name)
    return passes(task, function, sorted(task.checks, key=lambda check: -check.weight))


@pytest.mark.slow
@pytest.mark.usefixtures("no_collection")
def test_a_solution_solves_its_own_exercise_alone():
    functions = {name: answer(name, solution(name)) for name in exercise_ids()}
    counts = {name: len(inspect.signature(each).parameters) for name, each in functions.items()}
    pairs = [
        (pasted, name)
        for pasted, name in permutations(functions, 2)
        if counts[pasted] == counts[name] > 0
    ]
    assert len(pairs) > 1000
    assert [pair for pair in pairs if solves(functions[pair[0]], pair[1])] == []
