"""What the report says of its exercises is what their points say, and nothing where they cannot."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograde.grading.diagnosis import Diagnosis
from autograde.kit.catalogue import exercise
from autograde.pages.class_report import item_statistics as items
from autograde.pages.class_report.exercise_counts import count_exercises
from autograde.pages.class_report.item_statistics import FEWEST, item_statistics
from autograde.pages.class_report.together import phi, together
from autograde.register.register import Column, Register, Row
from autograde.register.results import Result
from bilingual import Text

COLUMNS = tuple(Column(name, 2.0, None) for name in ("first", "second", "third"))


def register(table, columns=COLUMNS, waiting=()):
    """Return a class of these points; `waiting`: (student, column) that a teacher has to grade."""
    rows = []
    for number, scores in enumerate(table):
        results = tuple(
            Result(
                column.name,
                score,
                column.points,
                has_no_points_yet=(number, column.name) in waiting,
            )
            for column, score in zip(columns, scores, strict=True)
        )
        rows.append(Row(f"s{number:03}", state="graded", score=float(sum(scores)), results=results))
    most = sum(column.points for column in columns)
    return Register("77_kit", None, most, columns, tuple(rows))


def statistics(*arguments, **settings):
    one = register(*arguments, **settings)
    return item_statistics(one, count_exercises(one))


scores = st.sampled_from([0.0, 0.5, 1.0, 2.0])
tables = st.lists(st.tuples(scores, scores, scores), min_size=FEWEST, max_size=40)


@given(tables)
def test_the_numbers_are_those_of_the_points(table):
    points = np.array(table)
    for place, one in enumerate(statistics(table)):
        mine, rest = points[:, place], np.delete(points, place, axis=1).sum(axis=1)
        assert one.students == len(table)
        assert one.solved == pytest.approx(np.mean(mine == 2.0))
        assert one.mean == pytest.approx(mine.mean() / 2.0)
        if np.ptp(mine) == 0:
            assert (one.discrimination, one.reason) == (None, items.ALL_THE_SAME)
        elif np.ptp(rest) == 0:
            assert (one.discrimination, one.reason) == (None, items.REST_THE_SAME)
        else:
            assert one.reason is None
            assert one.discrimination == pytest.approx(np.corrcoef(mine, rest)[0, 1])


def test_an_exercise_does_not_agree_with_itself():
    """With a total that holds the exercise, the first one would look useful: 0.71."""
    table = [(2.0 * (n % 2), n // 2 % 2, n // 2 % 2) for n in range(12)]
    first, second, _ = statistics(table)
    assert first.discrimination == pytest.approx(0, abs=1e-9)
    assert second.discrimination == pytest.approx(1 / 5**0.5)


def test_who_is_strong_elsewhere_and_fails_here_makes_it_negative():
    table = [(2.0 - n / 6, n / 6, n / 6) for n in range(12)]
    assert statistics(table)[0].discrimination == pytest.approx(-1)


def test_for_a_few_students_there_is_no_number():
    table = [(n % 3 * 1.0, n % 2 * 1.0, 2.0) for n in range(FEWEST - 1)]
    for one in statistics(table):
        assert (one.discrimination, one.reason) == (None, items.TOO_FEW)
    one, *_ = statistics([*table, (0.0, 0.0, 2.0)])
    assert one.discrimination is not None


def test_an_exercise_alone_has_no_rest():
    (one,) = statistics([(1.0,)] * 12, columns=COLUMNS[:1])
    assert one.reason == items.NO_REST
    assert one.dots == ()


def test_what_waits_is_in_no_number():
    table = [(n % 3 * 1.0, n % 2 * 1.0, 0.0) for n in range(12)]
    waiting = {(n, "third") for n in range(11)}
    first, _, third = statistics(table, waiting=waiting)
    without = statistics([row[:2] for row in table], columns=COLUMNS[:2])
    assert first.discrimination == without[0].discrimination
    assert (third.students, third.solved, third.mean) == (1, 0, 0)
    assert third.reason == items.TOO_FEW
    everyone = statistics(table, waiting={(n, "third") for n in range(12)})[2]
    assert (everyone.students, everyone.solved, everyone.mean) == (0, None, None)


@given(tables)
def test_each_student_is_in_one_dot_of_the_picture(table):
    for place, one in enumerate(statistics(table)):
        assert len(one.dots) == len({(dot.x, dot.y) for dot in one.dots})
        for dot in one.dots:
            assert dot.radius <= dot.x <= one.width - dot.radius
            assert 0 <= dot.y <= one.height
        areas = sum((dot.radius / items.RADIUS) ** 2 for dot in one.dots)
        most = Counter(sum(row) - row[place] + 100 * row[place] for row in table).most_common(1)
        if most[0][1] <= items.MOST_IN_DOT:
            assert areas == pytest.approx(len(table))


def test_dots_stand_where_the_points_are():
    one = statistics([(2.0, 2.0, 2.0), (0.0, 0.0, 0.0)])[0]
    assert {(dot.x, dot.y) for dot in one.dots} == {
        (items.WIDTH - items.EDGE, items.EDGE),
        (items.EDGE, items.HEIGHT - items.EDGE),
    }


def held_by(first, second, size):
    """Return a class where students with these numbers hold the misconception of two exercises."""
    double = exercise("double")
    mistake = double.misconceptions[0].name
    columns = tuple(Column(name, 2.0, double) for name in ("one", "two"))
    rows = []
    for number in range(size):
        results = tuple(
            Result(
                column.name,
                0.5 if number in holders else 2.0,
                2.0,
                Diagnosis("misconception", mistake, Text(en="a", zh="b"), ("values",))
                if number in holders
                else None,
            )
            for column, holders in zip(columns, (first, second), strict=True)
        )
        rows.append(Row(f"s{number:03}", state="graded", results=results))
    return Register("77_kit", None, 4.0, columns, tuple(rows))


def pairs(first, second, size):
    one = held_by(first, second, size)
    return together(count_exercises(one), size)


def test_misconceptions_that_the_same_students_hold_are_listed_with_their_numbers():
    (pair,) = pairs(range(5), range(1, 7), 20)
    assert (pair.first_only, pair.both, pair.second_only) == (1, 4, 2)
    by_hand = (20 * 4 - 5 * 6) / math.sqrt(5 * 15 * 6 * 14)
    assert pair.phi == pytest.approx(by_hand)
    assert (pair.first.column.name, pair.second.column.name) == ("one", "two")


@pytest.mark.parametrize(
    ("first", "second", "size"),
    [
        (range(2), range(2), 20),  # two students: chance, or neighbours
        (range(10), range(5, 15), 20),  # half of each: as chance has it
        (range(20), range(20), 20),  # everybody: the one says nothing about the other
        (range(5), range(5, 10), 20),
    ],
)
def test_pairs_that_chance_explains_are_not(first, second, size):
    assert pairs(first, second, size) == []


def test_a_small_class_cannot_tell():
    assert pairs(range(5), range(5), FEWEST - 1) is None
    assert pairs(range(5), range(5), FEWEST) != []


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2))
def test_phi_is_the_correlation_of_two_answers(answers):
    table = np.array(answers, dtype=float)
    first, second = table.sum(axis=0)
    value = phi(int((table[:, 0] * table[:, 1]).sum()), int(first), int(second), len(answers))
    if np.ptp(table, axis=0).all():
        assert value == pytest.approx(np.corrcoef(table.T)[0, 1], abs=1e-12)
    else:
        assert value == 0
