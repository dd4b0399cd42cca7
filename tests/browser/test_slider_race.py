"""Sliders beside cells that run, sliders whose `show` is slow or fails: in real JupyterLab."""

import time

import pytest
from nbformat.v4 import new_code_cell

from tests.browser.lab import SECONDS

pytestmark = pytest.mark.browser

HANDLE, ALERT = ".noUi-handle", ".jp-OutputArea [role=alert]"
START = """
import time

import matplotlib.pyplot as plt
import numpy as np

from posenc_viz import Bars, Try, explore
"""
FAST = """
def show(k):
    if k == 3:
        raise ValueError("three is too many")
    return Bars([k, -k], ["a", "b"], "x", "y", f"k = {k}", limits=(-9, 9))


explore(show, k=(0, 9), tries=[Try(en="as far as it goes", zh="拉到头", k=9)])
"""
SLOW = FAST.replace("    if k == 3", "    time.sleep(0.4)\n    if k == 33")
FIGURES = 8
RACE = f"""
for number in range({FIGURES}):
    figure, axes = plt.subplots(figsize=(2, 1))
    time.sleep(0.1)
    axes.plot(np.arange(5), np.arange(5) * number)
    time.sleep(0.1)
    axes.set_title(str(number))
    figure.savefig(__import__("io").BytesIO())
    assert plt.gcf() is figure, f"figure {{number}} was closed"
print("whole:", len(plt.get_fignums()))
"""

BUSY_ONCE = """() => new MutationObserver(() => {
  const words = [...document.querySelectorAll("[role=status]")].map((one) => one.textContent);
  window.wasBusy ||= words.some((one) => one.includes("正在计算"));
}).observe(document.body, { childList: true, characterData: true, subtree: true })"""


@pytest.fixture
def opened(lab, page):
    """Return a function from the cells of a notebook to it, open and run."""

    def open_(name, *cells):
        lab.write(name, [new_code_cell(cell.strip()) for cell in (START, *cells)])
        return lab.open(page, name)

    return open_


def test_moving_a_slider_while_a_cell_builds_figures_breaks_no_figure(opened, page):
    notebook = opened("race.ipynb", FAST, RACE)
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.wait_for_selector(HANDLE)
    first, presses = notebook.pictures()[0], 0
    outputs = page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output")
    text, until = "", time.monotonic() + SECONDS
    while "whole:" not in text and "Error" not in text:  # the kernel is idle between two cells
        assert time.monotonic() < until, text
        page.focus(HANDLE)  # running all cells takes the focus away
        page.keyboard.press("ArrowRight" if presses % 4 < 3 else "ArrowLeft")
        presses += 1
        page.wait_for_timeout(40)
        text = "".join(outputs.all_inner_texts())
    assert f"whole: {FIGURES}" in text, text
    count = "document.querySelectorAll('.jp-OutputArea-output img').length"
    page.wait_for_function(f"{count} === {1 + FIGURES}")
    assert presses > 2  # while the cell ran
    notebook.wait_for_new_picture(first)


def test_an_error_is_shown_and_the_slider_and_a_try_still_work_by_keys(opened, page):
    notebook = opened("error.ipynb", FAST)
    notebook.run_all()
    page.wait_for_selector(HANDLE)
    page.focus(HANDLE)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        notebook.wait_idle()
    alert = page.wait_for_selector(ALERT)
    assert "这组设置出错了" in alert.inner_text()
    assert "This setting raised an error" in alert.inner_text()
    assert "three is too many" in alert.inner_text()
    before = notebook.pictures()[0]
    page.keyboard.press("ArrowRight")
    before = notebook.wait_for_new_picture(before)
    assert page.locator(ALERT).count() == 0
    button = page.get_by_role("button", name="拉到头 · as far as it goes")
    for _ in range(4):  # the slider's number, reset, the try
        page.keyboard.press("Tab")
        if button.evaluate("each => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    notebook.wait_for_new_picture(before)
    assert float(page.get_attribute(HANDLE, "aria-valuenow")) == 9
    assert notebook.errors == []


def test_a_slow_figure_waits_for_the_release_and_shows_that_it_is_busy(opened, page):
    notebook = opened("slow.ipynb", SLOW)
    notebook.run_all()
    page.wait_for_selector("[role=status]:has-text('松手后才更新')")
    first = notebook.pictures()[0]
    at = page.locator(HANDLE).bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(at["x"] + at["width"] / 2 + 30 * step, at["y"] + at["height"] / 2)
        page.wait_for_timeout(120)
    notebook.wait_idle()
    assert notebook.pictures()[0] == first
    page.evaluate(BUSY_ONCE)
    page.mouse.up()
    page.wait_for_function("window.wasBusy")
    assert notebook.wait_for_new_picture(first) != first
    page.wait_for_selector("[role=status]:has-text('松手后才更新')")
