"""The build: committed notebooks are fresh, building is repeatable, nothing leaks to learners."""

import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograde.kit.cell_role import cell_role
from tests.all_chapters import CHAPTERS
from tests.one_test import one_test
from tools.build import notebooks
from tools.build.__main__ import main
from tools.build.assemble import assemble
from tools.build.chapter_text import ChapterError
from tools.build.contents import ROOT, chapters
from tools.build.release import release, write_notebook

NAME = "01_permutation"


@pytest.fixture(autouse=True)
def chapters_once(monkeypatch):
    """Build from the chapters as they were read for all tests."""
    monkeypatch.setattr(notebooks, "chapters", lambda: CHAPTERS)


def built(folder: Path) -> list[Path]:
    return sorted(path.relative_to(folder) for path in folder.rglob("*.*") if path.is_file())


def without_outputs(path: Path) -> object:
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return [(cell.id, cell.cell_type, cell.source, cell.metadata) for cell in cells]


@pytest.mark.slow
def test_committed_files_are_up_to_date(tmp_path):
    """What the cells print is for nbval: tests/notebooks runs each of them."""
    notebooks.build([], tmp_path, run=False)
    old = [
        str(path)
        for path in built(tmp_path)
        if without_outputs(tmp_path / path) != without_outputs(ROOT / path)
    ]
    assert old == [], f"stale, run `make build`: {old}"


@pytest.mark.slow
def test_one_chapter_alone_is_built_alone(tmp_path):
    notebooks.build([NAME], tmp_path, run=False)
    name = Path(NAME) / f"{NAME}.ipynb"
    assert built(tmp_path) == [Path("notebooks") / name, Path("solutions") / name]


@one_test([(chapter,) for chapter in CHAPTERS], lambda chapter: chapter.name)
def test_every_cell_has_its_role(chapter):
    cells = assemble(chapter).cells
    roles = [cell_role(cell) for cell in cells]
    for cell, role in zip(cells, roles, strict=True):
        assert (role.lang is not None) == (role.role in ("prose", "task", "navigation"))
        assert cell.metadata.keys() <= {"posenc", "nbgrader", "tags", "reason", "jupyter"}
    for name in chapter.exercises:
        there = [(role.role, role.lang) for role in roles if role.exercise == name]
        assert there == [("task", "en"), ("task", "zh"), ("answer", None), ("check", None)]
    assert [role.role for role in roles].count("switch") == 1
    assert [role.role for role in roles[-2:]] == ["navigation", "navigation"]


def committed(folder: str) -> list[Path]:
    return sorted((ROOT / folder).glob("*/*.ipynb"))


@one_test([(path,) for path in committed("solutions")], lambda path: path.stem)
def test_solutions_earn_full_points(path):
    for cell in graded(path):
        assert result(cell) == cell.metadata.nbgrader.points, cell.source


@one_test([(path,) for path in committed("notebooks")], lambda path: path.stem)
def test_unsolved_notebooks_earn_nothing(path):
    for cell in graded(path):
        assert result(cell) == 0, cell.source


def graded(path: Path) -> list[nbformat.NotebookNode]:
    cells = nbformat.read(path, as_version=4).cells
    checks = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("locked")]
    assert checks
    return checks


def result(cell: nbformat.NotebookNode) -> float:
    assert not [output for output in cell.outputs if output.get("name") == "stderr"]
    values = [o.data["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    assert len(values) == 1
    return float(values[0])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_language_can_be_released(language, monkeypatch):
    """Without a gradebook, which would start alembic for each of thirty notebooks."""
    monkeypatch.delattr("nbgrader.api.get_alembic_version")
    released = release(CHAPTERS[0].name, assemble(CHAPTERS[0]), language)
    roles = [cell_role(cell) for cell in released.cells]
    assert {role.lang for role in roles} == {language, None}  # nbgrader keeps what a cell is
    code = "\n".join(cell.source for cell in released.cells if cell.cell_type == "code")
    assert f'language_switch(only="{language}")' in code


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# %% [markdown]\n# words", "prose needs lang"),
        ('# %% [markdown] lang="en"\n# words\n\n# %%\n1', "followed by its Chinese twin"),
        ('# %% [markdown] lang="en" way="weekend"\n# ## Head\n\n# %%\n1', "its Chinese twin"),
        ('# %% exercise="one"\n1\n\n# %%\n2', "followed by its check"),
        ('# %% tags=["nbval-ignore-output"]\n1', "says why"),
        ('# %% [markdown] thinking="why" points=2\n# words', "one <div> for each language"),
        ("# %% colour=3\n1", "unknown cell metadata ['colour']"),
        (
            '# %% [markdown] lang="en" way="short"\n# # Head\n\n# %% [markdown] lang="zh"\n# # 题',
            "way is one of",
        ),
        (
            '# %% [markdown] lang="en" way="weekend"\n# words\n\n# %% [markdown] lang="zh"\n# 字',
            "at an English heading",
        ),
        ('# %% [markdown] lang="zh"\n# 一', "follows its English twin"),
        ('# %% check="one"\ncheck("one", one)', "follows the cell of its exercise"),
    ],
)
def test_a_chapter_that_breaks_the_rules_is_named(text, message, tmp_path):
    path = tmp_path / "09_broken.py"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ChapterError, match=r"09_broken\.py, cell 1") as raised:
        chapters(tmp_path)
    assert message in str(raised.value)


def test_a_chapter_without_a_title_and_a_question_in_both_languages_is_named(tmp_path):
    pair = '# %% [markdown] lang="en"\n# One\n\n# %% [markdown] lang="zh"\n# 一\n'
    header = (
        "# ---\n# posenc:\n#   title: {en: One}\n#   question: {en: Why?, zh: 为何？}\n# ---\n\n"
    )
    for text in (pair, header + pair):
        (tmp_path / "09_broken.py").write_text(text, encoding="utf-8")
        with pytest.raises(ChapterError, match=r"09_broken\.py: its header needs posenc: a title"):
            chapters(tmp_path)


def test_a_check_elsewhere_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tools.build", "--check", "--to", "elsewhere"])
    with pytest.raises(SystemExit):
        main()
    assert "--check looks at" in capsys.readouterr().err


def test_a_notebook_that_no_chapter_builds_is_stale(monkeypatch, tmp_path):
    left = Path("notebooks/00_start/old.ipynb")
    write_notebook(tmp_path / left, nbformat.v4.new_notebook())
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    monkeypatch.setattr(notebooks, "build", lambda names, target: None)
    assert notebooks.stale_files([]) == [str(left)]
    assert notebooks.stale_files([NAME]) == []


def test_a_rubric_stays_with_the_teacher(tmp_path):
    text = CHAPTERS[0].path.read_text(encoding="utf-8")
    rubric = '\n# %% [markdown] thinking="why" points=3\n# <div lang="en">\n# Secret.\n# </div>\n'
    chapter = replace(CHAPTERS[0], path=tmp_path / CHAPTERS[0].path.name)
    chapter.path.write_text(
        f'{text}{rubric}# <div lang="zh">\n# 秘密。\n# </div>\n', encoding="utf-8"
    )
    source = assemble(chapter)
    released = release(chapter.name, source, "zh")
    (rubric_cell,) = [cell for cell in released.cells if cell.id == "thinking-why"]
    assert rubric_cell.source == "在这里写下你的回答"  # in the one language released
    graded_by_hand = {"grade_id": "why", "points": 3, "grade": True, "solution": True}
    assert graded_by_hand.items() <= rubric_cell.metadata.nbgrader.items()
    assert "秘密" in nbformat.writes(source)
    assert "秘密" not in nbformat.writes(released)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(SystemExit, match="no chapter named 99_none; there are: 00_start"):
        notebooks.build(["99_none"], ROOT)


def test_a_changed_picture_is_not_stale_but_a_changed_text_is(tmp_path):
    path = committed("solutions")[0]
    raw = json.loads(path.read_text(encoding="utf-8"))
    outputs = [output for cell in raw["cells"] for output in cell.get("outputs", [])]
    picture = next(output for output in outputs if "image/png" in output.get("data", {}))
    picture["data"]["image/png"] = "AAAA"
    copy = tmp_path / path.name
    copy.write_text(json.dumps(raw), encoding="utf-8")
    assert notebooks.readable(copy) == notebooks.readable(path)
    raw["cells"][0]["source"] = "changed"
    copy.write_text(json.dumps(raw), encoding="utf-8")
    assert notebooks.readable(copy) != notebooks.readable(path)


def test_a_new_cell_does_not_rename_the_others(tmp_path):
    chapter = CHAPTERS[0]
    before = {cell.id: cell.source for cell in assemble(chapter).cells}
    grown = tmp_path / chapter.path.name
    text = chapter.path.read_text(encoding="utf-8")
    cut = text.index('# %% [markdown] lang="en"')
    grown.write_text(f"{text[:cut]}# %%\nnew = 1\n\n{text[cut:]}", encoding="utf-8")
    after = {cell.id: cell.source for cell in assemble(replace(chapter, path=grown)).cells}
    assert before.items() < after.items()
    assert len(after) == len(before) + 1
