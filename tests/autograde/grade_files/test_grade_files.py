"""What a platform imports is what the gradebook has, and what has no points says why."""

import csv
import io
import sys

import pytest

from autograde import __main__
from autograde.grade_files.command import write_grades
from autograde.register.read_register import read_register
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin
from autograde.teacher.penalties import renew
from tests.autograde.late_class import choose
from tests.autograde.small_class import HOSTILE, KIT, NAMES, gradebook, hand_in, notebook

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # nbgrader's

FREE = 'late = "none"'
GRADED = {"ada", "ben", "cai", "dot", "eve", "fay", HOSTILE}
PEOPLE = "Student,ID,SIS User ID,SIS Login ID,Section"
PLATFORMS_OWN = {  # what a platform exports: the first row
    "list.csv": "学号,姓名",
    "participants.csv": "First name,Last name,ID number,Email address",
    "participants_in_our_order.csv": "ID number,First name,Last name,Email address,Groups",
    "canvas.csv": f"{PEOPLE},77_kit (123)",
    "canvas_totals.csv": f"{PEOPLE},Current Score,Final Score",
    "canvas_list.csv": PEOPLE,
}
KEYS = {"moodle": "ID number", "canvas": "SIS User ID", "chaoxing": "学号"}


def read(path):
    """Return the rows of a file by their header; it begins with the mark that Excel looks for."""
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert {len(row) for row in rows} == {len(header)}
    return [dict(zip(header, row, strict=True)) for row in rows]


def file_rows(folder, platform, language="en", **options):
    path = folder / "out.csv"
    write_grades(folder, [KIT], platform, path, language, **options)
    rows = read(path)
    if platform == "canvas":
        assert rows.pop(0)["Student"].strip() == "Points Possible"
    return {row[KEYS[platform]]: row for row in rows}


def totals(folder):
    renew(open_course(folder, KIT), KIT)
    register = read_register(open_course(folder, KIT), KIT)
    return {row.student: row.total for row in register.in_state("graded")}


@pytest.mark.parametrize(
    ("platform", "column"), [("moodle", KIT), ("canvas", KIT), ("chaoxing", "成绩")]
)
def test_the_points_are_the_gradebooks_and_the_rest_is_empty(late_course, platform, column):
    rows = file_rows(late_course, platform)
    assert rows.keys() == NAMES.keys()
    expected = totals(late_course)
    assert expected.keys() == GRADED
    assert {who: float(row[column]) for who, row in rows.items() if row[column]} == pytest.approx(
        expected, abs=1e-5
    )
    with gradebook(late_course) as book:
        for submission in book.assignment_submissions(KIT):
            if submission.student_id in GRADED:
                total = max(0, submission.score - submission.late_submission_penalty)
                assert expected[submission.student_id] == pytest.approx(total)


@pytest.mark.parametrize("platform", KEYS)
def test_exercises_and_the_penalty_add_up_to_the_total(late_course, platform):
    with gradebook(late_course) as book:  # nothing waits
        for student in ("ben", "cai"):
            grade = book.find_grade("a_why", KIT, KIT, student)
            grade.manual_score, grade.needs_manual_grade = 1.25, False
        book.db.commit()
    rows, whole = file_rows(late_course, platform, exercises=True), totals(late_course)
    for student in GRADED:
        numbers = [
            float(cell) for name, cell in rows[student].items() if KIT in name and is_number(cell)
        ]
        assert len(numbers) == 3
        assert sum(numbers) == pytest.approx(whole[student])
    assert sum(whole.values()) < sum(
        float(cell)
        for student in GRADED
        for name, cell in rows[student].items()
        if KIT in name and is_number(cell) and float(cell) > 0
    )


def is_number(cell):
    try:
        return bool(cell) and float(cell) == float(cell)
    except ValueError:
        return False


def test_broken_missing_ungraded_and_blank_are_told_apart(late_course):
    choose(late_course, FREE)
    for platform, column in (("moodle", f"{KIT} feedback"), ("chaoxing", "评语")):
        rows = file_rows(late_course, platform, "zh")
        assert rows["gus"][column] == "文件已损坏：不是notebook"
        assert rows["hal"][column] == "已提交，尚未评分"
        assert rows["ivy"][column] == "没有提交"
        assert rows["dot"][column] == "空白：与发布时一样"
        assert rows["eve"][column] == ""
    notes = file_rows(late_course, "canvas", notes=True)
    assert notes["gus"]["Notes"] == "the file is broken: it is not a notebook"
    assert notes["ivy"]["Notes"] == "nothing handed in"
    assert "Notes" not in file_rows(late_course, "canvas")["gus"]


def test_what_waits_is_empty_and_said(late_course):
    rows = file_rows(late_course, "moodle", exercises=True)
    assert rows["cai"][f"{KIT} a_why"] == ""
    assert rows["eve"][f"{KIT} a_why"] == "0.0"
    assert "3 points wait for the teacher" in rows["cai"][f"{KIT} feedback"]
    assert "penalty 0.25" in rows["cai"][f"{KIT} feedback"]
    chinese = file_rows(late_course, "chaoxing", "zh")["cai"]["评语"]
    assert "已从分数中扣除；另有3分等老师评分" in chinese


def test_within_the_grace_the_feedback_calls_nobody_late(late_course):
    """Seen: "late by 10 min" with 15 minutes of grace. Handed in at 17:30 UTC, due at 17:20."""
    late = "[late]\nper_day = 0.05\ngrace_minutes = 15\n"
    choose(late_course, f"{late}[deadlines]\n{KIT} = 2026-09-14T17:20:00Z")
    feedback = file_rows(late_course, "moodle")["cai"][f"{KIT} feedback"]
    assert feedback.startswith("10 min after the deadline, within the grace period")


def test_canvas_finds_its_columns_where_its_importer_looks(late_course):
    """By lib/gradebook_importer.rb: row[0], row[1], then SIS numbers, Section before all points."""
    with gradebook(late_course) as book:
        book.update_or_create_student("ada", lms_user_id="4711")
    for notes in (False, True):
        write_grades(late_course, [KIT], "canvas", late_course / "c.csv", "en", notes=notes)
        header, possible, *rows = csv.reader((late_course / "c.csv").open(encoding="utf-8-sig"))
        assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        assert header[5:] == [*(["Notes"] if notes else []), KIT]
        assert "Points Possible" in possible[0]
        assert float(possible[-1]) == 5
        ada = next(row for row in rows if row[2] == "ada")
        assert ada[:5] == ["Ada Lovelace", "4711", "ada", "ada", ""]


def test_no_cell_is_a_formula(late_course):
    for platform in KEYS:
        for row in file_rows(late_course, platform).values():
            assert not any(cell.startswith(("=", "@", "+")) for cell in row.values())


def test_several_chapters_are_columns_of_one_file(late_course):
    with gradebook(late_course) as book:
        book.add_assignment("78_kit")
        book.add_notebook("78_kit", "78_kit")
        book.add_grade_cell("other", "78_kit", "78_kit", max_score=1, cell_type="code")
        hand_in(book, "ada", "2026-09-14 12:00:00", chapter="78_kit")
        book.find_grade("other", "78_kit", "78_kit", "ada").auto_score = 1
        book.db.commit()
    notebook(late_course, "autograded", "ada", chapter="78_kit")
    path = late_course / "both.csv"
    write_grades(late_course, [KIT, "78_kit", KIT], "moodle", path, "en")
    names = [name for name in read(path)[0] if "kit" in name]
    assert names == [KIT, f"{KIT} feedback", "78_kit", "78_kit feedback"]


def test_where_nobody_has_points_nothing_is_written(late_course):
    with gradebook(late_course) as book:
        book.add_assignment("78_kit")
    path = late_course / "both.csv"
    with pytest.raises(CannotBegin, match="Nobody has points in 78_kit"):
        write_grades(late_course, [KIT, "78_kit"], "canvas", path, "en")
    assert not path.exists()


def test_the_file_of_before_is_replaced_and_never_written_into(late_course):
    path, other = late_course / "out.csv", late_course / "other.csv"
    for platform in KEYS:
        write_grades(late_course, [KIT], platform, path, "en", exercises=True)
    before = path.read_bytes()
    other.hardlink_to(path)
    write_grades(late_course, [KIT], "moodle", path, "en")
    assert other.read_bytes() == before != path.read_bytes()


def test_no_other_file_is_replaced(late_course):
    for name in ("gradebook.db", "course.toml", "nbgrader_config.py", *PLATFORMS_OWN):
        path = late_course / name
        if not path.exists():
            path.write_text(f"{PLATFORMS_OWN[name]}\n0017,张三\n", encoding="utf-8-sig")
        before = path.read_bytes()[:20]  # penalties go into the gradebook
        with pytest.raises(CannotBegin, match=f"{name} is not a file of the kind"):
            write_grades(late_course, [KIT], "chaoxing", path, "en")
        assert path.read_bytes()[:20] == before, name


def test_notes_are_for_canvas_alone(late_course):
    with pytest.raises(CannotBegin, match="Canvas alone"):
        file_rows(late_course, "moodle", notes=True)


def test_the_command_writes_the_file_and_says_who_has_no_points(late_course, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["autograde", "grades", KIT, "--platform", "moodle"])
    __main__.main()
    words = capsys.readouterr().out
    assert "students 10, columns of points 1" in words
    assert "no points for 3" in words
    assert "  ivy  nothing handed in" in words
    assert "students whose answers wait for you: 2;" in words
    assert {row["ID number"] for row in read(late_course / "grades-moodle.csv")} == NAMES.keys()
