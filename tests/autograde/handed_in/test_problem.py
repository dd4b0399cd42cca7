"""Why a submission has no grade, told in a line."""

import json

import pytest

from autograde.handed_in.problem import (
    EMPTY,
    LONGEST_LINE,
    NO_FILE,
    NOT_GRADED,
    NOT_JSON,
    OTHER_CHAPTER,
    problem,
    problem_line,
)

WHOLE = '\ufeff {"cells": []}\n'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (WHOLE, NOT_GRADED),
        ('{"cells": [', NOT_JSON),
        ('{"cells": [{}', NOT_JSON),  # cut off where a cell ends
        ('["cells"]', NOT_JSON),
        ('{"worksheets": []}', NOT_JSON),
        ("", EMPTY),
        ("PK\3\4", NOT_JSON),
        ("[" * 100_000, NOT_JSON),
    ],
)
def test_a_file_tells_whether_it_is_whole(tmp_path, content, reason):
    submitted = tmp_path / "a.ipynb"
    submitted.write_text(content, encoding="utf-8")
    assert problem(submitted) == reason


def test_a_notebook_in_gb18030_is_one(tmp_path):
    submitted = tmp_path / "a.ipynb"
    submitted.write_text('{"cells": [], "metadata": "位置"}', encoding="gb18030")
    assert problem(submitted) == NOT_GRADED
    submitted.write_text('{"metadata": "位置"}', encoding="gb18030")
    assert problem(submitted) == NOT_JSON


@pytest.mark.parametrize("suffix", ["", "-answer"])
def test_a_notebook_of_another_chapter_is_told_from_one_that_cannot_be_graded(tmp_path, suffix):
    metadata = {"nbgrader": {"grade_id": f"key_minus_query{suffix}"}}
    cell = {"cell_type": "code", "source": "", "metadata": metadata}
    for chapter, reason in (("00_start", NOT_GRADED), ("01_permutation", OTHER_CHAPTER)):
        submitted = tmp_path / f"{chapter}.ipynb"
        submitted.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
        assert problem(submitted) == reason
    submitted.write_text('{"cells": [3]}', encoding="utf-8")
    assert problem(submitted) == NOT_GRADED


def test_a_large_file_is_not_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr("autograde.handed_in.problem.PARSED", 3)
    submitted = tmp_path / "a.ipynb"
    submitted.write_text("[[[[", encoding="utf-8")
    assert problem(submitted) == NOT_GRADED


def test_a_file_that_was_not_handed_in_is_named(tmp_path):
    assert "a.ipynb" in problem(tmp_path / "a.ipynb").en


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("it has 9 bytes\nmore\n", "it has 9 bytes"),
        ("Traceback (most recent call last):\n  File …\nTooWeak: tier 3\n", "TooWeak: tier 3"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("x" * 1000, "x" * LONGEST_LINE),
        ("\0" * 1000, "\\x00" * (LONGEST_LINE // 4)),
        ("", NOT_GRADED.en),
        (None, NOT_GRADED.en),
    ],
)
def test_the_terminal_gets_the_line_that_the_log_has(tmp_path, log, line):
    submitted, path = tmp_path / "a.ipynb", tmp_path / "a.log"
    submitted.write_text(WHOLE, encoding="utf-8")
    if log is not None:
        path.write_text(log, encoding="utf-8")
    assert problem_line(submitted, path).en == line
    submitted.unlink()
    missing = NO_FILE.format(name="a.ipynb").en
    assert problem_line(submitted, path).en == (line if log else missing)
