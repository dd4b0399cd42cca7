"""A cell of grades.csv is text or a number, whatever a student is called."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograde.nbgrader.export import Spreadsheet
from autograde.teacher.course_folder import open_course
from autograde.teacher.spreadsheet import ENCODING, FORMULA, write_csv
from tests.autograde.small_class import KIT, make_course

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(st.lists(TEXT, min_size=2, max_size=2), min_size=1))
def test_what_is_read_back_is_what_was_written_and_no_formula(rows):
    table = list(csv.reader(io.StringIO(write_csv(rows), newline="")))
    for row, cells in zip(rows, table, strict=True):
        assert [cell.replace("'", "") for cell in cells] == [cell.replace("'", "") for cell in row]
        for part in (part for cell in cells for part in cell.split(";")):
            assert not part.lstrip().startswith(FORMULA)


@pytest.mark.parametrize("cell", ["=1+1", " =1+1", "\t=1", "+1", "-1", "@a", "＝1", "＋1"])
def test_a_formula_is_text(cell):
    assert write_csv([[cell]]).lstrip('"').startswith("'")


def test_numbers_stay_numbers_and_hanzi_are_marked():
    assert write_csv([["张三", -1.5, 2]]) == "张三,-1.5,2\r\n"
    assert "张三".encode(ENCODING).startswith(b"\xef\xbb\xbf")


def test_a_file_that_cannot_be_written_ends_the_export_in_a_sentence(tmp_path):
    folder = make_course(tmp_path / "course")
    api = open_course(folder, KIT)
    reason = f"{folder} cannot be written: Is a directory"
    with api.gradebook as book, pytest.raises(SystemExit, match=reason):
        Spreadsheet(to=str(folder), parent=api).export(book)
