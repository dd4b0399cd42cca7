"""The chart of a ward of the bug clinic: an exercise that asks each case's fault and its test."""

from __future__ import annotations

from typing import Any

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, expect
from bilingual import Text

Case = tuple[str, set[str]]  # the letter of the fault, the tests that catch it


def charted(
    exercise: Exercise, cases: dict[int, Case], shows: dict[str, Text], tests: str
) -> Exercise:
    """Return the exercise with two checks for each case: its fault, and a test that catches it.

    shows: for each letter, how its fault would show. tests: the names of all tests of the ward.
    """
    for number, (letter, catching) in cases.items():
        _ask_fault(exercise, number, letter, shows)
        _ask_test(exercise, number, catching, set(tests.split()))
    return exercise


def _ask_fault(exercise: Exercise, number: int, letter: str, shows: dict[str, Text]) -> None:
    def fault(answer: Function, rng: torch.Generator) -> None:
        said = _entry(answer(), number, 0)
        expect(
            said in shows,
            f"case {number}: {said!r} is not a letter of this ward",
            f"病例{number}：{said!r}不是本病房的字母",
        )
        if said != letter:
            raise Wrong(
                f"case {number} is not {said}: {shows[said].en}",
                f"病例{number}不是{said}：{shows[said].zh}",
            )

    fault.__name__ = f"fault_{number}"
    exercise.check(en=f"the fault of case {number}", zh=f"病例{number}的错误")(fault)


def _ask_test(exercise: Exercise, number: int, catching: set[str], tests: set[str]) -> None:
    def test(answer: Function, rng: torch.Generator) -> None:
        said = _entry(answer(), number, 1)
        expect(
            said in tests,
            f"case {number}: {said!r} is not a test of this ward",
            f"病例{number}：{said!r}不是本病房的测试",
        )
        expect(
            said in catching,
            f"case {number}: {said} finds nothing wrong with the broken program, run it and see",
            f"病例{number}：{said}在这段有错的程序里什么也没发现，运行一下就知道",
        )

    test.__name__ = f"test_{number}"
    exercise.check(en=f"a test that catches case {number}", zh=f"抓得住病例{number}的测试")(test)


def _entry(chart: Any, number: int, column: int) -> str:
    expect(
        isinstance(chart, dict),
        "return a dictionary {case: (letter, test)}",
        "请返回字典{病例: (字母, 测试)}",
    )
    entry = chart.get(number)
    whole = isinstance(entry, tuple | list) and len(entry) == 2
    expect(
        whole and all(isinstance(part, str) for part in entry),
        f"case {number} has no pair of a letter and a test, both in quotes",
        f"病例{number}缺少由字母和测试名组成的一对，两者都要加引号",
    )
    return entry[column].strip().lower()
