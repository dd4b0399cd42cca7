"""Where nbgrader cannot read `nbgrader_config.py`, nothing of a student's runs."""

import nbformat
import pytest
from traitlets.config import PyFileConfigLoader

from tests.classroom.one_chapter import CHAPTER, ROOT, blank_text, hand_in, run

CONFIG = "nbgrader_config.py"


@pytest.mark.slow
def test_nothing_runs_where_a_line_below_raises(course):
    """The one student would leave a file behind, run by an ordinary kernel."""
    book = nbformat.reads(blank_text(course), as_version=4)
    mark = course / "mark"
    book.cells.insert(0, nbformat.v4.new_code_cell(f"open({str(mark)!r}, 'w').close()"))
    hand_in(course, "ada", nbformat.writes(book))
    with (course / CONFIG).open("a", encoding="utf-8") as config:
        config.write("1 / 0\n")
    result = run(course, "nbgrader", "autograde", CHAPTER)
    assert result.returncode != 0
    assert "nbgrader-config-was-not-read" in result.stderr
    assert not mark.exists()


def test_an_error_above_ends_nbgrader_and_names_the_line(tmp_path):
    above, _, below = (ROOT / CONFIG).read_text(encoding="utf-8").partition("put_alembic_on_path()")
    (tmp_path / CONFIG).write_text(f"{above}1 / 0{below}", encoding="utf-8")
    line = above.count("\n") + 1
    with pytest.raises(SystemExit, match=f"line {line}, has ended this: ZeroDivisionError"):
        PyFileConfigLoader(CONFIG, path=str(tmp_path)).load_config()
