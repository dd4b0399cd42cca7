"""A cell of grades.csv is text or a number, whatever a student is called."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograde.teacher.spreadsheet import ENCODING, FORMULA, write_csv

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
