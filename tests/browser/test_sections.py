"""A link to a section of a chapter leads there, and a chapter only looked at closes unasked."""

from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import expect

from autograde.kit.chapter import CHAPTERS, section_id, section_link
from tests.browser.lab import SECONDS
from tools.study.folder import as_given
from tools.study.reading import read

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
CHAPTER, SECTION, CELLS = "07_linear_bias", 4, 48  # of 135, which cost seconds to draw
NOTEBOOK = f"{CHAPTER}/{CHAPTER}.ipynb"
SETTLED = 3_000  # milliseconds after which nothing moves any more, and JupyterLab may still do it
SWITCH = "from bilingual.switch import language_switch\n\nlanguage_switch()"
OPEN_SOURCE = """id => {
  const notebook = jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = notebook.widgets.findIndex((one) => one.model.id === id);
  notebook.mode = "edit"; // as JupyterLab does where it gives the focus to a cell's editor
  return notebook.activeCell.rendered;
}"""
CHOSEN = """() => {
  const notebook = jupyterapp.shell.currentWidget.content;
  const chosen = notebook.widgets.filter((cell) => notebook.isSelectedOrActive(cell));
  return chosen.map((cell) => cell.model.id);
}"""
DRAWN = "document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell').length"


@pytest.fixture
def contents(lab, page):
    """Return a notebook with a link to the section, beside the chapter as a learner gets it."""
    chapter = read(as_given((ROOT / "notebooks" / NOTEBOOK).read_bytes(), Path(NOTEBOOK)))
    del chapter.cells[CELLS:]
    (lab.folder / CHAPTER).mkdir(exist_ok=True)
    nbformat.write(chapter, lab.folder / NOTEBOOK)
    notary = NotebookNotary(data_dir=str(lab.data.parent / "data"))  # its stored script may run
    notary.sign(chapter)
    notary.store.close()
    link = section_link(CHAPTER, SECTION, "zh")
    cells = [new_code_cell(SWITCH), new_markdown_cell(f"[where I was]({link})")]
    lab.write("contents.ipynb", cells)
    notebook = lab.open(page, "contents.ipynb")
    page.evaluate("localStorage.setItem('posenc-language', 'zh')")
    notebook.run_all()
    return notebook


def test_a_link_leads_to_the_section_and_the_chapter_closes_unasked(contents, page):
    tab = page.locator(".lm-TabBar-tab", has_text=f"{CHAPTER}.ipynb")
    section_cell = section_id(SECTION, "zh")
    title = CHAPTERS[CHAPTER].sections[SECTION].title.zh
    heading = page.locator("div[lang=zh] > h3", has_text=title)  # no number: it is a part of 7.3
    for source in (True, False):  # JupyterLab remembers a notebook that was open before
        page.click("a:has-text('where I was')")
        expect(heading).to_be_in_viewport(timeout=SECONDS * 1000)
        page.wait_for_function(f"{DRAWN} === jupyterapp.shell.currentWidget.model.cells.length")
        expect(heading).to_be_in_viewport()  # though cells below and above were drawn since
        page.wait_for_timeout(500)
        assert page.evaluate(CHOSEN) == [section_cell]
        if source:
            page.wait_for_timeout(SETTLED)
            assert page.evaluate(OPEN_SOURCE, section_cell) is False
            expect(heading).to_be_in_viewport()
        contents.wait_idle()
        contents.command("application:close")
        expect(tab).to_have_count(0)
    assert contents.errors == []
