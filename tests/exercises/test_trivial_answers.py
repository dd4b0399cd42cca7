"""Answers that do nothing earn little, and no check takes NaN, ∞ or complex numbers for right."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from autograde.kit import scoring
from autograde.kit.answer import Answer, leaves
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.compare import same
from autograde.kit.exercise import Check, Exercise, Function
from autograde.kit.expect import Wrong, expect_effect, expect_finite, expect_shape
from autograde.kit.scoring import SEED, evaluate_answer, run_checks

OF_FORM = {"shape", "dtype", "kind"}  # checks that look at no number
each = pytest.mark.parametrize("name", exercise_ids())


def instead(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Return a result with its tensors and numbers changed; words stay."""
    if isinstance(value, Tensor):
        return change(value.detach())
    if isinstance(value, int | float):
        return change(torch.tensor(value, dtype=torch.float64)).item()
    if isinstance(value, dict):
        return {key: instead(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [instead(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def filled(number: float) -> Callable[[Tensor], Tensor]:
    def change(x: Tensor) -> Tensor:
        return torch.full_like(x, number, dtype=x.dtype if x.is_floating_point() else torch.float32)

    return change


def noise(x: Tensor) -> Tensor:
    """Return numbers that depend on nothing: the same at every call."""
    numbers = torch.randn(x.shape, generator=torch.Generator().manual_seed(3))
    return numbers > 0 if x.dtype == torch.bool else (3 * numbers).to(x.dtype)


def with_imaginary_part(x: Tensor) -> Tensor:
    real = x if x.dtype == torch.float64 else x.float()
    return torch.complex(real, torch.full_like(real, 7.0))


JUNK = {"nan": filled(torch.nan), "inf": filled(torch.inf), "imaginary": with_imaginary_part}


def argument(number: int, change: Callable[[Tensor], Tensor]) -> Function:
    """Return an answer that returns one of its arguments, if it gets that one."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        return instead([*args, *kwargs.values()][number], change)

    return answer


def result(task: Exercise, change: Callable[[Tensor], Tensor]) -> Function:
    """Return an answer that returns the true result, changed; nothing where that is of words."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        right = task.true_answer(*args, **kwargs)
        words = any(isinstance(leaf, str | set) for leaf in leaves(right))
        return None if words else instead(right, change)

    return answer


def trivial_answers(task: Exercise) -> Iterator[tuple[str, Function]]:
    """Yield each of the first four arguments, and zeros and ones of their shapes or the right."""
    constants = (torch.zeros_like, torch.ones_like)
    for number in range(min(4, len(inspect.signature(task.true_answer).parameters))):
        for change in (torch.clone, *constants):
            yield f"{change.__name__} of argument {number}", argument(number, change)
    for change in (*constants, noise):
        yield f"{change.__name__} of the result", result(task, change)


@each
def test_an_answer_that_does_nothing_earns_a_quarter_at_most(name, monkeypatch):
    monkeypatch.setattr(scoring, "diagnose", lambda *ignored: None)  # four fifths of the time
    task = exercise(name)
    scores = {
        which: evaluate_answer(task, Answer(answer, task.seconds), SEED).score
        for which, answer in trivial_answers(task)
    }
    assert {which: score for which, score in scores.items() if score > task.points / 4} == {}


def takes(task: Exercise, check: Check, change: Callable[[Tensor], Tensor]) -> bool:
    """Return whether a check passes on true results that are changed, and were finite before."""
    was_changed, was_finite = [], []

    def answer(*args: Any, **kwargs: Any) -> Any:
        right = task.true_answer(*args, **kwargs)
        junk = instead(right, change)
        was_changed.append(not same(junk, right))
        was_finite.append(all(map(is_finite, leaves(right))))
        return junk

    one = replace(task, checks=[check])
    passes = run_checks(one, Answer(answer, task.seconds), SEED)[0].reason is None
    return passes and any(was_changed) and all(was_finite)


def is_finite(value: Any) -> bool:
    return not isinstance(value, Tensor | float) or bool(torch.as_tensor(value).isfinite().all())


@pytest.mark.filterwarnings("ignore:Casting complex values to real")  # a check's own, on junk
@each
def test_no_check_of_numbers_takes_junk_for_right(name):
    task = exercise(name)
    checks = [check for check in task.checks if check.name not in OF_FORM]
    pairs = [(check, junk) for check in checks for junk in JUNK]
    assert [(check.name, junk) for check, junk in pairs if takes(task, check, JUNK[junk])] == []


def reason(expectation: Function, *args: Any) -> tuple[str, str]:
    with pytest.raises(Wrong) as caught:
        expectation(*args)
    return caught.value.reason.en, caught.value.reason.zh


def test_a_reason_counts_the_numbers_that_are_not_finite():
    x = torch.tensor([1.0, torch.nan, torch.nan, -torch.inf])
    assert reason(expect_finite, x, (4,)) == ("2 of 4 numbers are NaN", "4个数中有2个是NaN")
    assert reason(expect_finite, x[::3], (2,)) == ("1 of 2 numbers is ∞", "2个数中有1个是∞")
    assert expect_finite(x[:1], (1,)) == 1


def test_complex_numbers_are_refused_after_the_shape():
    assert reason(expect_shape, torch.ones(2) + 0j, (2,))[0] == (
        "the dtype is torch.complex64, expected real numbers"
    )
    assert reason(expect_shape, torch.ones(2) + 0j, (3,))[0].startswith("the shape is (2,)")


def test_an_effect_is_neither_a_constant_nor_an_input():
    x = torch.arange(1.0, 7.0)
    assert reason(expect_effect, torch.full((6,), 0.5), (6,))[0].startswith("all 6 numbers are 0.5")
    as_it_is = reason(expect_effect, x.bfloat16() * 1.005, (6,), torch.ones(3), x)[0]
    assert as_it_is.startswith("it returns an input as it is")
    assert expect_effect(1.02 * x, (6,), torch.ones(3), x)[0] == torch.tensor(1.02)
