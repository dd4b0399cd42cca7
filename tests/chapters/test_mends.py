"""Whoever repairs only the broken lines of a function has an answer that can be graded.

Where a class is graded there is no `posenc_ref`, so that what a chapter gives to mend does not
call it, nor does any function of the notebook that it calls.
"""

import ast
import math
import re
from pathlib import Path

import pytest
import torch

from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate
from autograde.nbgrader.release_broken_code import bodies
from tests.all_chapters import CHAPTERS

MENDS = re.compile(r'(?m)^# %% exercise="(\w+)" .*mends="(\w+)"$')


def borrowed(name: str, functions: dict[str, ast.FunctionDef], reference: set[str]) -> set[str]:
    """Return which names of the reference a function of the notebook leads to."""
    waiting, names = [name], set()
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        called = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
        names |= called & reference
        waiting += [one for one in called - seen if one in functions]
    return names


def broken_functions(path: Path) -> dict[str, set[str]]:
    """Return the broken functions of a chapter, and what of the reference each leads to."""
    source = path.read_text(encoding="utf-8")
    body = ast.parse(source).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    reference = {
        alias.asname or alias.name
        for node in imports
        if str(node.module).startswith("posenc_ref")
        for alias in node.names
    }
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    return {name: borrowed(name, functions, reference) for _, name in MENDS.findall(source)}


def definable(node: ast.stmt) -> bool:
    """Return whether it is a function that needs no other name to be defined."""
    function = isinstance(node, ast.FunctionDef)
    return function and all(
        isinstance(value, ast.Constant | ast.Attribute) for value in node.args.defaults
    )


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_what_is_to_be_mended_needs_no_name_of_the_reference_and_earns_nothing_as_it_is(chapter):
    assert {name: names for name, names in broken_functions(chapter.path).items() if names} == {}
    source = chapter.path.read_text(encoding="utf-8")
    names = {"math": math, "torch": torch, "F": torch.nn.functional}
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if definable(node)]
    exec(compile(tree, chapter.name, "exec"), names)
    for name, broken in MENDS.findall(source):
        assert broken in bodies(source)
        verdict = evaluate(exercise(name), names[broken])
        assert verdict.cause.name == exercise(name).broken
        assert verdict.score == 0, name


def test_the_broken_functions_are_found():
    names = {name for chapter in CHAPTERS for name in broken_functions(chapter.path)}
    assert len(names) >= 30
    assert {"add_to_the_wrong_axis", "rotates_what_it_reads", "case_21"} <= names


def test_a_function_that_leads_to_the_reference_is_found():
    source = "def broken(x): return helper(x)\ndef helper(x): return rotate(x)"
    functions = {node.name: node for node in ast.parse(source).body}
    assert borrowed("broken", functions, {"rotate", "rel_shift"}) == {"rotate"}
