"""What an exercise came to, told in one word."""

import pytest

from autograde.grading.diagnosis import Diagnosis
from autograde.pages.marks import mark

WRONG = Diagnosis("checks", "shape")


@pytest.mark.parametrize(
    ("score", "points", "diagnosis", "expected"),
    [
        (2.0, 2.0, WRONG, "full"),  # by hand
        (1.0, 2.0, WRONG, "part"),
        (0.0, 2.0, WRONG, "zero"),
        (0.0, 0.0, WRONG, "zero"),
        (0.0, 0.0, None, "full"),
    ],
)
def test_an_exercise_worth_nothing_still_says_whether_it_is_right(
    score, points, diagnosis, expected
):
    assert mark(score, points, diagnosis, waiting=False) == expected
