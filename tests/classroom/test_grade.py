"""`python -m autograde grade`: a class, killed and run again, with one that breaks."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from nbgrader.api import Gradebook

from autograde.grading.class_grading import ClassGrading, GradeError
from autograde.teacher.course_folder import course_api
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


def test_a_killed_run_started_again_gives_every_grade_once(course):
    started = subprocess.Popen(
        [sys.executable, "-m", "autograde", "grade", CHAPTER],
        cwd=course,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 120
    while len(journal(course)) < 3:
        assert time.monotonic() < until
        time.sleep(0.02)
    below = psutil.Process(started.pid).children(recursive=True)
    started.send_signal(signal.SIGKILL)
    started.wait()
    assert psutil.wait_procs(below, timeout=60)[1] == []  # it leaves nothing running
    before = journal(course)

    again = run(course, "autograde", "grade", CHAPTER)
    assert again.returncode == 1  # one file is not a notebook
    assert "mia" in again.stdout
    graded = journal(course)
    assert graded[: len(before)] == before
    assert sorted(graded) == sorted({"ada", "zoe", *(f"blank{n}" for n in range(6))})
    most = max(scores(course).values())
    right = {name for name, score in scores(course).items() if score == most}
    assert right == {"ada", "zoe"}
    assert {name for name, score in scores(course).items() if score == 0} == {
        "mia",
        *(f"blank{n}" for n in range(6)),
    }

    third = run(course, "autograde", "grade", CHAPTER)
    assert journal(course) == graded  # nothing twice
    assert "8" in third.stdout

    book = nbformat.read(course / "submitted" / "ada" / CHAPTER / FILE, as_version=4)
    book.cells.append(nbformat.v4.new_code_cell("1 + 1"))
    hand_in(course, "ada", nbformat.writes(book))  # handed in again
    run(course, "autograde", "grade", CHAPTER)
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
