"""Narrow windows and a fine screen: pictures are as wide, and what stands there is whole.

The last file that opens notebooks: where its window has changed, headless Chromium may give a page
no idle time for seconds, and that is when JupyterLab draws.
"""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from posenc_viz.stage import WIDTH
from tests.browser.test_alive import CELLS as SLIDER
from tests.browser.test_alive import IMAGE
from tests.browser.test_alive import notebook as notebook
from tests.chromium import VIEW

pytestmark = pytest.mark.browser

FOLD = "<details><summary>Guess first</summary>\n\nFive.\n\n</details>\n\nNow read on."
TABLE = """
| you want to | do |
|---|---|
| see how far you are | `progress()`, or for one chapter `progress("01_permutation")` |
"""
CONTENTS = """
|  | Chapter | Question | Two hours | A weekend | Everything | Exercises | Points |
|---|---|---|---|---|---|---|---|
| 0 | [Start here](start.ipynb) | What is this about, and how do you work in it? | 15 min | 27 min \
| 49 min | 2 | 6 |
"""
CELLS = [
    new_code_cell("from bilingual.switch import language_switch\n\nlanguage_switch()"),
    new_markdown_cell(FOLD),
    new_markdown_cell(TABLE),
    new_markdown_cell(CONTENTS),
    new_code_cell("from autograde import quiz\n\nquiz('start')"),
]
BOX = ".jp-MarkdownCell:has({}) .jp-RenderedMarkdown"


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def test_a_fold_tables_and_a_quiz_stand_whole_in_narrow_windows(lab, page):
    lab.write("narrow.ipynb", CELLS)
    notebook = lab.open(page, "narrow.ipynb")
    notebook.run_all()
    page.wait_for_selector(".posenc-quiz button")
    summary, text = box(page, "summary"), box(page, "details + p")
    assert text["y"] - (summary["y"] + summary["height"]) > 8  # closed, it touches nothing
    notebook.command("application:toggle-left-area")
    page.set_viewport_size({"width": 800, "height": 800})
    assert box(page, "td:has(a) + td")["width"] >= 180  # the questions of the chapters have room
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(  # a table with code fits
        "selector => ((box) => box.scrollWidth <= box.clientWidth)"
        "(document.querySelector(selector))",
        arg=BOX.format("td code"),
    )
    buttons = page.locator(".posenc-quiz button").all()[:3]
    assert len({button.bounding_box()["width"] for button in buttons}) == 1
    notebook.command("application:toggle-left-area")


SHOWN = """() => {
  const image = document.querySelector(".jp-Notebook .jp-OutputArea-output img");
  return { natural: image.naturalWidth, shown: image.getBoundingClientRect().width };
}"""


def test_a_narrow_page_gets_a_picture_of_its_own_width(notebook):
    before = notebook.pictures()[0]
    notebook.page.set_viewport_size({"width": 800, "height": 900})
    notebook.wait_for_new_picture(before)
    size = notebook.page.evaluate(SHOWN)
    assert size["shown"] - 20 <= size["natural"] <= size["shown"] < 640  # beside the file browser


@pytest.fixture
def fine(page):
    """Return the page on a screen of two pixels for each of CSS."""
    screen = page.context.new_cdp_session(page)
    for ratio in (2, 1):
        metrics = VIEW | {"deviceScaleFactor": ratio, "mobile": False}
        screen.send("Emulation.setDeviceMetricsOverride", metrics)
        if ratio == 2:
            yield page


def test_a_fine_screen_gets_more_pixels_of_the_same_size(lab, fine):
    lab.write("fine.ipynb", [new_code_cell(cell.strip()) for cell in SLIDER])
    lab.open(fine, "fine.ipynb").run_all()
    fine.wait_for_selector(f"{IMAGE}[alt*='k is 0']")
    fine.wait_for_function(f"document.querySelector({IMAGE!r}).naturalWidth === {2 * WIDTH}")
    assert fine.evaluate(SHOWN)["shown"] <= WIDTH
