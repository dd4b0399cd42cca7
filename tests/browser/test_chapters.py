"""Every chapter in real JupyterLab: run all, move each slider with the keyboard, see it answer."""

import shutil
from pathlib import Path

import pytest

from tests.browser.lab import Notebook, serving
from tools.build.contents import chapters

pytestmark = pytest.mark.browser

HANDLE, PICTURE = ".noUi-handle", ".jp-OutputArea-output img"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):  # no Chromium: skip before a server starts
    folder = tmp_path_factory.mktemp("served") / "study"
    shutil.copytree(ROOT / "notebooks", folder)
    with serving(folder, tmp_path_factory.mktemp("home")) as url:
        yield url


@pytest.mark.parametrize("name", [chapter.name for chapter in chapters()])
def test_a_chapter_runs_and_its_sliders_move_the_pictures(lab, page, name):
    notebook = Notebook(page, lab, f"{name}/{name}.ipynb")
    notebook.run_all()
    figures = page.locator(f".jp-CodeCell:has({HANDLE})").all()
    assert figures
    for figure in figures:
        figure.scroll_into_view_if_needed()
        for slider in figure.locator(HANDLE).all():
            before = figure.locator(PICTURE).first.get_attribute("src")
            slider.focus()
            page.keyboard.press("ArrowRight" if can_rise(slider) else "ArrowLeft")
            page.wait_for_function(
                f"([cell, old]) => cell.querySelector('{PICTURE}').src !== old",
                arg=[figure.element_handle(), before],
            )
    assert notebook.errors == []
    assert notebook.outside == []


def can_rise(slider):
    return slider.get_attribute("aria-valuenow") != slider.get_attribute("aria-valuemax")
