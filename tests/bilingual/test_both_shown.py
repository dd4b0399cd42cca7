"""Where no script runs (GitHub, VS Code, Colab) both languages show: in order, formatted, whole."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from nbconvert import HTMLExporter

from autograde.kit.cell_role import cell_role
from tests.all_chapters import CHAPTERS
from tests.chromium import VIEW

ROOT = Path(__file__).resolve().parents[2]
NAMES = [chapter.name for chapter in CHAPTERS]
each = pytest.mark.parametrize("name", [f"{name}/{name}" for name in NAMES] + ["index"])
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|<[^>]*\shidden[\s>=]")

LEFT = re.compile(r"^#{1,3} |\*\*\w|^\|---", re.MULTILINE)  # Markdown that nobody rendered


def read(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def prose(notebook):
    """Return the text; answers to thinking questions are the learner's and in no language."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    return [cell for cell in cells if not cell.metadata.get("nbgrader")]


@each
def test_twins_follow_each_other_and_markdown_inside_their_divs_is_rendered(name):
    """As CommonMark has it, and so GitHub and VS Code: blank lines end and begin the HTML."""
    cells, renderer = prose(read(name)), MarkdownIt("commonmark").enable("table")
    languages = [cell_role(cell).lang for cell in cells]
    assert len(languages) > 4
    assert languages == ["en", "zh"] * (len(languages) // 2)
    for cell in cells:
        page = BeautifulSoup(renderer.render(cell.source), "html.parser")
        (div,) = page.find_all("div", recursive=False)
        assert div["lang"] == cell_role(cell).lang
        assert div.find(["p", "h1", "h2", "h3", "ul", "ol", "table"])
        assert not HIDING.search(cell.source)
        assert not LEFT.search(div.get_text())


@pytest.mark.browser
def test_an_exported_page_without_scripts_shows_both(browser, tmp_path):
    name = f"{NAMES[0]}/{NAMES[0]}"
    body, _ = HTMLExporter().from_notebook_node(read(name))
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    context = browser.new_context(viewport=VIEW, java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri(), wait_until="domcontentloaded")
        assert all(block.is_visible() for block in page.locator("div[lang]").all())
        blocks = page.locator(".jp-MarkdownCell div[lang]").all()
        assert len(blocks) == len(prose(read(name)))
        assert page.locator(".posenc-language").inner_text().startswith("运行本单元格")
        tops = [block.bounding_box()["y"] for block in blocks]
        assert tops == sorted(tops)
    finally:
        context.close()
