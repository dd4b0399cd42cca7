"""A teacher's choices in a release: chapters, exercises, points and deadlines of course.toml."""

import ast
import re
from copy import deepcopy
from datetime import datetime

import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import PyFileConfigLoader

from autograde.kit.catalogue import chapter_exercises, exercise
from autograde.kit.cell_role import cell_role
from autograde.nbgrader.release_choices import ASKED, KeepChoices, _with_argument
from bilingual import Text
from tests.all_chapters import CHAPTERS
from tools.build.assemble import assemble
from tools.build.contents import ROOT

DUE = "2026-09-14T23:00:00+08:00"


@pytest.fixture(autouse=True)
def catalogue():
    """Leave the real catalogue in place."""


@pytest.fixture(scope="module")
def assembled():
    return {chapter.name: assemble(chapter) for chapter in CHAPTERS}


@pytest.fixture
def chapter(assembled):
    return deepcopy(assembled["02_sinusoidal"])


def cells_of(notebook, name):
    """Return the cells of an exercise: two tasks, an answer, a check."""
    roles = [(cell, cell_role(cell)) for cell in notebook.cells]
    return [cell for cell, role in roles if role.role in ASKED and role.exercise == name]


def resources(folder):
    url = f"sqlite:///{folder / 'gradebook.db'}"
    return {"nbgrader": {"assignment": "02_sinusoidal", "db_url": url}}


def release(notebook, folder, **choices):
    return KeepChoices(**choices).preprocess(deepcopy(notebook), resources(folder))[0]


@pytest.mark.parametrize("name", [chapter.name for chapter in CHAPTERS])
def test_a_left_out_exercise_is_gone_with_its_task_in_both_languages(name, assembled, tmp_path):
    whole = assembled[name]
    for task in chapter_exercises(name):
        taught = NotebookNode(cells=deepcopy(whole.cells))
        KeepChoices(left_out=[task.id]).preprocess(taught, resources(tmp_path))
        ids = {cell.id for cell in taught.cells}
        gone = [cell for cell in whole.cells if cell.id not in ids]
        roles = [(cell_role(cell).role, cell_role(cell).lang) for cell in gone]
        assert roles == [("task", "en"), ("task", "zh"), ("answer", None), ("check", None)]
        text = "\n".join(cell.source for cell in taught.cells)
        for title in (task.title.en, task.title.zh):
            assert f"{title}\n\n`{task.id}`" not in text


def test_an_exercise_is_left_out_whatever_its_heading_says(monkeypatch, tmp_path):
    heading = Text(en="### To do", zh="### 作业")
    monkeypatch.setattr("tools.build.assemble.task", lambda exercise, hint: heading)
    whole = assemble(CHAPTERS[2])
    taught = release(whole, tmp_path, left_out=["first_rise"])
    assert len(taught.cells) == len(whole.cells) - 4
    assert cells_of(taught, "first_rise") == []


@pytest.mark.parametrize("points", [5, 0])
def test_other_points_stand_wherever_points_stand(chapter, tmp_path, points):
    taught = release(chapter, tmp_path, points={"first_rise": float(points)})
    english, chinese, answer, check = cells_of(taught, "first_rise")
    assert f"· {points} points\n" in english.source
    assert f"· {points}分\n" in chinese.source
    assert check.source == f'check("first_rise", first_rise, points={points})'
    assert check.metadata.nbgrader.points == points
    most = sum(task.points for task in chapter_exercises("02_sinusoidal"))
    total = most - exercise("first_rise").points + points
    opening = [cell for cell in taught.cells if re.search(rf"\b{total:g}\s+points", cell.source)]
    opening += [cell for cell in taught.cells if f"共{total:g}分" in cell.source]
    assert [cell_role(cell).role for cell in opening] == ["prose", "prose"]
    changed = {cell.id for cell in (english, chinese, check, *opening)}
    others = [cell for cell in taught.cells if cell.id not in changed]
    assert answer in others
    assert others == [cell for cell in chapter.cells if cell.id not in changed]


@pytest.mark.parametrize("name", [chapter.name for chapter in CHAPTERS])
def test_other_points_stand_in_every_exercise(name, assembled, tmp_path):
    names = [task.id for task in chapter_exercises(name)]
    taught = release(assembled[name], tmp_path, points=dict.fromkeys(names, 7.5))
    for task in names:
        english, chinese, _, check = cells_of(taught, task)
        assert "· 7.5 points\n" in english.source
        assert "· 7.5分\n" in chinese.source
        call = ast.parse(check.source).body[-1].value
        assert ast.unparse(call.keywords[0]) == "points=7.5"


@pytest.mark.parametrize("name", [chapter.name for chapter in CHAPTERS])
def test_the_opening_says_the_points_and_the_exercises_that_are_left(name, assembled, tmp_path):
    first, *others = chapter_exercises(name)
    points = {task.id: 1.75 for task in others}
    taught = release(assembled[name], tmp_path, points=points, left_out=[first.id])
    pairs = zip(assembled[name].cells, taught.cells, strict=False)  # as far as the first exercise
    english, chinese = [new.source for old, new in pairs if old.source != new.source][:2]
    left = 1.75 * len(others)
    assert re.search(rf"\b{left:g}\s+points", english)
    assert f"{left:g}分" in chinese
    counts = re.findall(r"(\d+)(?:\s+exercises|道练习)", english + chinese)
    assert set(counts) <= {str(len(others))}


@pytest.mark.parametrize(
    "call", ['check("双", f(1))', 'x = 1\ncheck(\n    "a",\n    g,\n)', 'check("a", g((1)))\n']
)
def test_an_argument_is_added_to_the_call_that_ends_a_cell(call):
    before = ast.parse(call).body[-1].value
    after = ast.parse(_with_argument(call, "points=3")).body[-1].value
    assert ast.unparse(after) == ast.unparse(before)[:-1] + ", points=3)"


def test_a_deadline_goes_into_the_gradebook(chapter, tmp_path):
    KeepChoices(deadlines={"02_sinusoidal": DUE}).preprocess(chapter, resources(tmp_path))
    with Gradebook(resources(tmp_path)["nbgrader"]["db_url"]) as gradebook:
        assert gradebook.find_assignment("02_sinusoidal").duedate == datetime(2026, 9, 14, 15)


def test_a_chapter_that_is_not_taught_is_refused_before_anything_is_removed(tmp_path):
    released = tmp_path / "notebooks" / "02_sinusoidal" / "02_sinusoidal.ipynb"
    source = tmp_path / "solutions" / "02_sinusoidal" / "02_sinusoidal.ipynb"
    for path in (released, source):
        path.parent.mkdir(parents=True)
        path.write_text("as it was", encoding="utf-8")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    config.CourseDirectory.root = str(tmp_path)
    config.KeepChoices.chapters = ["01_permutation"]
    result = NbGraderAPI(config=config).generate_assignment("02_sinusoidal")
    assert not result["success"]
    assert "02_sinusoidal is not among the chapters of course.toml" in result["log"]
    assert released.read_text(encoding="utf-8") == "as it was"
    assert not (tmp_path / "gradebook.db").exists()
