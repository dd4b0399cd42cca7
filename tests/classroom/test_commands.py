"""nbgrader's own commands work unchanged in the repository root, as typed in a plain terminal."""

import csv
import os
import shutil
import subprocess
import sys

import nbformat
import pytest

from autograde.demo.workbook import Workbook
from autograde.giving_back.command import give_back
from tests.classroom.one_chapter import CHAPTER, ROOT, hand_in

NOTEBOOK = f"{CHAPTER}/{CHAPTER}.ipynb"

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("warm_kernels")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the root, with the chapter released by `nbgrader generate_assignment`."""
    root = tmp_path_factory.mktemp("a course")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    shutil.copytree(ROOT / "solutions" / CHAPTER, root / "solutions" / CHAPTER)
    nbgrader(root, "generate_assignment", CHAPTER)
    return root


@pytest.fixture(scope="module")
def solved(course):
    """The released notebook, solved by a student."""
    book = Workbook(course / "notebooks" / NOTEBOOK, course / "solutions" / NOTEBOOK)
    book.solve(*book.exercises)
    hand_in(course, "ada", book.text())
    return course / "submitted" / "ada" / NOTEBOOK


def nbgrader(root, *command):
    # PATH without the environment: nbgrader looks for `alembic` there
    own = {
        "PATH": "/usr/bin:/bin",
        "POSENC_LANGUAGE": "both",
        "POSENC_DATA_DIR": str(root / "data"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=root,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_generate_assignment_releases_what_the_repository_holds(course):
    released = nbformat.read(course / "notebooks" / NOTEBOOK, as_version=4)
    committed = nbformat.read(ROOT / "notebooks" / NOTEBOOK, as_version=4)
    assert [cell.source for cell in released.cells] == [cell.source for cell in committed.cells]
    assert "### BEGIN SOLUTION" not in nbformat.writes(released)


def test_validate_passes_a_solved_notebook_and_says_of_an_unsolved_one_what_is_missing(
    course, solved
):
    result = nbgrader(course, "validate", str(solved), f"notebooks/{NOTEBOOK}")
    passed, failed = result.split("Success! Your notebook passes all the tests.")
    assert "VALIDATION FAILED" not in passed
    assert "VALIDATION FAILED" in failed
    assert "尚未作答" in failed
    assert "Not solved yet" in failed


def test_autograde_feedback_and_export(course, solved):
    """S15: 16 conversions for a folder `*`, and a run that ended at a newline.

    What lies beside a notebook neither writes to the terminal nor lies beside a page.
    """
    for name in ("\x1b[2J.txt", "\u202egpj.html", "index.html", f"{CHAPTER}.html/x.txt"):
        (solved.parent / name).parent.mkdir(exist_ok=True)
        (solved.parent / name).write_text("<script>", encoding="utf-8")
    for student in ("*", "a\nb"):
        hand_in(course, student, solved.read_text(encoding="utf-8"))
    result = nbgrader(course, "autograde", CHAPTER)
    assert result.count("Converting notebook") == 2  # ada's, read and then saved
    assert os.listdir(course / "submitted") == os.listdir(course / "autograded") == ["ada"]
    result += nbgrader(course, "generate_feedback", CHAPTER)
    assert not {"\x1b", "\u202e"} & set(result)
    assert "CRITICAL" not in nbgrader(course, "export")  # a class on an LMS has no exchange
    assert os.listdir(course / "feedback" / "ada" / CHAPTER) == [f"{CHAPTER}.html"]
    assert (course / "feedback" / "ada" / CHAPTER / f"{CHAPTER}.html").is_file()
    pages = give_back(course, CHAPTER, course / "pages.zip").pages
    assert (pages.names, pages.old) == ({"ada": f"ada_{CHAPTER}.html"}, [])
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert row["student_id"] == "ada"
    assert row["score"] == row["max_score"] != "0.0"
