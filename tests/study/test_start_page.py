"""The table of contents shows what is next before any cell has run."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from tests.study.course import load, notebook, prose, save
from tools.study.start_page import show_progress
from tools.study.trust import is_trusted, trust


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path / "data"))
    path = tmp_path / "study/index.ipynb"
    personal = {"posenc": {"role": "personal"}}
    cells = [prose("title", "# Contents"), new_code_cell("progress()", metadata=personal)]
    save(path, notebook(*cells, new_code_cell("own", id="own")))
    return path


def test_its_cell_holds_links_to_what_is_next(index):
    show_progress(index)
    (output,) = nbformat.read(index, as_version=4).cells[1].outputs
    en, zh = output.data["text/html"].split('<div lang="')[1:][::-1]
    assert 'href="00_start/00_start.ipynb#cell-id=section-0-en"' in en
    assert 'href="00_start/00_start.ipynb#cell-id=section-0-zh"' in zh
    assert "Your way" not in zh
    assert "Your way: everything" in output.data["text/plain"]
    assert nbformat.read(index, as_version=4).cells[2].outputs == []
    assert not is_trusted(nbformat.read(index, as_version=4))  # nor was it before


def test_a_trusted_one_stays_trusted(index):
    trust(nbformat.read(index, as_version=4))
    show_progress(index)
    assert is_trusted(nbformat.read(index, as_version=4))


def test_a_cell_that_was_made_prose_shows_nothing(index):
    contents = nbformat.read(index, as_version=4)
    contents.cells[1] = prose("progress", "progress()")
    contents.cells[1].metadata = {"posenc": {"role": "personal"}}
    save(index, contents)
    show_progress(index)
    assert "outputs" not in load(index).cells[1]


def test_an_unreadable_one_stays_as_it_is(index):
    index.write_bytes(b"{half")
    show_progress(index)
    assert index.read_bytes() == b"{half"
