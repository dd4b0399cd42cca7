"""A page goes back to whom it is about: a platform finds the student by the name of the file."""

import io
import os
import sys
import zipfile

import pytest
from rich.console import Console

from autograde import __main__
from autograde.collecting.collect import collect
from autograde.giving_back.command import give_back
from autograde.teacher.course_folder import open_course
from autograde.teacher.errors import CannotBegin
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


def download(folder, names):
    """Collect a download of these files, as a platform names them."""
    work = (folder / "notebooks" / KIT / f"{KIT}.ipynb").read_bytes()
    archive = folder / "downloaded" / KIT / "archive" / "all.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as files:
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
        path = folder / "feedback" / student / KIT / f"{KIT}.html"
        path.parent.mkdir(parents=True)
        path.write_text(f"the page of {student}", encoding="utf-8")


def whole_class(folder, names):
    download(folder, names)
    grade(folder, *CLASS)
    write_pages(folder, *CLASS)


def packed(folder, platform=None):
    """Return the names of the zip by student, as the pages in it say whose they are."""
    path = folder / "out.zip"
    give_back(folder, KIT, path, platform)
    with zipfile.ZipFile(path) as archive:
        names = {archive.read(name).decode(): name for name in archive.namelist()}
        assert len(names) == len(archive.namelist())
    return {page.removeprefix("the page of "): name for page, name in names.items()}


def run(monkeypatch, capsys, *options):
    monkeypatch.setattr(sys, "argv", ["autograde", "give-back", KIT, *options])
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


def test_for_all_others_a_page_is_named_by_id_name_and_chapter(course):
    whole_class(course, FORMS["folders"].values())
    assert packed(course) == PLAIN


def test_the_platform_can_be_named(course):
    whole_class(course, FORMS["moodle"].values())
    assert packed(course, "folders") == PLAIN
    assert packed(course, "canvas") == PLAIN  # not one has Canvas's numbers


def test_a_name_with_a_slash_or_a_star_is_the_name_of_no_folder(course):
    enrol(course, {"eve": ("../../E*v/e", "")})
    grade(course, "eve")
    write_pages(course, "eve")
    assert packed(course) == {"eve": f"eve_.._.._E_v_e_{KIT}.html"}


def test_nobodys_page_takes_anothers_place(course):
    enrol(course, {"a": ("b", ""), "a_b": ("", "")})
    grade(course, "a", "a_b")
    write_pages(course, "a", "a_b")
    assert packed(course).keys() == {"a", "a_b"}


def test_whom_collect_noted_no_name_for_is_named_plainly_and_listed(course, monkeypatch, capsys):
    download(course, [FORMS["moodle"]["0017"], FORMS["moodle"]["ada"]])
    notebook(course, "submitted", "cy_5")  # by hand
    grade(course, *CLASS)
    write_pages(course, *CLASS)
    lines = run(monkeypatch, capsys)
    assert lines[0].startswith(f"feedback-{KIT}.zip: feedback pages 3 (0.0 MB), named for Moodle")
    assert lines[1].startswith("Moodle would leave out the pages of these students")
    assert lines[2:] == ["  cy_5  Cy Young"]
    with zipfile.ZipFile(course / f"feedback-{KIT}.zip") as archive:
        assert PLAIN["cy_5"] in archive.namelist()


def test_who_has_no_page_is_listed_with_the_reason(course, monkeypatch, capsys):
    download(course, [FORMS["moodle"]["0017"], FORMS["moodle"]["ada"]])
    grade(course, "0017", "ada")
    write_pages(course, "ada")
    lines = run(monkeypatch, capsys, "--out", "some.zip")
    assert lines[0].startswith("some.zip: feedback pages 1 ")
    assert lines[1:] == [
        f"{KIT}: no page for 2:",
        f"  0017  张三  graded, but without a page: run nbgrader generate_feedback {KIT}",
        "  cy_5  Cy Young  nothing handed in",
    ]


def test_a_page_of_work_that_does_not_count_any_more_stays_here(course):
    download(course, FORMS["moodle"].values())
    grade(course, "ada")
    write_pages(course, *CLASS)  # of two who are not graded
    assert packed(course).keys() == {"ada"}


def test_a_page_older_than_the_last_grading_is_said(course, monkeypatch, capsys):
    whole_class(course, FORMS["moodle"].values())
    os.utime(course / "feedback" / "ada" / KIT / f"{KIT}.html", (1, 1))  # before 1980, as zip is
    lines = run(monkeypatch, capsys)
    assert lines[1].startswith("Made before the last grading, so perhaps with old points: ada. Run")


def test_without_a_page_nothing_is_written(course):
    download(course, FORMS["moodle"].values())
    with pytest.raises(CannotBegin, match="Nobody has a feedback page"):
        packed(course)
    assert not (course / "out.zip").exists()


def test_a_link_is_not_a_page(course):
    whole_class(course, FORMS["moodle"].values())
    page = course / "feedback" / "ada" / KIT / f"{KIT}.html"
    page.unlink()
    page.symlink_to(course / "gradebook.db")
    assert packed(course).keys() == {"0017", "cy_5"}
