"""Answers that are given a function of the grader, and what they may ask of it."""

import dataclasses
import warnings

import pytest

from autograde.grading import session
from autograde.kit.catalogue import exercise
from autograde.kit.expect import excerpt
from tests.security.pieces import CHANNEL

SEED = 7


ASKED = dataclasses.replace(exercise("equivariance_gap"), seconds=1.0)


def verdict(zygote, source, task):
    with session.Session(zygote, {}) as worker:
        worker.run(f"{CHANNEL}\n{source}")
        return worker.verdict(task, task.id, SEED)


def test_a_question_is_answered(zygote):
    source = """
def equivariance_gap(f, x, order):
    return (f(x[order]) - f(x)[order]).abs().max().item()
"""
    assert verdict(zygote, source, exercise(ASKED.id)).full


@pytest.mark.parametrize(
    "question",
    [
        "f(x.repeat(1000, 1)[: 100_000 // x.shape[1]])",  # attention squares its rows
        "[f(x) for _ in range(10**9)]",
        "channel().sendall(frame({'ask': -1, 'args': {'tuple': []}, 'kwargs': {'dict': []}}))",
        "channel().sendall(frame({'ask': 0, 'args': None, 'kwargs': None}))",
        "channel().sendall(frame({'ask': True}))",
    ],
    ids=["too_large", "endless", "negative", "no_arguments", "no_number"],
)
def test_a_hostile_question_costs_the_grader_little(zygote, question):
    source = f"""
def equivariance_gap(f, x, order):
    {question}
    return 7.0
"""
    result = verdict(zygote, source, ASKED)
    assert not result.full
    assert result.score < ASKED.points / 2


EMPTY = [
    "torch.empty(1, 1, 10**6, 0)",
    "torch.empty(0, 1, 10**6, 16)",
    "torch.empty(1, 1, 10**6, 16, device='meta')",
    "torch.empty(1, 1, 10**6, 16, layout=torch.sparse_coo)",
    "numpy.empty((0, 1, 10**6, 16))",
]


@pytest.mark.parametrize("question", EMPTY)
def test_a_question_without_numbers_counts_as_what_a_function_makes_of_its_axes(zygote, question):
    """RoPE has an angle for each position and pair, also where no sentence stands there."""
    lengths = []

    def turn(q, k, start=0):
        lengths.append(q.shape[2])
        return q, k

    task = dataclasses.replace(exercise("clinic_rotation_test"), checks=[], misconceptions=[])
    task.check(en="asked", zh="问过")(lambda answer, rng: answer(turn))
    with session.Session(zygote, {}) as worker:
        worker.run(
            f"import numpy, torch\ndef clinic_rotation_test(turn):\n    x = {question}\n"
            "    turn(x, x)\n    return True"
        )
        assert not worker.verdict(task, task.id, SEED).full
    assert lengths == []


def test_what_a_function_warns_of_is_not_an_error_and_on_no_terminal(zygote):
    """Warnings are errors in these tests; what a student asks for may warn as often as it likes."""

    def loud():
        warnings.warn("of what a student asks for", stacklevel=1)
        return 2.0

    results = []
    task = dataclasses.replace(exercise("clinic_rotation_test"), checks=[], misconceptions=[])
    task.check(en="asked", zh="问过")(lambda answer, rng: results.append(answer(loud)))
    with session.Session(zygote, {}) as worker:
        worker.run("def clinic_rotation_test(turn):\n    return turn()")
        worker.verdict(task, task.id, SEED)
    assert results == [2.0]


def test_what_comes_back_as_an_empty_object_tells_no_address(zygote):
    task = dataclasses.replace(exercise("clinic_rotation_test"), checks=[], misconceptions=[])
    excerpts = []
    task.check(en="asked", zh="问过")(lambda answer, rng: excerpts.append(excerpt(answer(abs))))
    with session.Session(zygote, {}) as worker:
        worker.run("def clinic_rotation_test(turn):\n    return [turn, object()]")
        worker.verdict(task, task.id, SEED)
    assert excerpts == ["[<function>, <object>]"]


RESULTS = ["torch.empty(0, 10**12)", "numpy.empty((0, 10**12))"]


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_without_numbers_has_no_axis_that_is_longer_than_all_numbers(zygote, result):
    axes = []
    task = dataclasses.replace(exercise("equivariance_gap"), checks=[], misconceptions=[])
    task.check(en="asked", zh="问过")(lambda answer, rng: axes.append(answer().shape))
    with session.Session(zygote, {}) as worker:
        worker.run(f"import numpy, torch\ndef equivariance_gap():\n    return {result}")
        worker.verdict(task, task.id, SEED)
    assert axes == []
