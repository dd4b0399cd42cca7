"""The map in a package's docstring names what lies in it, all of it and nothing else."""

import ast
import re
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.repository.test_files import repository_files

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "posenc_ref" / "__init__.py"
ENTRY = re.compile(r"^- `([\w.]+/?)`", re.MULTILINE)
ROW = re.compile(r"^\| ([a-z][\w*, ]*) \| .+ \| (.+) \|$", re.MULTILINE)


def maps() -> dict[str, set[str]]:
    """Return what the docstring of each package lists, for those that list anything."""
    lists = {}
    for file in (path for path in repository_files() if path.name == "__init__.py"):
        listed = set(ENTRY.findall(ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""))
        if listed and not file.is_relative_to(ROOT / "tests"):
            lists[file.parent.relative_to(ROOT).as_posix()] = listed
    return lists


def contents(package: str) -> set[str]:
    folder = ROOT / package
    modules = {file.name for file in folder.glob("*.py") if not file.name.startswith("__init__")}
    rooms = {f"{file.parent.name}/" for file in folder.glob("*/__init__.py")}
    return modules - {"__main__.py"} | rooms


def test_the_main_packages_have_maps():
    assert {"autograde", "autograde/kit", "autograde/grading", "confined"} <= maps().keys()


def test_a_map_lists_what_is_there(subtests):
    for package, names in maps().items():
        with subtests.test(package):
            assert names == contents(package)


@dataclass(frozen=True)
class Row:
    """A row of the table in posenc_ref's docstring: its files, and the names that it lists."""

    files: tuple[str, ...]
    names: frozenset[str]
    goes_on: bool  # it ends with an ellipsis, and lists some of its names

    def has(self, file: str) -> bool:
        return any(fnmatch(file, pattern) for pattern in self.files)


def reference_table() -> list[Row]:
    text = ast.get_docstring(ast.parse(REFERENCE.read_text("utf-8"))) or ""
    return [
        Row(
            tuple(files.split(", ")),
            frozenset(re.findall(r"\w+", "" if names.startswith("(") else names)),
            "…" in names,
        )
        for files, names in ROW.findall(text)
        if files != "file"
    ]


def exports() -> dict[str, set[str]]:
    """Return {file: the names that posenc_ref has from it}."""
    body = ast.parse(REFERENCE.read_text("utf-8")).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    names: dict[str, set[str]] = {}
    for node in imports:
        file = str(node.module).removeprefix("posenc_ref.")
        names.setdefault(file, set()).update(alias.name for alias in node.names)
    return names


def test_the_table_of_posenc_ref_has_one_row_for_every_exported_file():
    rows = {file: sum(row.has(file) for row in reference_table()) for file in exports()}
    wrong = {file: count for file, count in rows.items() if count != 1}
    assert wrong == {}, "rows of a file in the table of posenc_ref/__init__.py: one each"


def test_the_table_of_posenc_ref_lists_the_names_of_each_file():
    for row in reference_table():
        names = set().union(*(names for file, names in exports().items() if row.has(file)))
        assert row.names <= names, f"{row.files}: not exported"
        assert row.goes_on or row.names == names, f"{row.files}: not all of its names"


def test_the_table_of_posenc_ref_names_files_that_exist():
    stems = {path.stem for path in REFERENCE.parent.glob("*.py")}
    for row in reference_table():
        assert all(any(fnmatch(stem, file) for stem in stems) for file in row.files), row.files
