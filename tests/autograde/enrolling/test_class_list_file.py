"""Class lists as spreadsheets save them go into the gradebook whole, or not at all."""

import shutil
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook

from autograde.__main__ import main
from autograde.collecting.class_list import is_plain_id
from autograde.enrolling.class_list_file import read_class_list_file
from autograde.teacher.errors import CannotBegin

ROOT = Path(__file__).resolve().parents[3]
ADA = {"first_name": "Ada", "last_name": "Lovelace"}


@pytest.fixture
def saved(tmp_path):
    def save(text, encoding="utf-8"):
        path = tmp_path / "students.csv"
        path.write_text(text, encoding=encoding, newline="")
        return path

    return save


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id,first_name,last_name\nada,Ada,Lovelace\n", "utf-8"),
        ("id;first_name;last_name\r\nada;Ada;Lovelace\r\n;;\r\n\r\n", "utf-8-sig"),
        ("Surname\tFirst name\tID number\tGroup\nLovelace\tAda\t ada \tB\n", "utf-8"),
        ('"ID","LAST_NAME","FIRST_NAME"\n"ada","Lovelace","Ada"', "utf-8"),
    ],
)
def test_a_spreadsheets_file_is_read_by_the_names_of_its_columns(saved, text, encoding):
    assert read_class_list_file(saved(text, encoding)) == {"ada": ADA}


def test_a_file_of_excel_in_china_is_read_by_its_encoding(saved):
    path = saved("学号,姓名\n20260001,张三\n", "gb18030")
    with pytest.raises(CannotBegin, match=r"is not UTF-8\..* --encoding gb18030"):
        read_class_list_file(path)
    assert read_class_list_file(path, "gb18030") == {"20260001": {"last_name": "张三"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column of student ids"),
        ("name,class\nAda,B\n", "only: 'name', 'class'"),
        ("id,ID\nada,ada\n", "both id: id, ID"),
        ("id\n", "has no students"),
        ("id,email\nada,a@b.c\n,c@d.e\n", "line 3: there is no student id"),
        ("id\nada\n\nada\n", "line 4: ada is on line 2 as well"),
        ('id,email\nada,"a@b.c\nbob,b@c.d\n', r"line 3: this is not CSV .*quotation mark"),
        ("id\n../ada\n", "line 2: a student id is letters and digits"),
        ("id\n2.0260001E+11\n", "rounded the student id to 2.0260001E"),
    ],
)
def test_what_is_not_a_class_list_is_named_with_its_line(saved, text, message):
    with pytest.raises(CannotBegin, match=message):
        read_class_list_file(saved(text))


@given(st.binary(max_size=60))
def test_whatever_the_bytes_are_it_is_a_class_list_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"id,email\n" + content)
    with suppress(CannotBegin):
        assert all(map(is_plain_id, read_class_list_file(path)))


def test_the_command_adds_renews_and_names_who_is_in_the_gradebook_alone(
    tmp_path, saved, monkeypatch, capsys
):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    lists = "id,email\nada,a@b.c\nzoe\n", "id,email,last_name\nada,,Lovelace\nbob,b@b.c,Brown\n"
    for text in lists:
        monkeypatch.setattr(sys, "argv", ["autograde", "students", str(saved(text))])
        main()
    *_, done, others = capsys.readouterr().out.splitlines()
    assert done.endswith("new in the gradebook: 1, there before: 1")
    assert others == "In the gradebook but not in the file, and left there: 'zoe'"
    with closing(Gradebook(f"sqlite:///{tmp_path}/gradebook.db")) as book:
        assert {one.id: one.last_name for one in book.students} == {
            "ada": "Lovelace",
            "bob": "Brown",
            "zoe": None,
        }
        assert book.find_student("ada").email == "a@b.c"  # the second list has none


def test_the_command_names_extensions_of_people_who_are_not_on_the_list(
    tmp_path, saved, monkeypatch, capsys
):
    """Seen: a wrong id in course.toml came to light only when work was collected."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "course.toml").write_text("[extensions.05_rope]\nadda = 2\nzoe = 1\n")
    monkeypatch.setattr("autograde.teacher.settings.chapter_names", lambda: ["05_rope"])
    monkeypatch.setattr(sys, "argv", ["autograde", "students", str(saved("id\nada\nzoe\n"))])
    main()
    *_, last = capsys.readouterr().out.splitlines()
    assert "named 'adda'. Did you mean 'ada'?" in last
