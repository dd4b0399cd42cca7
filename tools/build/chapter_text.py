"""Reads a chapter's text. The only file that knows what its cells may carry.

A chapter is a jupytext py:percent file:

    [markdown] lang="en" / lang="zh"   prose, in pairs, English first
    [markdown] lang="en" way="weekend" a heading that begins a section, and the shortest way through
                                       the course that has it: two_hours, weekend or everything
    exercise="id"                      the answer, with its solution between ### BEGIN/END SOLUTION
    exercise="id" mends="name"         the same; it begins with the function `name` above
    exercise="id" way="everything"     the same, on fewer ways than its section
    check="id"                         the graded cell that follows it
    [markdown] thinking="id" points=3  the model answer and rubric of a question that a teacher
                                       grades, in <div lang="en"> and <div lang="zh">
    tags=["nbval-ignore-output"] reason="…"   output that cannot be the same twice
    tags=["predict"]                   output to predict, though no question stands right before
    [markdown] lang="zh" slide="show"  the pair begins a slide (see tools/slides/deck.py);
                                       slide="code" shows the code below it as well
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from pathlib import Path

import jupytext
from nbformat import NotebookNode
from nbformat.warnings import DuplicateCellId

from autograde.kit.way import WAYS
from bilingual import Text

ALLOWED = {
    *("lang", "way", "slide", "exercise", "mends", "check", "thinking", "points"),
    *("tags", "reason"),
}
SLIDES = ("show", "code")
RUBRIC = re.compile(r'<div lang="en">\n(.+)\n</div>\n<div lang="zh">\n(.+)\n</div>', re.DOTALL)


class ChapterError(ValueError):
    """A chapter breaks the rules above; the message names the file and the cell."""


def read_chapter(path: Path) -> list[NotebookNode]:
    """Return the cells of a chapter as written, checked against the schema."""
    return read_text(path).cells


def read_text(path: Path) -> NotebookNode:
    """Return the same cells in a notebook that has the chapter's header.

    A slide's mark is on both cells of a pair; in the file only the Chinese cell has it.
    """
    with warnings.catch_warnings():
        # jupytext draws ids, which the text does not have, at times duplicates; none is kept.
        warnings.simplefilter("ignore", DuplicateCellId)
        text = jupytext.read(path, fmt="py:percent")
    cells = text.cells
    for number, cell in enumerate(cells, start=1):
        cell.metadata.pop("lines_to_next_cell", None)
        before = cells[number - 2].metadata if number > 1 else {}
        problem = _problem(before, cell, cells[number] if number < len(cells) else None)
        if problem:
            start = cell.source.split("\n")[0]
            raise ChapterError(f"{path.name}, cell {number} ({start!r}): {problem}")
        if "slide" in cell.metadata:
            cells[number - 2].metadata["slide"] = cell.metadata["slide"]
    return text


def _problem(
    before: Mapping[str, str], cell: NotebookNode, following: NotebookNode | None
) -> str | None:
    extra = set(cell.metadata) - ALLOWED
    after = following.metadata if following else {}
    if extra:
        return f"unknown cell metadata {sorted(extra)}"
    if "thinking" in cell.metadata:
        return None if _is_rubric(cell) else "a rubric has points= and one <div> for each language"
    if cell.cell_type == "markdown" and cell.metadata.get("lang") not in ("en", "zh"):
        return 'prose needs lang="en" or lang="zh"'
    if cell.metadata.get("lang") == "en" and after.get("lang") != "zh":
        return "an English cell is followed by its Chinese twin"
    if cell.metadata.get("lang") == "zh" and before.get("lang") != "en":
        return "a Chinese cell follows its English twin"
    if "slide" in cell.metadata and not _may_be_slide(cell):
        return 'slide="show" or slide="code" stands on the Chinese cell of a pair'
    if "way" in cell.metadata and (problem := _wrong_way(cell, following)):
        return problem
    if "exercise" in cell.metadata and after.get("check") != cell.metadata["exercise"]:
        return "an exercise cell is followed by its check cell"
    if "check" in cell.metadata and before.get("exercise") != cell.metadata["check"]:
        return "a check cell follows the cell of its exercise"
    if "nbval-ignore-output" in cell.metadata.get("tags", []) and "reason" not in cell.metadata:
        return "an exempt cell says why in reason="
    return None


def _may_be_slide(cell: NotebookNode) -> bool:
    return cell.metadata.get("lang") == "zh" and cell.metadata["slide"] in SLIDES


def _wrong_way(cell: NotebookNode, following: NotebookNode | None) -> str | None:
    if cell.metadata["way"] not in WAYS:
        return f"way is one of {', '.join(WAYS)}"
    if "exercise" in cell.metadata:
        return None
    heads = cell.metadata.get("lang") == "en" and heading(cell) and heading(following)
    return None if heads else "a way stands at an English heading, above its Chinese twin"


def heading(cell: NotebookNode) -> str | None:
    """Return the heading that a cell begins with, without its #; None for any other cell."""
    first = cell.source.split("\n")[0]
    is_heading = cell.cell_type == "markdown" and first.startswith("#")
    return first.lstrip("#").strip() if is_heading else None


def calls(source: str) -> dict[str, ast.Call]:
    """Return the calls that stand in a cell of code as statements, by the name of the function."""
    statements = [node.value for node in ast.parse(source).body if isinstance(node, ast.Expr)]
    return {
        node.func.id: node
        for node in statements
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _is_rubric(cell: NotebookNode) -> bool:
    return "points" in cell.metadata and RUBRIC.fullmatch(cell.source) is not None


def rubric(cell: NotebookNode) -> Text:
    """Return the model answer of a thinking question, in both languages."""
    en, zh = RUBRIC.fullmatch(cell.source).groups()
    return Text(en=en, zh=zh)
