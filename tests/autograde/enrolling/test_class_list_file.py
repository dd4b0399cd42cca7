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
        ("id\tlast_name\tfirst_name\r\nada\tLovelace\tAda\r\n", "utf-16"),
        ("id|last_name|first_name\nada|Lovelace|Ada\n", "utf-8"),
        ("id，last_name，first_name\nada，Lovelace，Ada\n", "utf-8"),
        ("Positions, autumn\n\nid;last_name;first_name\nada;Lovelace;Ada\n", "utf-8"),
    ],
)
def test_a_spreadsheets_file_is_read_by_the_names_of_its_columns(saved, text, encoding):
    assert read_class_list_file(saved(text, encoding)).students == {"ada": ADA}


def test_a_file_of_excel_in_china_is_read_by_its_encoding(saved):
    path = saved("学号,姓名\n20260001,张三\n", "gb18030")
    with pytest.raises(CannotBegin, match=r"is not UTF-8\..* --encoding gb18030"):
        read_class_list_file(path)
    for name in ("foo", "rot13"):
        with pytest.raises(CannotBegin, match=f"There is no encoding {name}: --encoding gb18030"):
            read_class_list_file(path, name)
    students = read_class_list_file(path, "gb18030").students
    assert students == {"20260001": {"last_name": "张三"}}


def test_a_name_in_one_column_is_taken_and_columns_that_are_not_are_named(saved):
    """Seen: `Student ID,Name` made a student without a name, and said nothing."""
    class_list = read_class_list_file(saved("Student ID,Name,Group,\n1,Ada Lovelace,B,\n"))
    assert class_list.students == {"1": {"last_name": "Ada Lovelace"}}
    assert class_list.unused == ["Group"]
    class_list = read_class_list_file(saved("学号,姓,名,姓名\n1,张,三,张三\n"))
    assert class_list.students == {"1": {"last_name": "张", "first_name": "三"}}
    assert class_list.unused == ["姓名"]


def test_full_width_digits_of_an_id_are_digits(saved):
    assert [*read_class_list_file(saved("学号\n２０２６\n")).students] == ["2026"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has a column of student ids"),
        ("name,class\nAda,B\n", "the first is: name,class"),
        ("\n学号 姓名\n1 张三\n", "the first is: 学号 姓名. .* separated by a comma"),
        ("学号，姓名\n1,张三\n", "line 2: .* not “1,张三”"),
        ("id,ID\nada,ada\n", "both id: id, ID"),
        ("id\n", "has no students"),
        ("id,email\nada,a@b.c\n,c@d.e\n", "line 3: there is no student id"),
        ("id\nada\n\nada\n", "line 4: ada is on line 2 as well"),
        ('id,email\nada,"a@b.c\nbob,b@c.d\n', r"line 3: this is not CSV .*quotation mark"),
        ("id\n../ada\n", "line 2: a student id is letters and digits"),
        ("id\n2.0260001E+11\n", "made the student id a number, 2.0260001E"),
        ("id\n20260001.0\n", "line 2: .* made the student id a number, 20260001.0:"),
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
        assert all(map(is_plain_id, read_class_list_file(path).students))


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
    assert others == "In the gradebook but not in the file, and left there: zoe"
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
    assert last.startswith("course.toml gives 'adda' an extension, but the class list has no such")
    assert last.endswith("Did you mean 'ada'?")


@pytest.fixture
def enrolled(tmp_path, saved, monkeypatch, capsys):
    """Return what enrols a text and returns what was printed."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)

    def enrol(text):
        monkeypatch.setattr(sys, "argv", ["autograde", "students", str(saved(text))])
        main()
        return capsys.readouterr().out

    return enrol


def test_a_name_in_one_column_takes_the_place_of_both_parts(tmp_path, enrolled):
    """Seen: 刘,洋 and then 刘洋 made 刘洋洋, whom `collect` did not know, and said nothing."""
    enrolled("学号,姓,名\n1,刘,洋\n2,陈,曦\n3,,\n")
    printed = enrolled("学号,姓名,邮箱\n1,刘洋,\n2,陈希,\n3,张三,\n")
    assert "Names changed: 1: 2 陈曦 → 陈希\n" in printed
    assert "Names changed" not in enrolled("学号,邮箱\n1,a@b.c\n")
    with closing(Gradebook(f"sqlite:///{tmp_path}/gradebook.db")) as book:
        names = {(one.last_name, one.first_name) for one in book.students}
    assert names == {("刘洋", None), ("陈希", None), ("张三", None)}


@pytest.mark.parametrize("text", ["学号\n1\n12345\n", "学号\n1\n０12345\n"])
def test_an_id_without_its_leading_zeros_is_refused_and_nobody_is_enrolled(
    tmp_path, enrolled, text
):
    """Seen: a second list, whose zeros Excel had dropped, made a second student of each."""
    enrolled("学号,姓名\n00012345,王小明\n")
    with pytest.raises(SystemExit, match=r"line 3: 0?12345 and 00012345 differ in leading zeros"):
        enrolled(text)
    assert "there before: 1" in enrolled("学号,姓名\n00012345,王小明\n")
    with closing(Gradebook(f"sqlite:///{tmp_path}/gradebook.db")) as book:
        assert [one.id for one in book.students] == ["00012345"]


def test_two_ids_of_one_list_that_differ_in_zeros_alone_are_refused(enrolled):
    with pytest.raises(SystemExit, match=r"line 3: 7 and 07 .* fill it in again\.$"):
        enrolled("id\n07\n7\n")  # the gradebook has neither


def test_two_ids_that_differ_in_case_alone_are_refused(enrolled):
    """Seen: `Ada` and `ada`; then every file of either named several students."""
    with pytest.raises(SystemExit, match=r"line 3: ada and Ada differ in .*case.* a folder\.$"):
        enrolled("id\nAda\nada\n")
    enrolled("id\nAda B\n")
    with pytest.raises(SystemExit, match=r"line 2: ada b and Ada B .* student remove 'Ada B'$"):
        enrolled("id\nada b\n")


def test_zeros_that_no_spreadsheet_drops_are_of_different_ids(enrolled):
    assert "new in the gradebook: 4" in enrolled("id\nabc\n0abc\n0\n00\n")


def test_the_command_names_unused_columns_and_namesakes(enrolled):
    printed = enrolled("id,surname,first name,Group\n1,王,小明,A\n2,Lovelace,Ada,A\n3,,,B\n4,,,B\n")
    assert "Columns not used: Group" in printed
    assert "same name" not in printed
    printed = enrolled("id,name\n5,王小明\n6,Li Bo\n7,Bo Li\na.b,\na-b,\n")
    for students in ("1 王小明, 5 王小明", "6 Li Bo, 7 Bo Li", "a-b, a.b"):
        assert printed.count(f"same name or id: {students}.") == 1
