"""`python -m autograde grade`: a class, killed and run again, with one that breaks."""

import json
import os
import shutil
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograde.grading.class_grading import ClassGrading
from autograde.grading.submissions import GradeError
from autograde.teacher.course_folder import course_api
from autograde.teacher.errors import CannotBegin
from tests.classroom.class_of_five import make_class
from tests.classroom.interrupted import grade_again, graded_whole
from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    grade,
    hand_in,
    scores,
    solved_text,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def course(course):
    """A course with a chapter released, and three students: one right, one blank, one broken."""
    blank = blank_text(course)
    hand_in(course, "ada", solved_text(course))
    hand_in(course, "zoe", blank)
    hand_in(course, "mia", blank[: len(blank) // 2])
    return course


def journal(course):
    path = course / "grading" / f"{CHAPTER}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line)["student"] for line in lines]


@pytest.fixture(scope="module")
def undisturbed(released, tmp_path_factory):
    """A class of five as handed in, the same class graded, and the table of its grades."""
    template, course = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("graded")
    shutil.copytree(released, template, dirs_exist_ok=True)
    make_class(template)
    shutil.copytree(template, course, dirs_exist_ok=True)
    return template, course, graded_whole(course)


@pytest.mark.skipif(sys.platform != "linux", reason="a process is kept short of things as on Linux")
def test_runs_that_are_interrupted_one_after_the_other_lose_nothing(undisturbed, tmp_path):
    """Five moments of four runs; `python -m tests.classroom.interrupted` draws more."""
    template, _, whole = undisturbed
    runs = [[("disk", 0)], [("twice", 1), ("disk", 2)], [("kill", 4)], [("memory", 6)]]
    full, full_later, _, _ = grade_again(template, tmp_path / "course", runs, whole)
    assert "run the same command again" in full
    assert "run the same command again" in full_later


@pytest.mark.skipif(sys.platform != "linux", reason="a process is killed as on Linux")
def test_a_repeat_that_is_killed_loses_nothing(undisturbed, tmp_path):
    _, graded, whole = undisturbed
    grade_again(graded, tmp_path / "course", [[("kill", 3)]], whole, repeat=True)


def test_a_submission_that_changed_is_graded_again(course):
    grade(course)
    graded = journal(course)
    assert sorted(graded) == ["ada", "zoe"]
    assert "0 graded, 2 skipped as graded before, 1 could not be graded" in grade(course)[1]
    assert journal(course) == graded  # nothing twice
    book = nbformat.read(course / "submitted" / "ada" / CHAPTER / FILE, as_version=4)
    book.cells.append(nbformat.v4.new_code_cell("1 + 1"))
    hand_in(course, "ada", nbformat.writes(book))
    grade(course)
    assert journal(course) == [*graded, "ada"]


def test_nbgraders_own_command_gives_the_same_grades(course):
    shutil.rmtree(course / "submitted" / "mia")
    assert grade(course)[0]
    ours = scores(course)
    assert ours["ada"] > ours["zoe"] == 0
    done = course_api(course).autograde(CHAPTER, "*", force=True)
    assert done["success"], done["log"]
    assert scores(course) == ours


@pytest.mark.skipif("POSENC_POSTGRES" not in os.environ, reason="POSENC_POSTGRES names no server")
def test_a_gradebook_on_postgresql_gets_the_same_grades(course):
    url = os.environ["POSENC_POSTGRES"]  # of an empty database
    config = course / "nbgrader_config.py"
    setting = f"\nc.CourseDirectory.db_url = {url!r}\n"
    config.write_text(config.read_text(encoding="utf-8") + setting, encoding="utf-8")
    assert course_api(course).generate_assignment(CHAPTER, force=True)["success"]
    shutil.rmtree(course / "submitted" / "mia")
    assert grade(course)[0]
    with Gradebook(url) as gradebook:
        graded = {one.student.id: one.score for one in gradebook.assignment_submissions(CHAPTER)}
    most = max(graded.values())
    assert {name for name, score in graded.items() if score == most} == {"ada"}


def test_the_courses_settings_reach_the_grader(course):
    options = ClassGrading(course_api(course), CHAPTER).options
    assert options.lowest_tier == 3
    assert options.pictures is False


def test_what_cannot_be_graded_is_named(course):
    with pytest.raises(CannotBegin, match="no_such_chapter"):
        ClassGrading(course_api(course), "no_such_chapter")
    shutil.rmtree(course / "submitted")
    with pytest.raises(GradeError, match="submitted"):
        ClassGrading(course_api(course), CHAPTER)
