"""The numbers of a class report are the gradebook's, and each student stands where they belong."""

import csv
import io
from dataclasses import replace
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.plugins import CsvExportPlugin

from autograde.grading.diagnosis import Diagnosis
from autograde.kit.exercise import Misconception
from autograde.pages.class_report import counts, mistakes
from autograde.pages.class_report.exercise_counts import count_exercises, mark_of
from autograde.pages.class_report.histogram import BINS, histogram
from autograde.pages.class_report.table import write_table
from autograde.pages.marks import MARKS
from autograde.register.read_register import read_register
from autograde.register.results import Result
from autograde.teacher.course_folder import open_course
from bilingual import Text
from tests.autograde.small_class import HOSTILE, KIT, NAMES, gradebook

GRADED = {"ada", "ben", "cai", "dot", "eve", "fay", HOSTILE}


def students(rows):
    return [row.student for row in rows]


def test_each_student_is_in_one_state(register):
    assert {row.student for row in register.in_state("graded")} == GRADED
    assert students(register.in_state("failed")) == ["gus"]
    assert students(register.in_state("ungraded")) == ["hal"]
    assert students(register.in_state("absent")) == ["ivy"]
    assert students(register.rows) == sorted(NAMES)


def test_the_table_equals_nbgraders_own_export(course, register):
    exported = course / "grades.csv"
    with gradebook(course) as book:
        CsvExportPlugin(to=str(exported)).export(book)
    lines = exported.read_text(encoding="utf-8").splitlines()
    theirs = {
        # nbgrader quotes nothing: a comma in a name would move its columns, so count from the end
        row.split(",")[3]: [float(cell) for cell in row.split(",")[-4:]]
        for row in lines[1:]
    }
    ours = {
        row["student_id"]: [
            float(row[column])
            for column in ("raw_score", "late_submission_penalty", "score", "max_score")
        ]
        for row in csv.DictReader(io.StringIO(write_table(register, "en")))
    }
    assert ours == theirs
    assert ours["cai"] == [0.5, 0.25, 0.25, 5.0]
    assert ours["ada"] == [4.5, 0.0, 4.5, 5.0]


def test_each_grade_is_the_gradebooks(course, register):
    with gradebook(course) as book:
        for row in register.in_state("graded"):
            for column in register.columns:
                grade = book.find_grade(column.name, KIT, KIT, row.student)
                assert row.result(column.name).score == grade.score
                assert row.result(column.name).needs_teacher == grade.needs_manual_grade


def test_mean_and_number_of_submissions_are_the_gradebooks(course, register):
    points = counts.points(register)
    with gradebook(course) as book:
        assert points.mean == pytest.approx(book.average_assignment_score(KIT))
        assert len(points.scores) == book.find_assignment(KIT).num_submissions == 8
    assert points.mean == pytest.approx((4.5 + 0.5 + 0.5 + 0.5) / 8)
    assert points.median == pytest.approx(0.25)
    assert points.full == 0


def test_columns_stand_as_the_notebook_has_them(course, register):
    assert [column.name for column in register.columns] == ["double", "a_why"]


def test_without_the_released_notebook_columns_stand_by_name(course):
    (course / "notebooks" / KIT / f"{KIT}.ipynb").unlink()
    register = read_register(open_course(course, KIT), KIT)
    assert [column.name for column in register.columns] == ["a_why", "double"]
    assert register.rows[1].result("double").score == 2.0


def test_marks_checks_and_misconceptions_of_an_exercise(register):
    double, by_hand = count_exercises(register)
    assert double.marks == {
        **dict.fromkeys(MARKS, 0), "full": 1, "part": 3, "zero": 1, "error": 1, "blank": 1,
    }  # fmt: skip
    assert double.mean == pytest.approx((2 + 3 * 0.5) / 7)
    # shape: right, twice squared, and what HOSTILE claims; values: the right answer alone
    assert [(check.name, passed) for check, passed in double.checks] == [
        ("shape", 4),
        ("values", 1),
    ]
    (holders,) = double.holders
    assert (holders.letter, holders.misconception.name) == ("a", "squares")
    assert students(holders.rows) == ["ben", "cai"]
    unnamed = {tuple(c.name for c in one.checks): students(one.rows) for one in double.unnamed}
    assert unnamed == {("values",): [HOSTILE], ("shape", "values"): ["eve"]}
    (error,) = double.related
    assert (error.kind, error.name, students(error.rows)) == ("raised", "NameError", ["fay"])
    assert double.others == 3
    assert by_hand.marks == {
        **dict.fromkeys(MARKS, 0),
        "part": 1,
        "zero": 3,
        "blank": 1,
        "waiting": 2,
    }
    assert by_hand.mean == pytest.approx(2.5 / 5)
    assert (by_hand.checks, by_hand.holders) == ((), ())


def test_students_with_the_same_relation_are_counted_together(register):
    double = next(column for column in register.columns if column.name == "double")
    sentence = Text(en="It is 3 times the right one.", zh="是3倍。")
    tripled = Diagnosis("relation", "factor", sentence, ("values",))
    forged = Diagnosis("relation", "<script>", sentence, ("values",))
    rows = list(register.in_state("graded"))
    results = [(row, Result("double", 0.5, 2.0, tripled)) for row in rows[:2]]
    results.append((rows[2], Result("double", 0.5, 2.0, forged)))
    (related,) = mistakes.related(double, results)
    assert (related.name, related.sentence, len(related.rows)) == ("factor", sentence, 2)
    (unnamed,) = mistakes.unnamed(double, results)
    assert ([check.name for check in unnamed.checks], len(unnamed.rows)) == (["values"], 1)


def test_two_mistakes_at_once_are_counted_with_those_who_made_one_of_them(register):
    double = next(column for column in register.columns if column.name == "double")
    plain, both = Text(en="It is 3 times as much.", zh="是3倍。"), Text(en="Two.", zh="两件事。")
    pairs = (("squares_and_factor", both), ("input_x_and_factor", both), ("factor", plain))
    wrong = [Diagnosis("relation", name, sentence, ("values",)) for name, sentence in pairs]
    wrong.append(Diagnosis("misconception", "squares", plain, ("values",)))
    graded = register.in_state("graded")
    results = [
        (row, Result("double", 0.5, 2.0, one)) for row, one in zip(graded, wrong, strict=False)
    ]
    rows = [row for row, _ in results]
    (holders,) = mistakes.holders(double, results)
    assert (holders.misconception.name, holders.rows) == ("squares", (rows[0], rows[3]))
    factor, changed = mistakes.related(double, results)
    assert (factor.name, factor.sentence, factor.rows) == ("factor", plain, tuple(rows[:3]))
    assert (changed.name, changed.rows) == ("input_x", (rows[1],))


def test_every_mistake_has_a_letter_however_many_an_exercise_names(register):
    names = [f"mistake_{place}" for place in range(28)]
    texts = Text(en="It is wrong.", zh="错了。")
    kinds = tuple(Misconception(name, texts, str) for name in names)
    double = register.columns[0]
    column = replace(double, exercise=replace(double.exercise, misconceptions=kinds))
    row = register.in_state("graded")[0]
    results = [
        (row, Result("double", 0, 2, Diagnosis("misconception", name, texts, ("values",))))
        for name in names
    ]
    letters = [one.letter for one in mistakes.holders(column, results)]
    assert letters == [*ascii_lowercase, "aa", "bb"]


@pytest.mark.parametrize(
    ("diagnosis", "mark"),
    [
        (Diagnosis("unsolved", "unsolved"), "blank"),
        (Diagnosis("checks", "values"), "zero"),
        (Diagnosis("error", "NameError"), "error"),
        (Diagnosis("raised", "TypeError"), "error"),
        (Diagnosis("slow", "TooSlow"), "slow"),
        (None, "zero"),
    ],
)
def test_what_has_no_points_is_told_apart(diagnosis, mark):
    assert mark_of(Result("double", 0.0, 2.0, diagnosis)) == mark
    assert mark_of(Result("double", 0.5, 2.0, diagnosis)) == "part"
    waiting = Result("double", 0.0, 2.0, diagnosis, needs_teacher=True, has_no_points_yet=True)
    assert mark_of(waiting) == "waiting"


def test_who_is_stuck_late_not_run_and_left_to_grade(register):
    stuck = {
        one.row.student: {
            mark: [a.name for a in some] for mark, some in one.columns.items() if some
        }
        for one in counts.stuck(register)
    }
    assert stuck == {
        "dot": {"blank": ["double", "a_why"]},
        "eve": {"zero": ["double", "a_why"]},
        "fay": {"zero": ["a_why"], "error": ["double"]},
        HOSTILE: {"zero": ["a_why"]},
    }
    assert list(stuck)[-1] == HOSTILE  # one exercise: the least stuck
    (late,) = counts.late(register)
    assert (late.student, late.seconds_late) == ("cai", 2.5 * 3600)
    (late,) = counts.late(register.under(str.upper))
    assert (late.student, late.seconds_late, late.days_late) == ("CAI", 0, 1)
    (failed,) = counts.not_run(register)
    assert (failed.row.student, failed.diagnosis.name) == ("fay", "NameError")
    ((column, rows),) = counts.by_hand(register)
    assert (column.name, students(rows)) == ("a_why", ["ben", "cai"])
    (broken,) = register.in_state("failed")
    assert "not a notebook" in broken.problem.en


scores = st.lists(st.floats(-5, 40), min_size=1).map(tuple)


@given(scores=scores, most=st.sampled_from([0.0, 0.5, 3.0, 26.0]))
def test_every_submission_is_in_one_bar(scores, most):
    picture = histogram(scores, most)
    assert sum(bar.count for bar in picture.bars) == len(scores)
    tallest = max(picture.bars, key=lambda bar: bar.count)
    for bar in picture.bars:
        assert bar.y + bar.height == pytest.approx(picture.floor)
        assert bar.height == pytest.approx(tallest.height * bar.count / tallest.count)


@pytest.mark.parametrize(
    ("score", "place"), [(0, 0), (0.2, 2), (0.3, 3), (0.7, 7), (0.99, 9), (1, 9), (1.5, 9), (-1, 0)]
)
def test_a_bar_holds_its_lower_end_and_the_last_one_all_that_is_full(score, place):
    counted = [bar.count for bar in histogram((score,), 1.0).bars]
    assert counted.index(1) == place
    assert sum(counted) == 1
    assert len(counted) == BINS


def test_a_score_on_an_edge_is_in_the_bar_above_it_however_it_is_rounded():
    edges = tuple(0.3 * place for place in range(10))  # of 3.0: 0.3 / 3.0 is below a tenth
    assert [bar.count for bar in histogram(edges, 3.0).bars] == [1] * BINS
