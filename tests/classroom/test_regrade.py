"""One student asks for a regrade: the same inputs again, or new ones, and nobody else's grade."""

import json
import re
import shutil

import pytest

from autograde.grading.class_grading import ClassGrading
from autograde.grading.regrade import stored_seed
from autograde.grading.submissions import GradeError
from autograde.teacher.course_folder import course_api
from tests.classroom.one_chapter import (
    CHAPTER,
    FILE,
    blank_text,
    grade,
    hand_in,
    run,
    scores,
    solved_text,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def course(course):
    """Two students; each cell of one has the same id, as a merge of notebooks leaves it."""
    book = json.loads(solved_text(course))
    for cell in book["cells"]:
        cell["id"] = "the-same"
    hand_in(course, "ada", json.dumps(book))
    hand_in(course, "zoe", blank_text(course))
    return course


def printed_by_grading(course, **choices):
    whole, printed = grade(course, **choices)
    assert whole, printed
    return printed


def seeds(course):
    graded = course / "autograded"
    return {name: stored_seed(graded / name / CHAPTER / FILE) for name in ("ada", "zoe")}


def test_one_student_is_graded_again_with_the_same_inputs_or_new_ones(course):
    done = run(course, "autograde", "grade", CHAPTER)
    assert done.returncode == 0, done.stdout + done.stderr
    for word in ("Warning", "DuplicateCellId", "Non-unique"):
        assert word not in done.stdout + done.stderr
    first, earned = seeds(course), scores(course)
    assert earned["ada"] > earned["zoe"] == 0
    assert None not in first.values()

    shutil.rmtree(course / "autograded" / "ada")  # as a regrade that was killed leaves it
    printed = printed_by_grading(course, repeat=True, students=["ada"])
    assert "No points changed." in printed
    assert "New inputs" not in printed
    assert seeds(course) == first
    assert scores(course) == earned

    hand_in(course, "zoe", blank_text(course) + "\n")  # what she printed may show the inputs
    printed = printed_by_grading(course, repeat=True, students=["zoe"])
    assert "New inputs for what was handed in since the last grading: zoe" in printed
    renewed = seeds(course)["zoe"]
    assert renewed != first["zoe"]

    hand_in(course, "zoe", solved_text(course))
    result = printed_by_grading(course, again=True, students=["zoe"])
    assert "Points changed for 1:" in result
    assert re.search(f"zoe: 0 / (.*) → {earned['ada']:g} / \\1\n", result)
    assert seeds(course)["ada"] == first["ada"]
    assert seeds(course)["zoe"] not in (first["zoe"], renewed)

    with pytest.raises(GradeError, match=r"adda \(ada\?\)"):
        ClassGrading(course_api(course), CHAPTER, only=["zoe", "adda"])

    stock = course_api(course).autograde(CHAPTER, "ada", force=True)  # a warning would be an error
    assert stock["success"], stock["log"]
    assert "Non-unique" not in stock["log"]
    assert scores(course)["ada"] == earned["ada"]
