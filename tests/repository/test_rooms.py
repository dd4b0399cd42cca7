"""The map in a package's docstring names what lies in it, all of it and nothing else."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(r"^- `([\w.]+/?)`", re.MULTILINE)


def maps() -> dict[str, set[str]]:
    """Return what the docstring of each package lists, for those that list anything."""
    found = {}
    for file in ROOT.glob("[a-z]*/**/__init__.py"):
        listed = set(ENTRY.findall(ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""))
        if listed and not file.is_relative_to(ROOT / "tests"):
            found[file.parent.relative_to(ROOT).as_posix()] = listed
    return found


def contents(package: str) -> set[str]:
    folder = ROOT / package
    modules = {file.name for file in folder.glob("*.py") if not file.name.startswith("__init__")}
    rooms = {f"{file.parent.name}/" for file in folder.glob("*/__init__.py")}
    return modules - {"__main__.py"} | rooms


def test_there_are_maps():
    assert {"autograde", "autograde/kit", "autograde/grading", "confined"} <= maps().keys()


@pytest.mark.parametrize("package", sorted(maps()))
def test_a_map_lists_what_is_there(package):
    assert maps()[package] == contents(package)
