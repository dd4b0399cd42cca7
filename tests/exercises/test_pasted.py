"""A solution that is pasted under another exercise of as many parameters does not solve it."""

import inspect
from collections import defaultdict
from itertools import permutations

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from tests.exercises.test_kit import answer, passes, solution


def of_as_many_parameters():
    alike = defaultdict(list)
    for name in exercise_ids():
        alike[len(inspect.signature(answer(name, solution(name))).parameters)].append(name)
    for count, names in alike.items():
        yield from permutations(names, 2) if count else ()


def solves(pasted, name):
    """Return whether every check of an exercise passes, those that weigh most asked first."""
    task = exercise(name)
    checks = sorted(task.checks, key=lambda check: -check.weight)
    return passes(task, answer(pasted, solution(pasted)), checks)


@pytest.mark.slow
# a deadline may ring in a callback of the garbage collector, which passes nothing on
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_solution_solves_its_own_exercise_alone():
    assert [pair for pair in of_as_many_parameters() if solves(*pair)] == []
