"""Runs the checks of an exercise on an answer and adds up the points."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import torch

from autograde.kit.answer import Answer, Call, size_of_inputs
from autograde.kit.call_inputs import with_inputs
from autograde.kit.capture import capture
from autograde.kit.diagnose import MistakenCalls, explanations, what_counts
from autograde.kit.exercise import Check, Exercise, Function, Misconception
from autograde.kit.expect import QUOTED, Wrong, with_article
from autograde.kit.python_error.explain import explained_error, name_of
from autograde.kit.reference_use import reference_names
from autograde.kit.relations.relate import relation
from autograde.kit.verdict import Cause, Outcome, Verdict
from bilingual import Text
from confined.deadline import TooSlow, call_within_cpu

SEED = 20170612  # "Attention Is All You Need" appeared on 12 June 2017

NO_FUNCTION = Cause(
    "error",
    "TypeError",
    Text(
        en="`check` takes the function itself, not its result: no parentheses after its name in "
        "`check(…)`, and assign nothing else to that name.",
        zh="检查的是函数本身，不是它的返回值：`check(…)`里函数名后面不加括号，"
        "也不要把这个名字赋成别的值。",
    ),
)


def evaluate(exercise: Exercise, function: Function, seed: int = SEED) -> Verdict:
    """Return the verdict on `function`; the inputs that checks draw depend on `seed` alone."""
    verdict = evaluate_answer(exercise, Answer(function, exercise.seconds), seed)
    return replace(verdict, borrowed=reference_names(function))


def evaluate_answer(exercise: Exercise, answer: Answer, seed: int) -> Verdict:
    """Return the verdict on an answer, wherever its function runs."""
    outcomes = run_checks(exercise, answer, seed)
    if answer.is_stub:
        return Verdict(exercise, (), True, None, answer.printed)
    is_function = callable(answer.function)
    cause = diagnose(exercise, outcomes, seed) if is_function else NO_FUNCTION
    return Verdict(exercise, _beside_broken(exercise, outcomes, seed), False, cause, answer.printed)


def run_checks(exercise: Exercise, answer: Answer, seed: int) -> tuple[Outcome, ...]:
    """Return the outcome of each check."""
    outcomes = []
    for check in exercise.checks:
        answer.calls.clear()
        reason = _reason(check, answer, seed)
        if reason and answer.calls and answer.calls[-1].error is None:  # an error's cause has them
            reason = with_inputs(reason, exercise, answer.calls[-1])
        outcomes.append(Outcome(check, reason, tuple(answer.calls)))
    return tuple(outcomes)


def _beside_broken(
    exercise: Exercise, outcomes: tuple[Outcome, ...], seed: int
) -> tuple[Outcome, ...]:
    """Return the outcomes, marking checks that the code to be mended passes, with the same inputs.

    If all checks passed, all points are earned, and no marks are needed.
    """
    broken = next((one for one in exercise.misconceptions if one.name == exercise.broken), None)
    if broken is None or not any(outcome.reason for outcome in outcomes):
        return outcomes
    answer = Answer(broken.answer, exercise.seconds)
    return tuple(
        replace(outcome, passes_unchanged=_reason(outcome.check, answer, seed) is None)
        for outcome in outcomes
    )


def _counting(exercise: Exercise, outcome: Outcome) -> Outcome:
    return replace(outcome, calls=tuple(what_counts(exercise, call) for call in outcome.calls))


def diagnose(exercise: Exercise, outcomes: Sequence[Outcome], seed: int) -> Cause | None:
    """Return the cause of all failed checks, None if nothing failed or no cause is sure.

    A result of the answer may be the input of a later call, and keep our own code busy for ever.
    """
    if not any(outcome.reason for outcome in outcomes):
        return None
    try:
        with capture():
            return call_within_cpu(exercise.seconds, _diagnose, exercise, outcomes, seed)
    except TooSlow:
        return None
    except Exception as error:  # our own, on an odd result: the verdict stands without a cause
        warnings.warn(f"no diagnosis: {error!r}", RuntimeWarning, stacklevel=2)
        return None


def _diagnose(exercise: Exercise, outcomes: Sequence[Outcome], seed: int) -> Cause | None:
    outcomes = [_counting(exercise, outcome) for outcome in outcomes]
    failed = [outcome for outcome in outcomes if outcome.reason]
    calls = [call for outcome in failed for call in outcome.calls]
    if not calls:
        return None
    every = [call for outcome in outcomes for call in outcome.calls]
    mistaken, others = MistakenCalls(exercise), _without_missing_keys(failed)
    return (
        _misconception(mistaken, failed, every, seed)
        or (_misconception(mistaken, others, every, seed) if len(others) < len(failed) else None)
        or explained_error(exercise, calls)
        or relation(mistaken, calls, every)
    )


def _misconception(
    mistaken: MistakenCalls, failed: list[Outcome], every: list[Call], seed: int
) -> Cause | None:
    """Return the misconception behind the failed checks: it must fail one of them as early.

    A match that passes may return right numbers in a wrong dtype, or numbers right so far.
    A misconception that gets a call wrong which the answer gets right is excluded. The code to be
    mended is the cause only if the answer behaves like it in every call.
    """
    by_size = sorted(failed, key=lambda outcome: len(outcome.calls))
    for misconception in explanations(mistaken, _failing_first(failed)):
        if misconception.name == mistaken.exercise.broken and not mistaken.like(
            misconception, every
        ):
            continue
        if mistaken.is_refuted(misconception, every):
            continue
        if any(_fails_as_early(misconception, mistaken, outcome, seed) for outcome in by_size):
            return Cause("misconception", misconception.name, misconception.sentence)
    return None


def _without_missing_keys(failed: list[Outcome]) -> list[Outcome]:
    """Leave out the checks that ended in a KeyError: it says nothing about the other inputs."""
    return [
        outcome
        for outcome in failed
        if not any(name_of(call.error) == "KeyError" for call in outcome.calls)
    ]


def _failing_first(failed: list[Outcome]) -> list[Call]:
    """Return the calls of failed checks: first the calls that made a check fail, by size.

    A check ends with the first call that it finds wrong.
    """
    last = sorted((outcome.calls[-1] for outcome in failed if outcome.calls), key=size_of_inputs)
    return last + [call for outcome in failed for call in outcome.calls[:-1]]


def _fails_as_early(
    misconception: Misconception, mistaken: MistakenCalls, outcome: Outcome, seed: int
) -> bool:
    if not outcome.check.counts_calls and mistaken.returns_as(misconception, outcome.calls):
        return True  # the check cannot tell them apart
    answer = Answer(misconception.answer, mistaken.exercise.seconds)
    failed = _reason(outcome.check, answer, seed) is not None
    return failed and len(answer.calls) <= len(outcome.calls)


def _reason(check: Check, answer: Answer, seed: int) -> Text | None:
    if not callable(answer.function):
        kind = type(answer.function).__name__
        got = with_article(kind)
        return Text(en=f"expected a function, got {got}", zh=f"应为函数，却是{kind}")
    try:
        check.run(answer, torch.Generator().manual_seed(seed))
    except Wrong as wrong:
        return wrong.reason
    except Exception as error:  # the check itself stumbled over what was returned
        message = f"{type(error).__name__}: {error}"[:QUOTED]
        return Text(
            en=f"what it returned cannot be checked ({message})",
            zh=f"返回的结果无法检查（{message}）",
        )
    return None
