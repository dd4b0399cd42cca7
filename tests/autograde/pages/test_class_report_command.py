"""The command: what it writes, under which names, and what it says when it cannot."""

import errno
import gc
import os
import re
import stat
import sys

import pytest

from autograde import __main__
from autograde.pages.class_report.pseudonyms import KEY_FILE, course_key, pseudonym
from autograde.teacher.spreadsheet import harmless
from tests.autograde.small_class import HOSTILE, KIT, NAMES, SCRIPT, gradebook, make_course
from tests.autograde.table_reader import read_table
from tests.full_disk import fill_disk


@pytest.fixture
def course(course, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    return course


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["autograde", "report", *arguments])
    __main__.main()


def refused(monkeypatch, capsys, *arguments):
    """Return what the command says when it refuses."""
    with pytest.raises(SystemExit) as exit_:
        run(monkeypatch, *arguments)
    assert capsys.readouterr() == ("", "")
    zh, en = exit_.value.code.split("\n")
    return zh, en


def test_the_command_writes_a_page_and_a_table_and_prints_their_paths(course, monkeypatch, capsys):
    run(monkeypatch, KIT)
    printed = capsys.readouterr().out
    for name in (f"{KIT}.html", f"{KIT}.csv"):
        assert (course / "reports" / name).is_file()
        assert name in printed
    assert not (course / KEY_FILE).exists()


def test_commands_speak_the_language_of_the_course_unless_the_reader_has_one(
    course, monkeypatch, capsys
):
    (course / "course.toml").write_text('language = "zh"', encoding="utf-8")
    run(monkeypatch, KIT)
    assert "page" not in capsys.readouterr().out
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    run(monkeypatch, KIT)
    assert "网页" not in capsys.readouterr().out
    (course / "course.toml").write_text("language = zh", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"course\.toml"):  # the command itself says so
        run(monkeypatch, KIT)


def test_the_table_opens_in_a_spreadsheet(course, monkeypatch):
    run(monkeypatch, KIT, "--out", "elsewhere", "--language", "zh")
    path = course / "elsewhere" / f"{KIT}.csv"
    assert path.read_bytes().startswith(b"\xef\xbb\xbfstudent_id,")
    by_student = {row["student_id"]: row for row in read_table(path)}
    assert by_student.keys() == NAMES.keys()
    assert by_student["cai"]["last_name"] == "蔡"
    assert by_student["cai"]["hours_late"] == "2.5"
    assert by_student["ben"]["by_hand"] == "1"
    assert by_student["ada"]["double"] == "2.0"
    assert by_student["gus"]["double"] == ""
    assert by_student["ivy"]["state"] == "没有提交"
    assert by_student[HOSTILE]["last_name"] == SCRIPT
    assert by_student[HOSTILE]["first_name"].startswith("'=HYPERLINK")


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "＝1", "\n=1"])
def test_no_cell_of_the_table_starts_a_spreadsheet_formula(cell):
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize(("cell", "text"), [("Ada;=1", "Ada;'=1"), ("a; @x;b", "a;' @x;b")])
def test_no_cell_starts_one_where_semicolons_separate_them(cell, text):
    assert harmless(cell) == text


@pytest.mark.parametrize("cell", ["ada", "a=b", "a;b", "", -1.5, 0])
def test_other_cells_are_left_alone(cell):
    assert harmless(cell) == cell


def test_pseudonyms_hide_names_ids_errors_and_order(course, monkeypatch):
    run(monkeypatch, KIT, "--pseudonyms")
    run(monkeypatch, KIT)
    page = (course / "reports" / f"{KIT}-pseudonyms.html").read_text(encoding="utf-8")
    table = read_table(course / "reports" / f"{KIT}-pseudonyms.csv")
    key = course_key(course)
    assert [row["student_id"] for row in table] == sorted(pseudonym(key, name) for name in NAMES)
    assert not {"last_name", "first_name", "timestamp", "hours_late"} & table[0].keys()
    late = [row["student_id"] for row in table if row["days_late"] == "1"]
    assert late == [pseudonym(key, "cai")]
    assert "2.5 h" not in page
    text = page + str(table)
    for student, (last, _) in NAMES.items():
        assert pseudonym(key, student) in text
        assert not re.search(rf"\b{re.escape(student)}\b", text)
        assert len(last) == 1 or last not in text  # one hanzi may stand in any sentence
    assert "is not defined by Fay" not in page
    assert "NameError" in page
    scores = {
        row["student_id"]: row["score"] for row in read_table(course / "reports" / f"{KIT}.csv")
    }
    assert {row["student_id"]: row["score"] for row in table} == {
        pseudonym(key, name): score for name, score in scores.items()
    }


def test_the_key_makes_the_pseudonym(tmp_path):
    # computed apart from this code: RFC 2104 by hand with hashlib, "ada" under 32 zero bytes
    assert pseudonym(bytes(32), "ada") == "S-6UIR-AOSP"
    assert pseudonym(bytes(32), "ada") != pseudonym(bytes([1]) * 32, "ada")
    assert len({pseudonym(bytes(32), f"student{n}") for n in range(2000)}) == 2000


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path):
    key = course_key(tmp_path)
    assert course_key(tmp_path) == key
    assert len(key) == 32
    other = tmp_path / "other"
    other.mkdir()
    assert course_key(other) != key
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_a_full_disk_leaves_no_key_and_names_the_one_that_was_not_written(
    course, monkeypatch, capsys
):
    with monkeypatch.context() as patch:
        fill_disk(patch)
        assert (
            f"{KEY_FILE} cannot be written: No space"
            in (refused(patch, capsys, KIT, "--pseudonyms")[1])
        )
    assert list(course.glob("*.key*")) == []
    run(monkeypatch, KIT, "--pseudonyms")


def test_of_two_reports_that_make_a_key_at_once_the_first_one_counts(tmp_path, monkeypatch):
    link, keys = os.link, []

    def other_first(unfinished, path):
        monkeypatch.setattr(os, "link", link)
        keys.append(course_key(tmp_path))
        link(unfinished, path)

    monkeypatch.setattr(os, "link", other_first)
    assert [course_key(tmp_path)] == keys
    assert list(tmp_path.glob("*.key*")) == [tmp_path / KEY_FILE]


def test_a_file_system_without_links_has_a_key_too(tmp_path, monkeypatch):
    def refuse(unfinished, path):
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "link", refuse)
    assert course_key(tmp_path) == course_key(tmp_path)
    assert list(tmp_path.glob("*.key*")) == [tmp_path / KEY_FILE]


def test_a_broken_key_is_not_replaced(course, monkeypatch, capsys):
    (course / KEY_FILE).write_text("half", encoding="utf-8")
    zh, en = refused(monkeypatch, capsys, KIT, "--pseudonyms")
    assert "密钥" in zh
    assert KEY_FILE in en
    assert (course / KEY_FILE).read_text(encoding="utf-8") == "half"
    assert not (course / "reports").exists()


def test_an_unknown_assignment_suggests_the_nearest_or_lists_all(course, monkeypatch, capsys):
    assert refused(monkeypatch, capsys, "77_kut") == (
        f"没有名为'77_kut'的作业。是不是{KIT!r}？",
        f"There is no assignment named '77_kut'. Did you mean {KIT!r}?",
    )
    assert refused(monkeypatch, capsys, "zzz")[1].endswith(f"Available: {KIT}.")


def test_a_missing_gradebook_is_reported_and_not_created(course, monkeypatch, capsys):
    (course / "gradebook.db").unlink()
    zh, en = refused(monkeypatch, capsys, KIT)
    assert "没有成绩库" in zh
    assert "There is no gradebook" in en
    assert not (course / "gradebook.db").exists()


@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # left so by nbgrader
def test_a_damaged_gradebook_is_reported(course, monkeypatch, capsys):
    (course / "gradebook.db").write_text("no database" * 1000, encoding="utf-8")
    zh, en = refused(monkeypatch, capsys, KIT)
    assert "成绩库无法使用" in zh
    assert "not a database" in en
    gc.collect()  # a later test has no such filter


def test_nothing_graded_yet(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    monkeypatch.chdir(make_course(tmp_path / "new", graded_too=False))
    zh, en = refused(monkeypatch, capsys, KIT)
    assert "还没有已评分的提交" in zh
    assert f"run python -m autograde grade {KIT}." in en


def test_if_nothing_could_be_graded_the_reasons_are_told_without_names(course, monkeypatch, capsys):
    for path in (course / "autograded").glob(f"*/{KIT}/{KIT}.ipynb"):
        path.unlink()
    zh, en = refused(monkeypatch, capsys, KIT)
    assert en == (
        f"No submission of {KIT} could be graded: nbgrader could not grade it (7 of them); "
        "the file is broken: it is not a notebook (1 of them)."
    )
    assert "nbgrader无法评分（7份）；文件已损坏：不是notebook（1份）。" in zh


@pytest.mark.parametrize(
    "rest", [b"", '{"cells": [{"source": "\u5b57'.encode()[:-1], b'{"metadata": {}}', b"[]"]
)
def test_a_graded_notebook_that_is_not_whole_costs_its_student_alone(course, monkeypatch, rest):
    (course / "autograded" / "ada" / KIT / f"{KIT}.ipynb").write_bytes(rest)
    run(monkeypatch, KIT)
    states = {
        row["student_id"]: row["state"] for row in read_table(course / "reports" / f"{KIT}.csv")
    }
    assert "could not be graded" in states["ada"]
    assert "could not be graded" not in states["ben"]


def test_a_source_that_is_half_saved_is_named(course, monkeypatch, capsys):
    path = course / "source" / KIT / f"{KIT}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text('{"cells": [', encoding="utf-8")
    assert f"{KIT}.ipynb is not a notebook" in refused(monkeypatch, capsys, KIT)[1]


def test_outside_of_a_course(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    monkeypatch.chdir(tmp_path)
    assert "course folder" in refused(monkeypatch, capsys, KIT)[1]


def test_a_place_that_cannot_be_written(course, monkeypatch, capsys):
    (course / "taken").write_text("a file", encoding="utf-8")
    zh, en = refused(monkeypatch, capsys, KIT, "--out", "taken")
    assert "无法写入" in zh
    assert "taken cannot be written" in en


def test_a_full_disk_is_told_of_the_file_that_it_leaves_as_it_was(course, monkeypatch, capsys):
    run(monkeypatch, KIT)
    capsys.readouterr()
    page = course / "reports" / f"{KIT}.html"
    before = page.read_bytes()
    fill_disk(monkeypatch)
    assert f"{page.name} cannot be written: No space" in refused(monkeypatch, capsys, KIT)[1]
    assert page.read_bytes() == before


def test_reading_changes_no_grade(course, monkeypatch):
    def grades():
        with gradebook(course) as book:
            return book.find_assignment(KIT).to_dict(), [
                one.to_dict() for one in book.assignment_submissions(KIT)
            ]

    before = grades()
    run(monkeypatch, KIT, "--pseudonyms")
    assert grades() == before
