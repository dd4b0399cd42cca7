"""Formgrader's view of an answer, with the settings of the course: no markup of a student runs."""

from pathlib import Path

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader.handlers import template_path
from traitlets.config import Config, PyFileConfigLoader

from tests.autograde.hostile import FAR, HOSTILE
from tests.autograde.page_reader import Reader

ROOT = Path(__file__).resolve().parents[3]
PLACES = ("text/html", "text/markdown", "text/latex", "application/javascript")
RESOURCES = {
    "base_url": "", "notebook_id": "n", "submission_id": "s", "index": 0, "total": 1,
    "assignment_id": "a", "student": "ada", "last_name": "", "first_name": "", "notebook_path": "n",
}  # fmt: skip


def view(cells, settings):
    """Return formgrader's page on these cells."""
    config = Config()
    config.HTMLExporter = settings
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [template_path]
    exporter = HTMLExporter(config=config)
    page, _ = exporter.from_notebook_node(new_notebook(cells=cells), resources=dict(RESOURCES))
    return Reader(page)


def cells(words):
    metadata = {"grade_id": "a_why", "grade": True, "solution": True, "points": 3.0}
    outputs = [new_output("display_data", data={kind: words}) for kind in PLACES]
    answer = new_markdown_cell(words, metadata={"nbgrader": metadata})
    return [new_markdown_cell(words), new_code_cell("1", outputs=outputs), answer]


def dangerous(page):
    """Return the elements that a student added and that run or load something."""
    return [
        (tag, attrs)
        for tag, attrs in page.tags
        if any(name.startswith("on") for name in attrs)
        or any(FAR in (value or "") for name, value in attrs.items() if name in ("src", "data"))
        or (attrs.get("href") or "").startswith(("java", "data:"))
        or tag in ("iframe", "object", "embed", "base", "svg")
    ]


@pytest.fixture(scope="module")
def settings():
    course = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    return course.HTMLExporter


def test_no_markup_of_a_student_runs(settings):
    notebook = []
    for name, words in HOSTILE.items():
        notebook += [*cells(words), new_markdown_cell(f"after {name}.")]
    hostile, empty = pages = [view(some, settings.copy()) for some in (notebook, cells(""))]
    assert dangerous(hostile) == dangerous(empty)  # formgrader's own
    scripts = [[tag for tag, _ in page.tags].count("script") for page in pages]
    assert scripts[0] == scripts[1]
    # what a text hides was not looked at
    assert [name for name in HOSTILE if f"after {name}." not in hostile.text] == []


def test_nbgraders_own_settings_let_it_run():
    hostile, empty = view(cells(HOSTILE["onerror"]), Config()), view(cells(""), Config())
    assert len(dangerous(hostile)) == len(dangerous(empty)) + 4  # two texts, two outputs


def test_formulas_and_pasted_pictures_are_shown(settings):
    cell = new_markdown_cell("$x_1$ ![one](attachment:a.png)")
    cell.attachments = {"a.png": {"image/png": "iVBORw0="}}
    tags = view([cell], settings.copy()).tags
    assert "msub" in [tag for tag, _ in tags]
    assert {"src": "data:image/png;base64,iVBORw0=", "alt": "one"} in [attrs for _, attrs in tags]
