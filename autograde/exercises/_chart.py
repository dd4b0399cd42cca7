"""The chart of a ward of the bug clinic: an exercise that asks each case's fault and its test."""

from __future__ import annotations

from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, excerpt, expect
from bilingual import Text

Case = tuple[str, set[str]]  # the letter of the fault, the tests that catch it
Chart = dict[int, tuple[str, str]]


def charted(
    exercise: Exercise, cases: dict[int, Case], shows: dict[str, Text], tests: str
) -> Exercise:
    """Return the exercise with two checks for each case: its fault, and a test that catches it.

    shows: for each letter, how its fault would show. tests: the names of all tests of the ward.
    """

    @exercise.truth
    def chart() -> Chart:
        return {number: (letter, min(catching)) for number, (letter, catching) in cases.items()}

    @exercise.counts
    def fault_and_verdict(result: Chart) -> Chart:
        """Return the chart with one test in place of all that catch a case."""
        noted = {n: _entry(result, n, set(shows), set(tests.split())) for n in cases}
        right = chart()
        return {n: (a, right[n][1] if b in cases[n][1] else b) for n, (a, b) in noted.items()}

    for number, (letter, catching) in cases.items():
        _ask_fault(exercise, number, letter, shows, set(tests.split()))
        _ask_test(exercise, number, catching, set(shows), set(tests.split()))
    one_for_all(
        exercise,
        "shape",
        en="You chose `shape` throughout. All of these programs return the right shape: that is "
        "why they live so long.",
        zh="你一律选了`shape`。这些程序返回的形状全都对，所以才活得这么久。",
    )
    unseen = [str(number) for number, (_, catching) in cases.items() if "golden" not in catching]
    one_for_all(
        exercise,
        "golden",
        en=f"The sample of `golden` is too small for case{'s' * (len(unseen) > 1)} "
        f"{', '.join(unseen)}.",
        zh=f"对病例{'、'.join(unseen)}来说，`golden`的样本太小。",
    )
    return exercise


def one_for_all(exercise: Exercise, test: str, en: str, zh: str) -> None:
    """Add the misconception that one test catches also those cases that it does not."""
    right = exercise.true_answer()

    def chart() -> Chart:
        return {number: (letter, test) for number, (letter, _) in right.items()}

    chart.__name__ = f"{test}_for_all"
    exercise.misconception(en=en, zh=zh)(chart)


def _ask_fault(
    exercise: Exercise, number: int, letter: str, shows: dict[str, Text], tests: set[str]
) -> None:
    def fault(answer: Function, rng: torch.Generator) -> None:
        entry, _ = _entry(answer(), number, set(shows), tests)
        expect(
            entry in shows,
            f"case {number}: {excerpt(entry)} is not a letter of this ward",
            f"病例{number}：{excerpt(entry)}不是本病房病历里的代号",
        )
        if entry != letter:
            raise Wrong(
                f"case {number} is not {entry}: {shows[entry].en}",
                f"病例{number}不是{entry}：{shows[entry].zh}",
            )

    fault.__name__ = f"fault_{number}"
    exercise.check(en=f"the fault of case {number}", zh=f"病例{number}的错误")(fault)


def _ask_test(
    exercise: Exercise, number: int, catching: set[str], letters: set[str], tests: set[str]
) -> None:
    def test(answer: Function, rng: torch.Generator) -> None:
        _, entry = _entry(answer(), number, letters, tests)
        expect(
            entry in tests,
            f"case {number}: {excerpt(entry)} is not a test of this ward",
            f"病例{number}：{excerpt(entry)}不是本病房的测试",
        )
        expect(
            entry in catching,
            f"case {number}: {entry} finds nothing wrong with the broken program: run it and see",
            f"病例{number}：{entry}在这段有错的程序里什么也没发现，运行一下就知道",
        )

    test.__name__ = f"test_{number}"
    exercise.check(en=f"a test that catches case {number}", zh=f"查得出病例{number}的测试")(test)


def _entry(chart: Any, number: int, letters: set[str], tests: set[str]) -> tuple[str, str]:
    """Return the letter and the test of a case, whose number may also be written as text."""
    expect(
        isinstance(chart, dict),
        "return a dictionary {case: (letter, test)}",
        "请返回字典{病例: (代号, 测试)}",
    )
    entry = chart.get(number, chart.get(str(number)))
    expect(
        entry is not None,
        f"case {number} is not in the chart",
        f"病历里没有病例{number}",
    )
    whole = isinstance(entry, tuple | list) and len(entry) == 2
    expect(
        whole and all(isinstance(part, str) for part in entry),
        f"case {number} has {excerpt(entry)}, expected a letter and a test, both in quotes",
        f"病例{number}是{excerpt(entry)}，应为代号和测试名组成的一对，两者都要加引号",
    )
    first, second = (part.strip().lower() for part in entry)
    expect(  # without the number: a report then says it once for all cases
        not (first in tests and second in letters),
        "the letter of the fault comes first, then the test: this pair is the wrong way round",
        "先写错误的代号，再写测试名：这一对写反了",
    )
    return first, second
