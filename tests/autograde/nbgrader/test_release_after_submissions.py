"""Once there are submissions a release has the cells of the first; only points may change."""

import json

import nbformat
import pytest
from nbformat.v4 import new_notebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import PyFileConfigLoader

from autograde.kit.cell_role import CellRole
from tests.autograde.small_class import KIT, gradebook, graded, make_course
from tools.build.contents import ROOT

RELEASED = f"notebooks/{KIT}/{KIT}.ipynb"


@pytest.fixture
def course(tmp_path):
    """A class that has handed in, and the course's own notebook."""
    folder = make_course(tmp_path / "course")
    cells = [graded("double"), graded("a_why")]
    for cell in cells:
        cell.metadata.nbgrader |= {"task": False, "locked": True, "points": 2, "schema_version": 3}
    cells[0].metadata |= CellRole("check", "double").metadata()
    source = folder / "solutions" / KIT / f"{KIT}.ipynb"
    source.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), source)
    return folder


def record(course, *names):
    """Note which cells were released."""
    with gradebook(course) as book:
        for name in names:
            book.add_source_cell(name, KIT, KIT, cell_type="code")


def generate(course, **choices):
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    config.CourseDirectory.root = str(course)
    config.KeepChoices.update(choices)
    return NbGraderAPI(config=config).generate_assignment(KIT, force=True)


@pytest.mark.parametrize(
    ("released", "left_out"), [(["double", "a_why"], ["double"]), (["a_why"], [])]
)
def test_a_refused_exercise_leaves_what_was_released(course, released, left_out):
    record(course, *released)
    before = (course / RELEASED).read_bytes()
    result = generate(course, left_out=left_out)
    assert not result["success"]
    assert f"{KIT} has submissions" in result["log"]
    assert "(double)" in result["log"]
    assert "Traceback" not in result["log"]
    assert (course / RELEASED).read_bytes() == before


def test_points_change_to_nothing_as_well(course):
    record(course, "double", "a_why")
    result = generate(course, points={"double": 0.0})
    assert result["success"], result["log"]
    cell, *_ = json.loads((course / RELEASED).read_text(encoding="utf-8"))["cells"]
    assert cell["metadata"]["nbgrader"]["points"] == 0
    with gradebook(course) as book:
        assert book.find_submission(KIT, "ada").max_score == 2
