"""`python -m autograde grade`: a class, killed and run again, with one that breaks."""

import json
import os
import shutil
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograde.grading.class_grading import ClassGrading, GradeError
from autograde.teacher.course_folder import course_api
from tests.classroom.class_of_twelve import make_class
from tests.classroom.interrupted import COMMAND, grade_again, graded_whole
from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    hand_in,
    release,
    run,
    scores,
    solved_text,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path):
    """A course with a chapter released, and nine students: two right, six blank, one broken."""
    release(tmp_path)
    blank, right = blank_text(tmp_path), solved_text(tmp_path)
    hand_in(tmp_path, "ada", right)
    hand_in(tmp_path, "zoe", right)
    hand_in(tmp_path, "mia", blank[: len(blank) // 2])
    for number in range(6):
        hand_in(tmp_path, f"blank{number}", blank)
    return tmp_path


def journal(course):
    path = course / "grading" / f"{CHAPTER}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line)["student"] for line in lines]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A class of twelve, released and handed in, and the table that grading it gives."""
    template, course = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("graded")
    make_class(template)
    shutil.copytree(template, course, dirs_exist_ok=True)
    return template, graded_whole(course)


@pytest.mark.skipif(sys.platform != "linux", reason="a process is kept short of things as on Linux")
@pytest.mark.parametrize(
    ("kind", "moment"), [("kill", 3), ("disk", 0), ("disk", 8), ("memory", 10), ("twice", 5)]
)
def test_a_run_that_was_interrupted_loses_nothing(undisturbed, tmp_path, kind, moment):
    """Five moments; `python -m tests.classroom.interrupted` draws more."""
    template, whole = undisturbed
    words = grade_again(template, tmp_path / "course", kind, moment, whole)
    assert "run the same command again" in words or kind != "disk"


def test_a_submission_that_changed_is_graded_again(course):
    run(course, *COMMAND)
    graded = journal(course)
    assert "8" in run(course, *COMMAND).stdout
    assert journal(course) == graded  # nothing twice
    book = nbformat.read(course / "submitted" / "ada" / CHAPTER / FILE, as_version=4)
    book.cells.append(nbformat.v4.new_code_cell("1 + 1"))
    hand_in(course, "ada", nbformat.writes(book))
    run(course, *COMMAND)
    assert journal(course) == [*graded, "ada"]


def test_nbgraders_own_command_gives_the_same_grades(course):
    for student in ("mia", *(f"blank{n}" for n in range(1, 6))):
        shutil.rmtree(course / "submitted" / student)
    assert run(course, "autograde", "grade", CHAPTER).returncode == 0
    ours = scores(course)
    done = run(course, "nbgrader", "autograde", CHAPTER, "--force")
    assert done.returncode == 0, done.stderr
    assert scores(course) == ours
    assert ours["ada"] > 0


@pytest.mark.skipif("POSENC_POSTGRES" not in os.environ, reason="POSENC_POSTGRES names no server")
def test_a_gradebook_on_postgresql_gets_the_same_grades(course):
    url = os.environ["POSENC_POSTGRES"]  # of an empty database
    config = course / "nbgrader_config.py"
    setting = f"\nc.CourseDirectory.db_url = {url!r}\n"
    config.write_text(config.read_text(encoding="utf-8") + setting, encoding="utf-8")
    assert run(course, "nbgrader", "generate_assignment", CHAPTER, "--force").returncode == 0
    shutil.rmtree(course / "submitted" / "mia")
    assert run(course, "autograde", "grade", CHAPTER).returncode == 0
    with Gradebook(url) as gradebook:
        graded = {one.student.id: one.score for one in gradebook.assignment_submissions(CHAPTER)}
    most = max(graded.values())
    assert {name for name, score in graded.items() if score == most} == {"ada", "zoe"}


def test_the_courses_settings_reach_the_grader(course):
    options = ClassGrading(course_api(course), CHAPTER).options
    assert options.lowest_tier == 3
    assert options.pictures is False


def test_a_submission_that_cannot_be_graded_gives_one_sentence(course):
    with pytest.raises(GradeError, match="no_such_chapter"):
        ClassGrading(course_api(course), "no_such_chapter")
    shutil.rmtree(course / "submitted")
    with pytest.raises(GradeError, match="submitted"):
        ClassGrading(course_api(course), CHAPTER)
    result = run(course, "autograde", "grade", CHAPTER)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert result.stderr.strip()
