"""The result of an exercise, as both pages show it: a mark, its sign and its words."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Literal, get_args

from autograde.grading.diagnosis import Diagnosis, Kind
from bilingual import Text

Mark = Literal["full", "part", "zero", "error", "slow", "blank", "waiting"]
MARKS: tuple[Mark, ...] = get_args(Mark)
OF_KIND: dict[Kind, Mark] = {
    "unsolved": "blank",
    "missing": "blank",
    "error": "error",
    "raised": "error",
    "slow": "slow",
}

SIGNS: dict[Mark, str] = {
    "full": "✓",
    "part": "◐",
    "zero": "✗",
    "error": "!",
    "slow": "∞",
    "blank": "○",
    "waiting": "…",
}
WORDS: dict[Mark, Text] = {
    "full": Text(en="full points", zh="满分"),
    "part": Text(en="some of the points", zh="部分得分"),
    "zero": Text(en="tried, no points", zh="作答但0分"),
    "error": Text(en="ended in an error", zh="运行出错"),
    "slow": Text(en="out of time", zh="运行超时"),
    "blank": Text(en="not answered", zh="未作答"),
    "waiting": Text(en="waiting for the teacher", zh="等老师评分"),
}


def mark(score: float, points: float, diagnosis: Diagnosis | None, *, waiting: bool) -> Mark:
    """Return the mark: by the points, and by the diagnosis of an answer without points."""
    if waiting:
        return "waiting"
    if score >= points and (points > 0 or diagnosis is None):  # if worth 0, it decides
        return "full"
    if score > 0:
        return "part"
    return OF_KIND.get(diagnosis.kind, "zero") if diagnosis else "zero"


def letter_of(index: int) -> str:
    """Return the letter of an exercise's mistake by its index, from 0: a to z, aa to zz."""
    turns, index = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[index] * (turns + 1)
