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


def test_a_question_that_is_too_large_is_an_error_of_that_call_alone(zygote):
    source = """
def equivariance_gap(f, x, order):
    try:
        f(torch.zeros(4097, 1))
    except TypeError as error:
        if "4096" in str(error):
            return (f(x[order]) - f(x)[order]).abs().max().item()
"""
    assert verdict(zygote, source, exercise(ASKED.id)).full


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


BY_NAME = """
def clinic_rotation_test(turn):
    try:
        turn()
    except Exception as error:
        return "right" in str(error) + repr(error)
"""
BY_REFUSALS = """
CALLS = [
    ((1, 2), {}), ((torch.zeros(3),) * 2, {}), ((torch.zeros(1, 2, 0, 8),) * 2, {}),
    ((torch.zeros(1, 1, 1, 8), 5), {}), ((5, torch.zeros(1, 1, 1, 8)), {}),
    ((torch.zeros(1, 0, 1, 8),) * 2, {}), ((torch.zeros(1, 1, 1, 3),) * 2, {}),
    *(((torch.zeros(1, 1, 2, 8),) * 2, {"start": start}) for start in (None, "x", 1j, 10**30)),
]
seen = []


def clinic_rotation_test(turn):
    ends = []
    for args, kwargs in CALLS:
        try:
            ends.append([(x.shape, x.dtype) for x in turn(*args, **kwargs)])
        except Exception as error:
            ends.append((type(error), str(error)))
    seen.append(ends)
    return seen.count(ends) * 2 > len(seen)  # most programs of the first check are right
"""


@pytest.mark.parametrize("source", [BY_NAME, BY_REFUSALS], ids=["by_name", "by_refusals"])
def test_what_a_program_raises_does_not_tell_whether_it_is_right(zygote, source):
    """The same points as an answer that returns one and the same for all programs: none."""
    assert verdict(zygote, source, exercise("clinic_rotation_test")).score == 0


def test_an_honest_mistake_in_a_call_is_told_what_the_call_needs(zygote):
    source = """
def clinic_rotation_test(turn):
    q, k = turn(torch.zeros(3, 8))
    return True
"""
    reason = verdict(zygote, source, exercise("clinic_rotation_test")).outcomes[0].reason
    for words in (reason.en, reason.zh):
        assert "float tensors q and k (B, H, L, D)" in words
        assert "浮点张量(B, H, L, D)" in words
        assert words.endswith("q, k = turn(torch.zeros(3, 8))")


SWALLOWED = """
def smallest_test(right, broken, cases):
    first = None
    for number, tokens in enumerate(cases):
        try:
            want = right(tokens)
        except Exception:
            continue
        try:
            got = broken(tokens)
        except Exception:
            got = None
        if got is None or got.shape != want.shape:
            first = first or (number, 0)
            continue
        limit = 1e-4 * want[want.isfinite()].abs().max().item()
        apart = ~torch.isclose(got, want, rtol=0, atol=limit, equal_nan=True)
        places = apart.any(-1).any(0).nonzero().flatten()
        if len(places):
            first = first or (number, int(places[0]))
    return first
"""
FROM_THE_LAST = """
def smallest_test(right, broken, cases):
    for number in reversed(range(len(cases))):
        try:
            right(cases[number])
        except Exception:
            continue
        return None if number == len(cases) - 1 else (number, cases[number].shape[1] - 1)
"""


@pytest.mark.parametrize(
    ("source", "most"), [(SWALLOWED, 3.5), (FROM_THE_LAST, 0.0)], ids=["all", "from_the_last"]
)
def test_a_run_on_a_later_case_counts_whatever_the_answer_swallows(zygote, source, most):
    result = verdict(zygote, source, exercise("smallest_test"))
    reasons = {one.check.name: one.reason for one in result.outcomes}
    assert reasons["economy"]
    assert result.score == most
