"""Whoever handed in again has the earlier points, and every table says so."""

import os
import sys

import pytest

from autograde import __main__
from autograde.grading.journal import Journal, fingerprint
from autograde.nbgrader.export import Spreadsheet
from autograde.register.read_register import read_register
from autograde.teacher.course_folder import open_course
from tests.autograde.small_class import KIT, gradebook
from tests.autograde.table_reader import read_table

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # nbgrader's

GRADED = ("ada", "ben", "eve")
LATE_POINTS = 4.0  # of 4.5, two days late
WHOLE = '{"cells": []}'


def notebook(course, student):
    return course / "submitted" / student / KIT / f"{KIT}.ipynb"


@pytest.fixture
def course(late_course):
    """A class that `grade` has graded, a last line half written; ada and gus then handed in."""
    journal = Journal(late_course, KIT)
    for one in GRADED:
        journal.add(one, fingerprint(notebook(late_course, one).parent), 1, {})
    with journal.path.open("a", encoding="utf-8") as file:
        file.write('{"stud')
    journal.lock.release()
    log = late_course / "grading" / "logs" / KIT / "gus.log"
    log.parent.mkdir(parents=True)
    log.write_text("JSONDecodeError", encoding="utf-8")
    os.utime(log, (0, 0))
    for student in ("ada", "gus"):
        notebook(late_course, student).write_text(WHOLE, encoding="utf-8")
    return late_course


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["autograde", *arguments])
    __main__.main()
    return capsys.readouterr().out


def state(course):
    register = read_register(open_course(course, KIT), KIT)
    return {row.student: row.state for row in register.rows}, register.again


def test_who_handed_in_again_is_told_from_whom_nobody_could_grade(course):
    states, again = state(course)
    assert again == ["ada"]
    assert (states["ada"], states["gus"]) == ("graded", "ungraded")
    os.utime(notebook(course, "gus"), (-1, -1))  # what the log is about
    assert state(course)[0]["gus"] == "failed"
    notebook(course, "ada").unlink()  # set aside
    assert state(course)[1] == []


def test_without_a_journal_nobody_is_suspected(late_course):
    notebook(late_course, "ada").write_text(WHOLE, encoding="utf-8")
    assert state(late_course)[1] == []


def test_grades_says_whose_points_are_old_and_keeps_them(course, monkeypatch, capsys):
    printed = run(monkeypatch, capsys, "grades", KIT, "--platform", "moodle")
    assert "handed in again and still with the earlier points: 1. Run" in printed
    assert printed.rstrip().endswith(": ada")
    assert "  gus  handed in, not graded yet" in printed
    ada = next(row for row in read_table(course / "grades-moodle.csv") if row["ID number"] == "ada")
    assert float(ada[KIT]) == LATE_POINTS
    assert ada[f"{KIT} feedback"].startswith("handed in again, not graded yet")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_report_says_so_in_print_on_the_page_and_in_the_table(
    course, monkeypatch, capsys, language
):
    monkeypatch.setenv("POSENC_LANGUAGE", language)
    words = {"en": "handed in again", "zh": "又交了一份"}[language]
    assert words in run(monkeypatch, capsys, "report", KIT)
    page, table = (course / "reports" / f"{KIT}.{end}" for end in ("html", "csv"))
    assert words in page.read_text(encoding="utf-8").lower()
    assert table.read_text(encoding="utf-8-sig").count(words) == 1
    assert ": ada" not in run(monkeypatch, capsys, "report", KIT, "--pseudonyms")


def test_the_export_of_nbgrader_says_so_too(course):
    with gradebook(course) as book:
        Spreadsheet(parent=open_course(course, KIT)).export(book)
    rows = {row["student_id"]: row for row in read_table(course / "grades.csv")}
    assert rows["ada"]["state"] == "handed in again, not graded yet"
    assert float(rows["ada"]["score"]) == LATE_POINTS
    assert rows["ben"]["state"] == "graded"
