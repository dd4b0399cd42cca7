"""A chapter in real JupyterLab: run all, and it says what was committed; sliders answer keys.

One stands for all, a short one with few formulas, which take longest to draw. That each chapter
says what was committed, and that each of its sliders moves its picture, tests/notebooks shows
without a browser.
"""

import shutil
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.lab import SECONDS
from tools.build.execute import WIDGET

pytestmark = pytest.mark.browser

HANDLE, PICTURE = ".noUi-handle", ".jp-OutputArea-output img"
ROOT = Path(__file__).resolve().parents[2]
NAME = "13_real_models"


@pytest.fixture
def notebook(lab, page):
    """Return the chapter's notebook, open and run."""
    shutil.copy(ROOT / "notebooks" / NAME / f"{NAME}.ipynb", lab.folder)
    notebook = lab.open(page, f"{NAME}.ipynb")
    notebook.run_all()
    return notebook


def test_a_chapter_runs_and_gives_the_committed_outputs(notebook):
    committed = nbformat.read(ROOT / "notebooks" / NAME / f"{NAME}.ipynb", as_version=4)
    content = nbformat.from_dict(notebook.content())
    assert [words_of(cell) for cell in content.cells] == [
        words_of(cell) for cell in committed.cells
    ]
    figures = notebook.page.locator(f".jp-CodeCell:has({HANDLE})")
    explored = [cell for cell in committed.cells if "\nexplore(" in f"\n{cell.source}"]
    assert explored
    expect(figures).to_have_count(len(explored), timeout=SECONDS * 1000)  # drawn after they ran
    for figure in figures.all():
        move_all(notebook.page, figure)
    assert serious(notebook.page) == []
    assert notebook.errors == []
    assert notebook.outside == []


def serious(page):
    """Return what axe finds serious in the outputs; formulas are left out, it takes minutes."""
    place = {"include": [[".jp-OutputArea-output"]], "exclude": [["mjx-container"]]}
    violations = Axe().run(page, place).response["violations"]
    grave = [one for one in violations if one["impact"] in ("serious", "critical")]
    return [(one["id"], one["nodes"][0]["html"]) for one in grave]


def words_of(cell):
    """Return the words that a cell shows and its errors; pictures follow their sliders."""
    outputs = [
        output for output in cell.get("outputs", []) if "image/png" not in output.get("data", {})
    ]
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        return [output for output in outputs if output.output_type == "error"]
    return [words(output) for output in outputs]


def words(output):
    data = {kind: text for kind, text in output.get("data", {}).items() if kind != WIDGET}
    return {name: output.get(name) for name in ("name", "text", "ename", "evalue")} | data


def move_all(page, figure):
    """Move each slider of a figure by a key and wait for another picture."""
    figure.scroll_into_view_if_needed()
    for slider in figure.locator(HANDLE).all():
        before = figure.locator(PICTURE).first.get_attribute("src")
        slider.focus()
        page.keyboard.press("ArrowRight" if can_rise(slider) else "ArrowLeft")
        page.wait_for_function(  # a new picture has a new address
            f"([cell, old]) => cell.querySelector('{PICTURE}').src !== old",
            arg=[figure.element_handle(), before],
        )


def can_rise(slider):
    return slider.get_attribute("aria-valuenow") != slider.get_attribute("aria-valuemax")
