"""How nbgrader's autograde reads a submission."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograde.nbgrader.autograde import JUDGED, SANITISED, Rebuild, SubmittedNotebook


@pytest.fixture
def handed_in(tmp_path):
    path = tmp_path / "handed in.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("'a student''s words'")]), path)
    return path


def steps(exporter, preprocessors):
    """Have the exporter take these steps, as nbgrader's Autograde does between its two passes."""
    exporter._preprocessors = []
    for step in preprocessors:
        exporter.register_preprocessor(step, enabled=True)


def test_nothing_unjudged_lies_among_what_is_graded(handed_in, tmp_path):
    exporter = SubmittedNotebook()
    steps(exporter, SANITISED)
    written, resources = exporter.from_filename(str(handed_in), resources={"unique_key": "1"})
    assert nbformat.reads(written, as_version=4).cells == []
    assert resources == {"unique_key": "1", "output_extension": ".ipynb"}

    between = tmp_path / "autograded.ipynb"
    between.write_text(written, encoding="utf-8")
    steps(exporter, [lambda notebook, resources: (notebook, resources)])
    read, resources = exporter.from_filename(str(between))
    assert "a student" in nbformat.reads(read, as_version=4).cells[0].source
    assert resources["metadata"]["path"] == str(tmp_path)


def test_a_teachers_own_step_that_sanitises_is_taken(handed_in):
    def shouting(notebook, resources):
        notebook.cells[0].source = notebook.cells[0].source.upper()
        return notebook, resources

    exporter = SubmittedNotebook()
    steps(exporter, [shouting])
    written, _ = exporter.from_filename(str(handed_in))
    assert "A STUDENT" in nbformat.reads(written, as_version=4).cells[0].source


def test_a_submission_is_rebuilt_before_anything_else_sees_it():
    assert JUDGED[0] is Rebuild
