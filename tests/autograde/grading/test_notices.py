"""What a teacher is told of a class beside its grades."""

import pytest

from autograde.grading.notices import above_most, not_as_chosen, without_name
from autograde.grading.record import Record, RecordedCell
from autograde.teacher.settings import CourseSettings
from tests.autograde.small_class import DUE, KIT, gradebook, hand_in, make_course

START = "00_start"
RELEASED = {"key_minus_query": 2.0, "equal_sums": 4.0, "own_question": 3.0}


def record(points):
    kind = {"grade": True, "solution": False, "task": False, "locked": True}
    cells = [RecordedCell(name, "code", "", "", **kind, points=worth) for name, worth in points]
    return Record(tuple(cells), {})


@pytest.mark.parametrize(
    ("course", "released", "differences"),
    [
        (CourseSettings(), RELEASED, None),
        (CourseSettings(points={"equal_sums": 5.0}), RELEASED, "equal_sums 4 → 5"),
        (CourseSettings(points={"equal_sums": 0.0}), RELEASED, "equal_sums 4 → 0"),
        (CourseSettings(), {**RELEASED, "equal_sums": 5.0}, "equal_sums 5 → 4"),
        (CourseSettings(left_out=frozenset({"equal_sums"})), RELEASED, "equal_sums 4 → false"),
        (CourseSettings(), {"equal_sums": 4.0}, "key_minus_query false → 2"),
    ],
)
def test_choices_that_were_not_released_are_told(course, released, differences):
    lines = not_as_chosen(record(released.items()), course, START)
    assert [f": {differences}. " in line for line in lines] == ([True] if differences else [])


def test_points_by_hand_above_what_an_exercise_is_worth_now_are_told(tmp_path):
    with gradebook(make_course(tmp_path / "course", graded_too=False)) as book:
        hand_in(book, "ada", DUE)
        book.find_grade("a_why", KIT, KIT, "ada").manual_score = 2.5
        assert above_most(book, KIT) == []  # of 3
        book.find_graded_cell("a_why", KIT, KIT).max_score = 2
        book.db.commit()
        (line,) = above_most(book, KIT)
    assert line.endswith(": ada a_why 2.5 / 2")


def test_whom_grading_entered_is_told_where_there_is_a_class_list(tmp_path):
    with gradebook(make_course(tmp_path / "course", graded_too=False)) as book:
        assert without_name(book, ["ada"]) == []
        book.add_student("zoe")
        (line,) = without_name(book, ["zoe", "ada", "mia"])
        assert ": mia, zoe. " in line
        assert "submitted/ID" in line
        for one in book.students:
            one.first_name = one.last_name = None
        assert without_name(book, ["zoe", "ada"]) == []
