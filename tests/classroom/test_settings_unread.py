"""Where nbgrader cannot read `nbgrader_config.py`, nothing of a student's runs."""

import shutil

import nbformat
import pytest

from tests.classroom.one_chapter import CHAPTER, blank_text, hand_in, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def course(released, tmp_path_factory):
    """A course whose one student would leave a file behind, run by an ordinary kernel."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(released, course, dirs_exist_ok=True)
    book = nbformat.reads(blank_text(course), as_version=4)
    mark = course / "mark"
    book.cells.insert(0, nbformat.v4.new_code_cell(f"open({str(mark)!r}, 'w').close()"))
    hand_in(course, "ada", nbformat.writes(book))
    return course


@pytest.mark.parametrize("line", ["this is no Python", "1 / 0", ""])
def test_nothing_runs_whatever_is_wrong_with_the_file(course, line):
    config = course / "nbgrader_config.py"
    before = config.read_text(encoding="utf-8")
    config.write_text(f"{before}\n{line}\n" if line else "", encoding="utf-8")
    try:
        result = run(course, "nbgrader", "autograde", CHAPTER)
    finally:
        config.write_text(before, encoding="utf-8")
    assert result.returncode != 0
    assert "nbgrader-config-was-not-read" in result.stderr
    assert not (course / "mark").exists()


def test_an_error_above_ends_nbgrader_and_names_the_line(course):
    config = course / "nbgrader_config.py"
    before = config.read_text(encoding="utf-8")
    config.write_text(before.replace("put_alembic_on_path()", "1 / 0"), encoding="utf-8")
    try:
        result = run(course, "nbgrader", "autograde", CHAPTER)
    finally:
        config.write_text(before, encoding="utf-8")
    assert result.returncode == 1
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (course / "mark").exists()
