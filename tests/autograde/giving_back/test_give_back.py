"""A page goes back to whom it is about: a platform finds the student by the name of the file."""

import errno
import io
import os
import re
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from rich.console import Console

from autograde import __main__
from autograde.collecting.collect import collect
from autograde.giving_back.command import OLD_IN_ZIP, WAITING, give_back
from autograde.grading.journal import Journal
from autograde.handed_in.problem import NOT_JSON
from autograde.teacher.collected import read_collected, write_collected
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin
from tests.autograde.late_class import CONFIG as LATE_CONFIG
from tests.autograde.late_class import choose
from tests.autograde.small_class import CONFIG, KIT, gradebook, hand_in, notebook

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # nbgrader's

CLASS = {"0017": ("张", "三"), "ada": ("Ada Lovelace", ""), "cy_5": ("Cy Young", "")}  # last, first
FORMS = {
    "moodle": {
        "0017": "张三_1009_assignsubmission_file/hw/{file}",
        "ada": "Ada Lovelace_1010_assignsubmission_file/{file}",
        "cy_5": "Cy Young_1011_assignsubmission_file/{file}",
    },
    "canvas": {
        "0017": "张三_LATE_503_9003_{file}",
        "ada": "adalovelace_504_9004_{file}",
        "cy_5": "cyyoung_505_9005_{stem}-1.ipynb",
    },
    "folders": {
        "0017": "0017_张三/{file}",
        "ada": "Ada Lovelace/{file}",
        "cy_5": "cy_5/{file}",
    },
}
MOODLE = {"0017": "1009", "ada": "1010", "cy_5": "1011"}
CANVAS = {"0017": ("503", "9003"), "ada": ("504", "9004"), "cy_5": ("505", "9005")}
PLAIN = {
    "0017": f"0017_张三_{KIT}.html",
    "ada": f"ada_Ada Lovelace_{KIT}.html",
    "cy_5": f"cy_5_Cy Young_{KIT}.html",
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Work in the course of a class of three; return its folder."""
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: [KIT])
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook(folder, "notebooks", ".")
    with gradebook(folder) as book:
        book.add_assignment(KIT)
        book.add_notebook(KIT, KIT)
        book.add_grade_cell("double", KIT, KIT, max_score=2, cell_type="code")
    enrol(folder, CLASS)
    monkeypatch.chdir(folder)
    return folder


def enrol(folder, names):
    with gradebook(folder) as book:
        for student, (last, first) in names.items():
            book.add_student(student, last_name=last, first_name=first)


def download(folder, names, archive="all.zip"):
    """Collect a download of these files, as a platform names them."""
    work = (folder / "notebooks" / KIT / f"{KIT}.ipynb").read_bytes()
    path = folder / "downloaded" / KIT / "archive" / archive
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as files:
        for name in names:
            files.writestr(name.format(file=f"{KIT}.ipynb", stem=KIT), work)
    console = Console(file=io.StringIO(), width=200)
    assert collect(open_course(folder, KIT).coursedir, KIT, console)


def grade(folder, *students):
    with gradebook(folder) as book:
        for student in students:
            notebook(folder, "autograded", student)
            hand_in(book, student, "2026-09-14 12:00:00")
            one = book.find_grade("double", KIT, KIT, student)
            one.auto_score, one.needs_manual_grade = 1, False
        book.db.commit()


def write_pages(folder, *students):
    for student in students:
        path = page_of(folder, student)
        path.parent.mkdir(parents=True)
        path.write_text(f"the page of {student}: {total('1/2')}", encoding="utf-8")


def total(points):
    """Return the points of a page, as it states them for programs."""
    return f'<meta name="total" content="{points}">'


def page_of(folder, student):
    return folder / "feedback" / student / KIT / f"{KIT}.html"


def whole_class(folder, names):
    download(folder, names)
    grade(folder, *CLASS)
    write_pages(folder, *CLASS)


def packed(folder, platform=None):
    """Return the names of the zip by student, as the pages in it say whose they are."""
    path = folder / "out.zip"
    give_back(folder, KIT, path, platform)
    with zipfile.ZipFile(path) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    names = {re.match("the page of (.+):", page)[1]: name for name, page in pages.items()}
    assert len(names) == len(pages)
    return names


def run(monkeypatch, capsys, *options):
    monkeypatch.setattr(sys, "argv", ["autograde", "give-back", KIT, *options])
    with suppress(SystemExit):
        __main__.main()
    return capsys.readouterr().out.splitlines()


def by_moodle(name):
    """Return number and file name, as Moodle's importziplib.php reads a name."""
    _, number, kind, plugin, file = name.split("_", 4)
    assert (kind, plugin) == ("assignsubmission", "file")
    return number, file


def by_canvas(name):
    """Return the student's and the file's number, as Canvas's abstract_assignment.rb reads them."""
    student, file, *_ = [part for part in name.split("_") if part.isdecimal()]
    return student, file


def test_moodle_finds_each_student_by_the_number_of_its_download(course):
    whole_class(course, FORMS["moodle"].values())
    names = packed(course)
    read = {student: by_moodle(name) for student, name in names.items()}
    assert read == {student: (number, f"{KIT}.html") for student, number in MOODLE.items()}
    assert names["0017"] == f"张三_1009_assignsubmission_file_{KIT}.html"


def test_so_it_does_after_a_download_without_folders(course):
    whole_class(course, [name.replace("file/", "file_") for name in FORMS["moodle"].values()])
    read = {student: by_moodle(name)[0] for student, name in packed(course).items()}
    assert read == MOODLE


def test_canvas_finds_each_student_by_the_two_numbers_of_its_download(course):
    whole_class(course, FORMS["canvas"].values())
    names = packed(course)
    assert {student: by_canvas(name) for student, name in names.items()} == CANVAS
    assert names["0017"] == f"张三_LATE_503_9003_{KIT}.html"


def test_numbers_of_a_folder_are_not_those_of_canvas(course):
    """Seen: all pages named for student 2, file 77, and the command silent."""
    whole_class(course, [f"class_2_{KIT}_all/{name}" for name in FORMS["canvas"].values()])
    assert {student: by_canvas(name) for student, name in packed(course).items()} == CANVAS


def test_for_all_others_a_page_is_named_by_id_name_and_chapter(course):
    whole_class(course, FORMS["folders"].values())
    assert packed(course) == PLAIN


def test_the_platform_can_be_named(course):
    whole_class(course, FORMS["moodle"].values())
    assert packed(course, "folders") == PLAIN
    assert packed(course, "canvas") == PLAIN  # not one has Canvas's numbers
    pages = give_back(course, KIT, course / "out.zip", "canvas").pages
    assert pages.unnamed == list(CLASS)


def test_who_names_a_platform_that_is_not_the_downloads_is_asked_about_it(
    course, monkeypatch, capsys
):
    """Seen: "collect noted no file name", of a whole class whose names are Moodle's."""
    whole_class(course, FORMS["moodle"].values())
    lines = run(monkeypatch, capsys, "--platform", "canvas")
    assert lines[-1].endswith("collected from Moodle: did you mean --platform moodle?")


def test_one_file_of_another_platform_costs_the_others_nothing(course, monkeypatch, capsys):
    """Seen: names for people, which Moodle matches to nobody, for the whole class."""
    download(course, [FORMS["folders"]["cy_5"]], "old.zip")
    (course / "downloaded" / KIT / "archive" / "old.zip").unlink()
    whole_class(course, [FORMS["moodle"]["0017"], FORMS["moodle"]["ada"]])
    names = packed(course)
    assert {one: by_moodle(names[one])[0] for one in ("0017", "ada")} == {
        one: MOODLE[one] for one in ("0017", "ada")
    }
    assert names["cy_5"] == PLAIN["cy_5"]
    lines = run(monkeypatch, capsys)
    assert lines[1].startswith("Moodle cannot match these pages")
    assert lines[2:] == ["  cy_5  Cy Young"]


def test_a_name_with_a_slash_or_a_star_is_the_name_of_no_folder(course):
    enrol(course, {"eve": ("../../E*v/e", "")})
    grade(course, "eve")
    write_pages(course, "eve")
    assert packed(course) == {"eve": f"eve_.._.._E_v_e_{KIT}.html"}


def test_nobodys_page_takes_anothers_place(course):
    """`BOB_…` and `bob_…` are one file on Windows and macOS."""
    students = {"a": ("b", ""), "a_b": ("", ""), "BOB": ("", ""), "bob": ("", "")}
    enrol(course, students)
    grade(course, *students)
    write_pages(course, *students)
    names = packed(course)
    assert names.keys() == students.keys()
    assert len({name.casefold() for name in names.values()}) == len(students)


def test_of_two_pages_for_one_account_one_is_given_back_by_hand(course):
    """Seen: `_` in front, and Moodle read another part as the number."""
    whole_class(course, FORMS["moodle"].values())
    record = read_collected(course, KIT)
    write_collected(course, KIT, record | {"cy_5": record["ada"]})
    names = packed(course)
    assert (by_moodle(names["ada"])[0], names["cy_5"]) == (MOODLE["ada"], PLAIN["cy_5"])


def test_no_name_is_too_long_for_a_file(course):
    enrol(course, {"eve": ("名" * 120, "")})
    grade(course, "eve")
    write_pages(course, "eve")
    (name,) = packed(course).values()
    assert len(name.encode()) <= 255
    assert re.fullmatch(f"eve_名+_{KIT}.html", name)


def test_whom_collect_noted_no_name_for_is_named_plainly_and_listed(course, monkeypatch, capsys):
    download(course, [FORMS["moodle"]["0017"], FORMS["moodle"]["ada"]])
    notebook(course, "submitted", "cy_5")  # by hand
    grade(course, *CLASS)
    write_pages(course, *CLASS)
    lines = run(monkeypatch, capsys)
    expected = f"feedback-{KIT}.zip (0.0 MB), named for Moodle; feedback pages: 3"
    assert lines[0].startswith(expected)
    assert lines[1].startswith("Moodle cannot match these pages")
    assert lines[2:] == ["  cy_5  Cy Young"]
    with zipfile.ZipFile(course / f"feedback-{KIT}.zip") as archive:
        assert PLAIN["cy_5"] in archive.namelist()


def test_who_has_no_page_is_listed_with_the_reason(course, monkeypatch, capsys):
    download(course, [FORMS["moodle"]["0017"], FORMS["moodle"]["ada"]])
    enrol(course, {"gus": ("G\x1b[2J", "")})
    notebook(course, "submitted", "gus").write_text('{"cells": [', encoding="utf-8")
    with gradebook(course) as book:
        hand_in(book, "gus", "2026-09-14 12:00:00")
    grade(course, "0017", "ada")
    write_pages(course, "ada")
    lines = run(monkeypatch, capsys, "--out", "some.zip")
    assert lines[0].endswith("; feedback pages: 1")
    assert lines[1:] == [
        f"{KIT}: no page for 3:",
        f"  0017  张三  graded, but without a page: run nbgrader generate_feedback {KIT}",
        "  cy_5  Cy Young  nothing handed in",
        f"  gus  G\\x1b[2J  {NOT_JSON.en}",
    ]


def test_a_page_of_work_that_does_not_count_any_more_stays_here(course):
    download(course, FORMS["moodle"].values())
    grade(course, "ada")
    write_pages(course, *CLASS)  # of two who are not graded
    assert packed(course).keys() == {"ada"}


def test_a_page_older_than_the_last_grading_is_said(course, monkeypatch, capsys):
    whole_class(course, FORMS["moodle"].values())
    os.utime(page_of(course, "ada"), (1, 1))  # before 1980, as zip is
    monkeypatch.setattr(sys, "argv", ["autograde", "give-back", KIT])
    with pytest.raises(SystemExit, match=r"^1$"):
        __main__.main()
    first, done = capsys.readouterr().out.splitlines()
    assert first == OUT_OF_DATE
    assert done.startswith(f"feedback-{KIT}.zip (")


OUT_OF_DATE = OLD_IN_ZIP.format(students="ada", chapter=KIT, path=f"feedback-{KIT}.zip").en


@pytest.mark.parametrize("has_a_question", [False, True])
def test_a_page_with_other_points_than_the_gradebook_is_said(
    course, has_a_question, monkeypatch, capsys
):
    """Seen: points by hand after generate_feedback, and old totals went out without a word."""
    whole_class(course, FORMS["moodle"].values())
    with gradebook(course) as book:
        one = book.find_grade("double", KIT, KIT, "ada")
        if has_a_question:  # 0 of 0 points until it is graded
            one.auto_score, one.needs_manual_grade = None, True
        else:
            one.manual_score = 0.5
        book.db.commit()
    expected = "0/0" if has_a_question else "0.5/2"
    of_a_student = f"<strong>{expected.replace('/', '</strong> / ')} points"
    page_of(course, "ada").write_text(f"the page of ada: {total('1/2')}{of_a_student}")
    waiting = WAITING.format(chapter=KIT, count=1).en
    first, _, *others = run(monkeypatch, capsys)
    assert (first, others) == (OUT_OF_DATE, [waiting] * has_a_question)
    page_of(course, "ada").write_text(total(expected))
    assert run(monkeypatch, capsys)[1:] == [waiting] * has_a_question


def test_a_moved_deadline_changes_the_points_before_they_are_compared(course, monkeypatch, capsys):
    whole_class(course, FORMS["moodle"].values())
    (course / "nbgrader_config.py").write_text(LATE_CONFIG, encoding="utf-8")
    choose(course, f"[late]\nper_day = 0.1\n[deadlines]\n{KIT} = 2026-09-14T11:00:00Z\n")
    students = ", ".join(sorted(CLASS))
    assert f"have changed since: {students}." in run(monkeypatch, capsys)[0]


def test_who_handed_in_again_is_said(course, monkeypatch, capsys):
    whole_class(course, FORMS["moodle"].values())
    journal = Journal(course, KIT)
    journal.add("ada", "of another notebook", 1, {})
    journal.lock.release()
    (line,) = run(monkeypatch, capsys)[1:]
    assert "handed in again and still with the earlier points: 1." in line


def test_a_page_that_cannot_be_read_stops_no_other(course, monkeypatch, capsys):
    """Seen: "out.zip cannot be written: Permission denied"."""
    whole_class(course, FORMS["moodle"].values())
    read_bytes, page = Path.read_bytes, page_of(course, "ada")

    def refuse(path):
        if path == page:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert packed(course).keys() == {"0017", "cy_5"}
    line = run(monkeypatch, capsys)[2]
    assert line == f"  ada  Ada Lovelace  its page, {page}, cannot be read: Permission denied"


@pytest.mark.parametrize("name", ["gradebook.db", f"downloaded/{KIT}/archive/all.zip"])
def test_no_other_file_is_replaced(course, name):
    """Seen: `--out gradebook.db`, by a shell's completion, and all grades were gone."""
    whole_class(course, FORMS["moodle"].values())
    before = (course / name).read_bytes()
    with pytest.raises(CannotBegin, match="is not a file of the kind"):
        give_back(course, KIT, course / name)
    assert (course / name).read_bytes() == before


def test_without_a_page_nothing_is_written(course):
    download(course, FORMS["moodle"].values())
    with pytest.raises(CannotBegin, match="Nobody has a feedback page"):
        packed(course)
    assert not (course / "out.zip").exists()


def test_a_link_is_not_a_page(course):
    whole_class(course, FORMS["moodle"].values())
    page = page_of(course, "ada")
    page.unlink()
    page.symlink_to(course / "gradebook.db")
    assert packed(course).keys() == {"0017", "cy_5"}
