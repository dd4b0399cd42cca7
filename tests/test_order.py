"""The order of the tests names only files and folders that are there."""

from pathlib import Path

from tests.order import LONGEST, SINGLE, TOGETHER, piece

ROOT = Path(__file__).resolve().parents[1]


def test_every_listed_test_file_exists():
    assert [name for name in (*LONGEST, *TOGETHER, SINGLE) if not (ROOT / name).exists()] == []


def test_files_that_share_a_server_are_one_piece_and_each_notebook_is_one():
    assert piece("tests/site/test_site.py::one[zh/index]") == "tests/site"
    assert piece("tests/lab/test_lab.py::one") == "tests/lab/test_lab.py"
    assert piece(f"{SINGLE}::one[a]") != piece(f"{SINGLE}::one[b]")
