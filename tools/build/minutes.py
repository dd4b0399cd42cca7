"""How many minutes a reader needs for a part of a chapter: one rule for all of them.

| what | minutes |
|---|---|
| prose | its words at 130 a minute in English, 200 hanzi in Chinese: the slower of the two |
| a formula | 3 seconds in a line, half a minute on lines of its own |
| code to read and run | 10 lines a minute |
| a figure with sliders | 3 |
| a question of a quiz | 1 |
| a question that a teacher grades | 8 |
| an exercise | what the exercise itself says |

The imports on top and the code of a figure are not read. In a section with an exercise, quizzes
belong to the exercise. The rates are about half of those at which adults read plain text
aloud (Trauzettel-Klosinski and Dietz 2012: 228 words of English, 255 hanzi a minute).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from nbformat import NotebookNode

from autograde.kit.catalogue import questions
from tools.build.chapter_text import calls

HANZI = re.compile("[\u4e00-\u9fff]")
WORDS = {"en": 130, "zh": 200}  # a minute
LINES = 10  # of code, a minute
INLINE, DISPLAYED = 0.05, 0.5  # minutes for a formula
FIGURE, QUESTION, THINKING = 3, 1, 8


def reading_minutes(cells: Iterable[NotebookNode]) -> int:
    """Return the minutes for these cells without their exercises, at least 1."""
    prose, other, asks = dict.fromkeys(WORDS, 0.0), 0.0, False
    quizzes = set()  # a quiz called twice counts once
    for cell in cells:
        if cell.metadata.get("lang") in WORDS:
            prose[cell.metadata["lang"]] += _prose(cell.source, cell.metadata["lang"])
        elif "thinking" in cell.metadata:
            other += THINKING
        elif "exercise" in cell.metadata:
            asks = True
        elif name := quiz_name(cell):
            quizzes.add(name)
        elif "check" not in cell.metadata:
            other += _code(cell.source)
    quiz = 0 if asks else QUESTION * sum(len(questions(name)) for name in quizzes)
    return max(1, round(max(prose.values()) + other + quiz))


def quiz_name(cell: NotebookNode) -> str | None:
    """Return the name of the quiz that a cell calls, None for a cell that calls none."""
    call = calls(cell.source).get("quiz") if cell.cell_type == "code" else None
    return ast.literal_eval(call.args[0]) if call else None


def words(text: str) -> int:
    """Return how many words a text has: each hanzi is one, and each run of other characters."""
    others, hanzi = HANZI.subn(" ", text)
    return hanzi + sum(any(map(str.isalnum, run)) for run in others.split())


def _prose(source: str, language: str) -> float:
    *between, last = source.split("$$")  # prose, formula, prose, …
    displayed, text = between[1::2], " ".join([*between[::2], last])
    parts = text.split("$")
    formulas = DISPLAYED * len(displayed) + INLINE * (len(parts) // 2)
    return words(" ".join(parts[::2])) / WORDS[language] + formulas


def _code(source: str) -> float:
    if "language_switch" in calls(source):
        return 0
    if "explore" in calls(source):
        return FIGURE
    return sum(map(bool, map(str.strip, source.splitlines()))) / LINES
