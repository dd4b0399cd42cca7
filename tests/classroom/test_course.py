"""course.toml: what a teacher may choose, and the sentence for what does not exist."""

from datetime import datetime, timedelta, timezone

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograde.kit.catalogue import UnknownName
from autograde.nbgrader.alembic_path import put_alembic_on_path
from autograde.nbgrader.release_choices import KeepChoices
from autograde.teacher.settings import Course, CourseError, read_course

put_alembic_on_path()

DUE = "2026-09-14T23:00:00+08:00"
WHOLE = f"""
language = "zh"
chapters = ["01_permutation", "02_sinusoidal"]
pseudonyms = true
late = "zero"
[exercises]
first_rise = false
sinusoidal_table = 5
[deadlines]
02_sinusoidal = {DUE}
[limits]
cell_seconds = 60
"""


def course(folder, text):
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return read_course(folder)


def test_without_a_file_the_defaults_hold(tmp_path):
    assert read_course(tmp_path) == Course()


def test_every_choice_is_read(tmp_path):
    assert course(tmp_path, WHOLE) == Course(
        language="zh",
        chapters=frozenset({"01_permutation", "02_sinusoidal"}),
        pseudonyms=True,
        late="zero",
        left_out=frozenset({"first_rise"}),
        points={"sinusoidal_table": 5.0},
        deadlines={"02_sinusoidal": datetime(2026, 9, 14, 23, tzinfo=timezone(timedelta(hours=8)))},
        limits={"cell_seconds": 60},
    )


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ('langauge = "zh"', "language"),
        ('chapters = ["02_sinusoid"]', "02_sinusoidal"),
        ("[exercises]\nfirst_rises = false", "first_rise"),
        (f"[deadlines]\n2_sinusoidal = {DUE}", "02_sinusoidal"),
        ("[limits]\ncell_second = 3", "cell_seconds"),
    ],
)
def test_an_unknown_name_is_told_its_nearest(tmp_path, text, nearest):
    with pytest.raises(UnknownName, match=f"'{nearest}'"):
        course(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('language = "de"', "language"),
        ('late = "half"', "late"),
        ("chapters = 2", "chapters"),
        ("pseudonyms = 1", "pseudonyms"),
        ("exercises = 3", "exercises"),
        ("[exercises]\nfirst_rise = true", "exercises.first_rise"),
        ("[exercises]\nfirst_rise = 0", "exercises.first_rise"),
        ("[deadlines]\n02_sinusoidal = 2026-09-14T23:00:00", "deadlines.02_sinusoidal"),
        ("[limits]\ncell_seconds = -1", "limits.cell_seconds"),
        ("language = zh", "course.toml"),
    ],
)
def test_a_wrong_value_is_told_where_it_stands(tmp_path, text, key):
    with pytest.raises(CourseError, match=key):
        course(tmp_path, text)


def graded(name):
    nbgrader = {"grade": True, "grade_id": name, "points": 2, "locked": True}
    return new_code_cell(f'check("{name}", {name})', metadata={"check": name, "nbgrader": nbgrader})


def task(lang, title, said):
    return new_markdown_cell(
        f'<div lang="{lang}">\n\n### {title}\n\n`first_rise` · {said}\n\nText.\n\n</div>',
        metadata={"lang": lang},
    )


@pytest.fixture
def chapter():
    """An exercise as chapters have it: two tasks, an answer, a check; and another one's check."""
    return new_notebook(
        cells=[
            task("en", "Exercise: Rise", "difficulty ●○○○○ · 5 min · 2 points"),
            task("zh", "练习：回升", "难度 ●○○○○ · 5分钟 · 2分"),
            new_code_cell("first_rise = 1", metadata={"exercise": "first_rise"}),
            graded("first_rise"),
            graded("sinusoidal_table"),
        ]
    )


def resources(folder):
    url = f"sqlite:///{folder / 'gradebook.db'}"
    return {"nbgrader": {"assignment": "02_sinusoidal", "db_url": url}}


def test_a_left_out_exercise_is_gone_with_its_task(chapter, tmp_path):
    notebook, _ = KeepChoices(left_out=["first_rise"]).preprocess(chapter, resources(tmp_path))
    assert [cell.source for cell in notebook.cells] == [
        'check("sinusoidal_table", sinusoidal_table)'
    ]


def test_other_points_stand_wherever_points_stand(chapter, tmp_path):
    notebook, _ = KeepChoices(points={"first_rise": 5.0}).preprocess(chapter, resources(tmp_path))
    english, chinese, _, check, other = notebook.cells
    assert "· 5 min · 5 points\n" in english.source
    assert "· 5分钟 · 5分\n" in chinese.source
    assert check.source == 'check("first_rise", first_rise, points=5)'
    assert check.metadata.nbgrader.points == 5.0
    assert other == graded("sinusoidal_table") | {"id": other.id}


def test_a_deadline_goes_into_the_gradebook(chapter, tmp_path):
    KeepChoices(deadlines={"02_sinusoidal": DUE}).preprocess(chapter, resources(tmp_path))
    with Gradebook(resources(tmp_path)["nbgrader"]["db_url"]) as gradebook:
        assert gradebook.find_assignment("02_sinusoidal").duedate == datetime(2026, 9, 14, 15)


def test_a_chapter_that_is_not_taught_is_not_released(chapter, tmp_path):
    with pytest.raises(ValueError, match="02_sinusoidal"):
        KeepChoices(chapters=["01_permutation"]).preprocess(chapter, resources(tmp_path))
