"""Slider and language switch in real JupyterLab: what a reader does, and what must follow."""

import shutil
import time

import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser.lab import SECONDS, first_page

pytestmark = pytest.mark.browser

# a kernel with a language of its own reads no settings file: only the switch can tell it
SWITCH = """
import os

from bilingual.switch import language_switch

os.environ["POSENC_LANGUAGE"] = "both"
language_switch()
"""
SHOW = """
import numpy as np

from bilingual import Text
from posenc_viz import Curve, Curves, explore

x = np.linspace(0, 6.28, 100)


def show(k):
    return Curves(
        [Curve(x, np.sin(k * x))],
        x=Text(en="angle (rad)", zh="角度（弧度）"),
        y=Text(en="value", zh="数值"),
        title=Text(en=f"A sine, k = {k}", zh=f"正弦曲线，k = {k}"),
        y_limits=(-1, 1),
    )


explore(show, labels={"k": Text(en="frequency", zh="频率")}, k=(1, 5))
"""
CELLS = [
    new_markdown_cell('<div lang="en">\n\n# A chapter\n\n</div>'),
    new_markdown_cell('<div lang="zh">\n\n# 一章\n\n</div>'),
    new_code_cell(SWITCH.strip()),
    new_markdown_cell('<div lang="en">\n\nEnglish prose, $e^{i\\theta}$.\n\n</div>'),
    new_markdown_cell('<div lang="zh">\n\n中文正文，$e^{i\\theta}$。\n\n</div>'),
    new_code_cell(SHOW.strip()),
    *(new_code_cell(f"print({number})") for number in range(15)),  # to scroll
    new_markdown_cell('<div lang="en">\n\nThe end.\n\n</div>'),
    new_markdown_cell('<div lang="zh">\n\n结尾。\n\n</div>'),
]
HANDLE = ".noUi-handle"


@pytest.fixture(scope="module")
def one(lab, context):
    """Open one notebook for all tests: opening costs most."""
    page = first_page(context)
    lab.write("one.ipynb", CELLS)
    notebook = lab.open(page, "one.ipynb")
    notebook.run_all()
    page.wait_for_selector(HANDLE)
    return notebook


@pytest.fixture
def notebook(one):
    """Return the notebook as a reader first sees it: both languages, slider at its start."""
    one.choose("both")
    one.page.click("button:has-text('重置')")
    one.wait_idle()
    return one


def press(notebook, key):
    """Press a key on the slider; return the picture before and the picture after."""
    before = notebook.pictures()[0]
    notebook.page.focus(HANDLE)
    notebook.page.keyboard.press(key)
    return before, notebook.wait_for_new_picture(before)


def is_visible(page, words):
    return page.locator(".jp-MarkdownCell", has_text=words).is_visible()


def test_a_key_on_the_slider_changes_the_picture_and_back(notebook):
    first, second = press(notebook, "ArrowRight")
    _, third = press(notebook, "ArrowLeft")
    assert third == first != second
    assert notebook.page.get_attribute(HANDLE, "aria-label") == "频率 · frequency"
    assert not notebook.errors
    assert not notebook.outside


def test_the_controls_fit_into_their_place(notebook):
    # 4 pixels more, and a scroll bar stands under every slider figure
    widths = "box => [box.scrollWidth, box.clientWidth]"
    scrolled, there = notebook.page.locator(".jp-OutputArea .widget-vbox").first.evaluate(widths)
    assert scrolled == there


def test_reset_brings_the_first_picture_back(notebook):
    first, second = press(notebook, "ArrowRight")
    notebook.page.click("button:has-text('重置')")
    assert notebook.wait_for_new_picture(second) == first


def test_the_switch_hides_the_cells_of_the_other_language_whole(notebook):
    page = notebook.page
    assert is_visible(page, "English prose")
    assert is_visible(page, "中文正文")
    notebook.choose("English")
    assert is_visible(page, "English prose")
    assert not is_visible(page, "中文正文")
    notebook.choose("中文")
    assert is_visible(page, "中文正文")
    assert not is_visible(page, "English prose")
    notebook.page.locator(".jp-CodeCell").last.scroll_into_view_if_needed()
    page.wait_for_selector(".jp-MarkdownCell:has-text('结尾')", state="visible")
    assert not page.locator(".jp-MarkdownCell", has_text="The end").is_visible()
    notebook.choose("both")
    assert is_visible(page, "English prose")
    assert is_visible(page, "中文正文")


def test_the_kernel_follows_the_switch(notebook):
    both, _ = press(notebook, "ArrowRight")
    notebook.choose("中文")
    press(notebook, "ArrowRight")
    _, chinese = press(notebook, "Home")
    notebook.choose("both")
    press(notebook, "ArrowRight")
    press(notebook, "Home")
    assert chinese != both  # the same setting, other labels
    until = time.monotonic() + SECONDS  # a picture in the other language may come in between
    while notebook.pictures()[0] != both:
        assert time.monotonic() < until
        notebook.page.wait_for_timeout(50)


def test_a_saved_notebook_follows_the_switch_before_it_is_run_again(notebook, lab):
    notebook.choose("中文")
    notebook.save()
    shutil.copy(lab.folder / "one.ipynb", lab.folder / "two.ipynb")  # no kernel has its widgets
    page = notebook.page
    notebook.show(f"{lab.place}two.ipynb")
    page.wait_for_selector(".jp-MarkdownCell:has-text('中文正文'):visible")
    page.wait_for_selector("text=运行本单元格即可使用控件")
    assert page.locator(".jp-MarkdownCell:visible", has_text="English prose").count() == 0
    assert page.locator("text=Error displaying widget").locator("visible=true").count() == 0
    notebook.command("application:close")


def test_an_exported_page_has_the_switch(notebook, lab, context):
    notebook.save()
    body, _ = HTMLExporter().from_filename(lab.folder / "one.ipynb")
    exported = lab.folder / "one.html"
    exported.write_text(body, encoding="utf-8")
    page = context.new_page()
    page.goto(exported.as_uri(), wait_until="domcontentloaded")
    page.click('.posenc-language button:has-text("English")')
    assert page.locator("div[lang=en]").first.is_visible()
    assert not page.locator("div[lang=zh]").first.is_visible()
    page.close()
