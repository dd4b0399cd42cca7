"""Figures come first: a cell shows the function that computes, its labels stand in their table."""

import ast
import re
from pathlib import Path
from statistics import median

import pytest

from bilingual import Text
from posenc_viz import labels
from posenc_viz.control import Try
from tests.all_chapters import CHAPTERS, cells_of
from tests.chapters.languages import differences, misprints

EXPLORE = re.compile(r"^explore\(", re.MULTILINE)
FIELD = re.compile(r"\{[^}]*\}")
LABEL = re.compile(r"\blabel\.(\w+)")
LONGEST, TYPICAL = 25, 15  # lines of a cell that ends in a figure with sliders
METHODS = {"NTK-by-parts", "RoPE + NTK-by-parts"}  # which Chinese calls by these names
TABLES = Path(labels.__file__).parent


def code(chapter):
    return [cell.source for cell in cells_of(chapter.name) if cell.cell_type == "code"]


def figure_cells(chapter):
    """Return the source of every cell that puts a figure behind sliders."""
    return [source for source in code(chapter) if EXPLORE.search(source)]


def lines(source):
    return sum(bool(line.strip()) for line in source.splitlines())


def stem(chapter):
    return chapter.name[3:]


def names(chapter):
    """Return the labels that the table of a chapter defines."""
    tree = ast.parse((TABLES / f"{stem(chapter)}.py").read_text(encoding="utf-8"))
    assigned = [node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)]
    return {*assigned, *(node.name for node in tree.body if isinstance(node, ast.FunctionDef))}


def texts(chapter):
    """Return every `Text` of a table, and what its invitations say, as written."""
    tree = ast.parse((TABLES / f"{stem(chapter)}.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        if getattr(call.func, "id", "") in (Text.__name__, Try.__name__):
            words = {each.arg: each.value for each in call.keywords}
            if isinstance(words["en"], ast.Constant):
                yield Text(*(FIELD.sub("0", words[name].value) for name in ("en", "zh")))


def test_a_figure_with_sliders_takes_few_lines():
    sizes = {
        (chapter.name, source.splitlines()[0]): lines(source)
        for chapter in CHAPTERS
        for source in figure_cells(chapter)
    }
    assert {cell: size for cell, size in sizes.items() if size > LONGEST} == {}
    assert len(sizes) > 40
    assert median(sizes.values()) <= TYPICAL


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_function_that_computes_stands_whole_in_its_cell(chapter):
    for source in figure_cells(chapter):
        tree = ast.parse(source)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        explore = next(call for call in calls if getattr(call.func, "id", "") == "explore")
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert explore.args[0].id in functions, source


def test_there_is_one_table_for_each_chapter():
    tables = {path.stem for path in TABLES.glob("*.py")} - {"__init__"}
    assert tables == {stem(chapter) for chapter in CHAPTERS}


def parts(chapter):
    """Return the names that a table itself reads: what others of its labels are made of."""
    tree = ast.parse((TABLES / f"{stem(chapter)}.py").read_text(encoding="utf-8"))
    loads = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in loads if isinstance(node.ctx, ast.Load)}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_labels_are_used_and_there_and_in_both_languages_and_no_cell_has_one_of_its_own(chapter):
    used = set(LABEL.findall("\n".join(code(chapter))))
    assert used <= names(chapter)
    assert names(chapter) - used <= parts(chapter)
    problems = [
        problem
        for text in texts(chapter)
        if text.zh not in METHODS
        for problem in (*differences(text.en, text.zh), *misprints(text.zh))
    ]
    assert problems == []
    assert [source for source in code(chapter) if "Text(" in source] == []
