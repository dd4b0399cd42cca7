"""What is built and handed out: whole, without widget state, without solutions."""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.all_chapters import CHAPTERS
from tools.build.contents import Chapter

ROOT = Path(__file__).parents[2]
LONG = 25  # characters: a shorter line of a solution may stand anywhere
each = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


def built(folder: str, chapter: Chapter) -> Path:
    return ROOT / folder / chapter.name / f"{chapter.name}.ipynb"


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell: dict) -> str:
    return "".join(cell["source"])


def solutions(text: str) -> str:
    """Return all that stands between nbgrader's marks."""
    parts = re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", text, re.DOTALL)
    return "\n".join(parts)


def telling(solution: str) -> set[str]:
    """Return the lines of a solution that say much, without indentation and comment."""
    lines = {line.partition("  #")[0].strip() for line in solution.split("\n")}
    return {line for line in lines if len(line) >= LONG}


def test_every_chapter_is_built():
    paths = [built(folder, one) for one in CHAPTERS for folder in ("solutions", "notebooks")]
    assert [path.name for path in paths if not path.is_file()] == [], "run `make build`"


@pytest.mark.parametrize("folder", ["solutions", "notebooks"])
def test_no_notebook_holds_widget_state(folder):
    paths = sorted((ROOT / folder).rglob("[!.]*.ipynb"))
    assert paths
    for path in paths:
        assert "widgets" not in read(path)["metadata"], path.name
        assert "widget-state" not in path.read_text(encoding="utf-8"), path.name


@each
def test_no_solution_reaches_the_learner(chapter):
    notebook = built("notebooks", chapter).read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in notebook
    assert "BEGIN HIDDEN" not in notebook
    text = chapter.path.read_text(encoding="utf-8")
    secret = solutions(text)
    assert secret
    # a visible broken version shares lines with the one that repairs it
    visible = re.sub(r"### BEGIN SOLUTION\n.*?### END SOLUTION", "", text, flags=re.DOTALL)
    leaked = {line for line in telling(secret) if _in_json(line, notebook) and line not in visible}
    assert leaked == set()


def test_a_leak_would_be_found():
    secret = solutions(
        "### BEGIN SOLUTION\n    return x[None, :] - y[:, None]  # why\n### END SOLUTION"
    )
    (line,) = telling(secret)
    assert line == "return x[None, :] - y[:, None]"
    assert _in_json(line, json.dumps({"source": f"def f(x, y):\n    {line}"}))


def _in_json(line: str, document: str) -> bool:
    return json.dumps(line, ensure_ascii=False)[1:-1] in document


@each
def test_every_answer_is_a_stub(chapter):
    cells = read(built("notebooks", chapter))["cells"]
    to_solve = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("solution")]
    answers = [cell for cell in to_solve if cell["cell_type"] == "code"]
    text = chapter.path.read_text(encoding="utf-8")
    assert len(answers) == text.count("### BEGIN SOLUTION")
    for answer in answers:
        if "mends" in answer["metadata"]["posenc"]:
            assert "# 修改下面的代码 · FIX THE CODE BELOW\n" in source(answer)
            continue
        *before, last = ast.parse(source(answer)).body[-1].body
        assert ast.unparse(last) == "raise NotImplementedError"
        assert len(before) <= 1  # the docstring
    rubrics = [cell for cell in to_solve if cell["cell_type"] == "markdown"]
    assert len(rubrics) == text.count('thinking="')
    assert {source(cell) for cell in rubrics} <= {"在这里写下你的回答 · YOUR ANSWER HERE"}


def test_there_are_public_links_only_if_there_is_an_address():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    public = not re.search(r'^repository = ""$', project, re.MULTILINE)
    for chapter in CHAPTERS:
        text = "".join(map(source, read(built("notebooks", chapter))["cells"]))
        assert ("mybinder" in text) is ("colab.research" in text) is public, chapter.name
