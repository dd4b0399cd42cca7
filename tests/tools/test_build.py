"""The build: committed notebooks are fresh, building is repeatable, nothing leaks to learners."""

import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from tools import build
from tools.assemble import ChapterError, assemble, read_chapter
from tools.contents import chapters


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    for folder in folders:
        build.build(["01_permutation"], folder)
    return folders


def built(folder: Path) -> list[Path]:
    return sorted(path.relative_to(folder) for path in folder.rglob("*.*") if path.is_file())


def without_outputs(path: Path) -> object:
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return [(cell.id, cell.cell_type, cell.source, cell.metadata) for cell in cells]


@pytest.mark.slow
def test_committed_files_are_fresh(tmp_path):
    """What the cells print is for nbval: tests/notebooks runs each of them."""
    build.build([], tmp_path, run=False)
    old = [
        str(path)
        for path in built(tmp_path)
        if without_outputs(tmp_path / path) != without_outputs(build.ROOT / path)
    ]
    assert old == [], f"stale, run `make build`: {old}"


@pytest.mark.slow
def test_building_twice_gives_identical_bytes(twice):
    for path in built(twice[0]):
        assert (twice[0] / path).read_bytes() == (twice[1] / path).read_bytes(), path


@pytest.mark.slow
def test_one_chapter_alone_is_built_alone(twice):
    name = Path("01_permutation/01_permutation.ipynb")
    assert built(twice[1]) == [Path("notebooks") / name, Path("solutions") / name]


def notebooks(folder: str) -> list[Path]:
    return sorted((build.ROOT / folder).glob("*/*.ipynb"))


@pytest.mark.parametrize("path", notebooks("solutions"), ids=lambda path: path.stem)
def test_solutions_earn_full_points(path):
    for cell in graded(path):
        assert result(cell) == cell.metadata.nbgrader.points, cell.source


@pytest.mark.parametrize("path", notebooks("notebooks"), ids=lambda path: path.stem)
def test_unsolved_notebooks_earn_nothing(path):
    for cell in graded(path):
        assert result(cell) == 0, cell.source


def graded(path: Path) -> list[nbformat.NotebookNode]:
    cells = nbformat.read(path, as_version=4).cells
    found = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("locked")]
    assert found
    return found


def result(cell: nbformat.NotebookNode) -> float:
    assert not [output for output in cell.outputs if output.get("name") == "stderr"]
    values = [o.data["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    assert len(values) == 1
    return float(values[0])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_language_can_be_released(language, tmp_path):
    name = chapters()[0].name
    source = tmp_path / "solutions" / name
    source.mkdir(parents=True)
    committed = build.ROOT / "solutions" / name / f"{name}.ipynb"
    (source / committed.name).write_bytes(committed.read_bytes())
    build.release(name, tmp_path, language)
    released = nbformat.read(tmp_path / "notebooks" / name / committed.name, as_version=4)
    prose = {cell.metadata.lang for cell in released.cells if cell.cell_type == "markdown"}
    assert prose == {language}
    code = "\n".join(cell.source for cell in released.cells if cell.cell_type == "code")
    assert f'language_switch(only="{language}")' in code


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# %% [markdown]\n# words", "prose needs lang"),
        ('# %% [markdown] lang="en"\n# words\n\n# %%\n1', "followed by its Chinese twin"),
        ('# %% exercise="one"\n1\n\n# %%\n2', "followed by its check"),
        ('# %% tags=["nbval-ignore-output"]\n1', "says why"),
        ('# %% [markdown] thinking="why" points=2\n# words', "one <div> for each language"),
        ("# %% colour=3\n1", "unknown cell metadata ['colour']"),
    ],
)
def test_a_chapter_that_breaks_the_rules_is_named(text, said, tmp_path):
    path = tmp_path / "09_broken.py"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ChapterError, match=r"09_broken\.py, cell 1") as raised:
        read_chapter(path)
    assert said in str(raised.value)


def test_a_rubric_stays_with_the_teacher(tmp_path):
    text = chapters()[0].path.read_text(encoding="utf-8")
    rubric = '\n# %% [markdown] thinking="why" points=3\n# <div lang="en">\n# Secret.\n# </div>\n'
    chapter = replace(chapters()[0], path=tmp_path / chapters()[0].path.name)
    chapter.path.write_text(
        f'{text}{rubric}# <div lang="zh">\n# 秘密。\n# </div>\n', encoding="utf-8"
    )
    source = tmp_path / "solutions" / chapter.name / f"{chapter.name}.ipynb"
    build.write_notebook(source, assemble(chapter))
    build.release(chapter.name, tmp_path, "zh")
    path = tmp_path / "notebooks" / source.relative_to(tmp_path / "solutions")
    (asked,) = [c for c in nbformat.read(path, as_version=4).cells if c.id == "thinking-why"]
    assert asked.source == "在这里写下你的回答"  # in the one language released
    graded_by_hand = {"grade_id": "why", "points": 3, "grade": True, "solution": True}
    assert graded_by_hand.items() <= asked.metadata.nbgrader.items()
    assert "秘密" in source.read_text(encoding="utf-8")
    assert "秘密" not in path.read_text(encoding="utf-8")


def test_an_unknown_chapter_is_refused():
    with pytest.raises(SystemExit, match="no chapter named 99_none; there are: 00_start"):
        build.build(["99_none"], build.ROOT)


def test_a_changed_picture_is_not_stale_but_a_changed_text_is(tmp_path):
    path = notebooks("solutions")[0]
    raw = json.loads(path.read_text(encoding="utf-8"))
    outputs = [output for cell in raw["cells"] for output in cell.get("outputs", [])]
    picture = next(output for output in outputs if "image/png" in output.get("data", {}))
    picture["data"]["image/png"] = "AAAA"
    copy = tmp_path / path.name
    copy.write_text(json.dumps(raw), encoding="utf-8")
    assert build.readable(copy) == build.readable(path)
    raw["cells"][0]["source"] = "changed"
    copy.write_text(json.dumps(raw), encoding="utf-8")
    assert build.readable(copy) != build.readable(path)


def test_a_new_cell_does_not_rename_the_others(tmp_path):
    chapter = chapters()[0]
    before = {cell.id: cell.source for cell in assemble(chapter).cells}
    grown = tmp_path / chapter.path.name
    text = chapter.path.read_text(encoding="utf-8")
    cut = text.index('# %% [markdown] lang="en"')
    grown.write_text(f"{text[:cut]}# %%\nnew = 1\n\n{text[cut:]}", encoding="utf-8")
    after = {cell.id: cell.source for cell in assemble(replace(chapter, path=grown)).cells}
    assert before.items() < after.items()
    assert len(after) == len(before) + 1
