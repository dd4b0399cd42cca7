"""docs/lesson_plans.md: minutes add up, and every section, figure and exercise named is there."""

import ast
import re
from pathlib import Path

import pytest

from autograde.kit.catalogue import chapter_exercises, exercise
from tests.all_chapters import CHAPTERS, cells_of
from tools.slides.points import prose

DOCUMENT = (Path(__file__).parents[2] / "docs" / "lesson_plans.md").read_text(encoding="utf-8")
HALVES = dict(zip(("en", "zh"), DOCUMENT.split("## 中文\n"), strict=True))
PLAN = re.compile(r"^### (\d+)(?: hours|小时)$", re.MULTILINE)
SESSION = re.compile(r"^#### .*?(120)(?: minutes|分钟)", re.MULTILINE)
ROW = re.compile(r"^\| (\d+) \| (.*?) ?\| ?(.*?) ?\| ?(.*?) ?\|$", re.MULTILINE)
ALONE = re.compile(r"^\*\*.*?\*\*\s?[(（](\d+)(?: min\): |分钟）：)(.*)$", re.MULTILINE)
TASK = re.compile(r"`(\w+)` (\d+)")
LINK = re.compile(r"\[(\d+\.\d+ [^\]]+)\]\(\.\./notebooks/(\w+)/\2\.ipynb\)")
FIGURE = re.compile(r"`(\w+)`[:：]")
EACH = pytest.mark.parametrize("language", ["en", "zh"])


def plans(language):
    """Yield the hours of each plan, and its sessions as text."""
    _, *parts = PLAN.split(HALVES[language])
    for hours, text in zip(parts[::2], parts[1::2], strict=True):
        yield int(hours), SESSION.split(re.split(r"^### ", text, flags=re.MULTILINE)[0])[2::2]


def sessions(language):
    return [session for _, one in plans(language) for session in one]


@EACH
def test_the_sessions_fill_the_hours_and_the_rows_fill_the_sessions(language):
    assert [hours for hours, _ in plans(language)] == [2, 8, 16]
    for hours, text in plans(language):
        assert len(text) * 120 == hours * 60
    for session in sessions(language):
        assert sum(int(minutes) for minutes, *_ in ROW.findall(session)) == 120


@EACH
def test_exercises_take_the_minutes_that_they_state(language):
    tasks_of_half = TASK.findall(HALVES[language])
    assert len(tasks_of_half) > 100
    assert [pair for pair in tasks_of_half if exercise(pair[0]).minutes != int(pair[1])] == []
    for session in sessions(language):
        alone = ALONE.findall(session)
        assert len(alone) == 2
        for minutes, tasks in alone:
            assert sum(int(each) for _, each in TASK.findall(tasks)) == int(minutes)
        for minutes, _, _, tasks in ROW.findall(session):
            assert 2 * sum(int(each) for _, each in TASK.findall(tasks)) <= int(minutes)


@EACH
def test_sections_and_figures_are_in_the_chapters(language):
    texts = {chapter.name: cells_of(chapter.name) for chapter in CHAPTERS}
    headings, figures = {}, {}
    for name, cells in texts.items():
        own = (cell for cell in cells if cell.metadata.get("lang") == language)
        headings[name] = {prose(cell.source).heading for cell in own}
        code = (cell.source for cell in cells if cell.cell_type == "code")
        figures[name] = {figure for source in code for figure in explored(source)}
    rows = [row for session in sessions(language) for row in ROW.findall(session)]
    for _, sections, figures_of_row, _ in rows:
        links = LINK.findall(sections)
        assert links
        assert [link for link in links if link[0] not in headings[link[1]]] == []
        there = set().union(*(figures[name] for _, name in links))
        assert set(FIGURE.findall(figures_of_row)) <= there


def explored(source):
    """Return the functions that a cell gives to `explore`."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    tasks_of_half = (call for call in calls if isinstance(call.func, ast.Name) and call.args)
    return {call.args[0].id for call in tasks_of_half if call.func.id == "explore"}


def test_both_languages_plan_the_same():
    def bones(language):
        return [
            (
                minutes,
                FIGURE.findall(figures_of_row),
                TASK.findall(tasks),
                len(LINK.findall(sections)),
            )
            for session in sessions(language)
            for minutes, sections, figures_of_row, tasks in ROW.findall(session)
        ]

    assert bones("en") == bones("zh")
    assert [ALONE.findall(one)[0][0] for one in sessions("en")] == [
        ALONE.findall(one)[0][0] for one in sessions("zh")
    ]


@EACH
def test_the_exam_is_of_exercises_that_no_plan_uses(language):
    exam = PLAN.split(HALVES[language])[-1].split("\n### ")[1]
    tasks = TASK.findall(exam)
    assert sum(int(minutes) for _, minutes in tasks) == 41
    used = {name for session in sessions(language) for name, _ in TASK.findall(session)}
    assert not used & {name for name, _ in tasks}
    out = set(re.findall(r"^   (\w+) = false$", exam, re.MULTILINE))
    both = [*chapter_exercises("02_sinusoidal"), *chapter_exercises("05_rope")]
    assert out | {name for name, _ in tasks} == {task.id for task in both}
