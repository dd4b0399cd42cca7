"""Sliders stay alive: a page loaded again, a tab opened again, two views, a restarted kernel."""

import pytest
from nbformat.v4 import new_code_cell
from playwright.sync_api import expect

from tests.browser.lab import IN_SIGHT

pytestmark = pytest.mark.browser

HANDLE, LOST = ".noUi-handle", ".jp-OutputArea [role=alert]"
SLIDER = f"{IN_SIGHT} {HANDLE}"
IMAGE = f"{IN_SIGHT} .jp-OutputArea-output img"
CELLS = [
    "from bilingual import Text\nfrom posenc_viz import Bars, explore",
    """
def show(k):
    title = Text(en=f"k is {k}", zh=f"k等于{k}")
    return Bars([k, -k], ["a", "b"], "x", "y", title, limits=(-9, 9))


explore(show, k=(0, 9))
""",
]


@pytest.fixture
def notebook(lab, page, request):
    """Return a notebook whose slider stands one key from its start."""
    lab.write(f"{request.node.name}.ipynb", [new_code_cell(cell.strip()) for cell in CELLS])
    notebook = lab.open(page, f"{request.node.name}.ipynb")
    notebook.run_all()
    page.wait_for_selector(HANDLE)
    move(notebook)
    return notebook


def move(notebook):
    """Press a key on the first slider; return the picture after it."""
    before = notebook.pictures()[0]
    notebook.page.focus(SLIDER)
    notebook.page.keyboard.press("ArrowRight")
    return notebook.wait_for_new_picture(before)


def load_again(notebook):
    slider = notebook.page.locator(SLIDER)
    error = notebook.page.locator(IN_SIGHT).get_by_text("Error displaying widget")
    for _ in range(3):  # JupyterLab gives the kernel of a busy machine seconds to name its widgets
        notebook.page.goto(notebook.page.url, wait_until="domcontentloaded")
        expect(slider.or_(error)).to_be_visible()  # else it says what the page shows
        if slider.is_visible():
            break
    notebook.wait_idle()


def test_a_tab_opened_again_follows_the_slider(notebook):
    before = notebook.pictures()[0]
    path = notebook.page.url.partition("/lab/tree/")[2]
    notebook.save()
    notebook.command("application:close")
    notebook.page.wait_for_selector(HANDLE, state="detached")
    notebook.show(path)
    notebook.page.wait_for_selector(HANDLE)
    notebook.page.wait_for_selector(f"{IMAGE}[alt*='k is 1']")
    assert move(notebook) != before


def test_of_two_notebooks_at_once_each_follows_its_own_slider_also_when_loaded_again(notebook, lab):
    page, one, other = notebook.page, notebook.page.url.partition("/lab/tree/")[2], "other.ipynb"
    move(notebook)
    before = move(notebook)  # where the other slider never comes
    notebook.save()
    lab.write(other, [new_code_cell(cell.strip()) for cell in CELLS])
    notebook.show(f"{lab.place}{other}")
    notebook.run_all()
    page.wait_for_selector(SLIDER)
    last = move(notebook)
    notebook.save()
    load_again(notebook)
    page.wait_for_selector(f"{IMAGE}[alt*='k is 1']")
    assert notebook.pictures()[0] == last
    assert move(notebook) != last
    assert page.get_attribute(SLIDER, "aria-valuenow") == "2.0"
    notebook.show(one)
    page.wait_for_selector(SLIDER)
    assert page.get_attribute(SLIDER, "aria-valuenow") == "3.0"
    assert notebook.pictures()[0] == before
    move(notebook)


def test_a_second_view_moves_with_the_first_and_each_says_in_words_what_it_shows(notebook):
    notebook.command("notebook:create-output-view")
    notebook.page.wait_for_function(f"document.querySelectorAll('{HANDLE}').length === 2")
    move(notebook)
    images = ".jp-OutputArea-output img[alt*='k is 2'][alt*='k等于2']"
    notebook.page.wait_for_function(f'document.querySelectorAll("{images}").length === 2')


ONCE = "from pathlib import Path\n\nPath('ran').mkdir()"  # fails when it is run again
RESTART = "() => jupyterapp.shell.currentWidget.sessionContext.restartKernel().then(() => {})"


def test_without_its_kernel_the_picture_says_so_and_a_button_brings_it_back(lab, page):
    """Though a cell above fails by then."""
    lab.write("lost.ipynb", [new_code_cell(cell.strip()) for cell in (CELLS[0], ONCE, CELLS[1])])
    notebook = lab.open(page, "lost.ipynb")
    notebook.run_all()
    page.wait_for_selector(HANDLE)
    move(notebook)
    page.evaluate(RESTART)
    alert = page.wait_for_selector(LOST)
    assert "The kernel that drew this picture is gone" in alert.inner_text()
    assert page.locator(f"[inert] {HANDLE}").count() == 1  # not for the keyboard either
    alert.query_selector("button").click()
    page.wait_for_selector(f"{IMAGE}[alt*='k is 0']")
    notebook.wait_idle()
    page.wait_for_selector(HANDLE)
    assert page.locator(LOST).count() == 0
    move(notebook)


QUIZ = """
from autograde import quiz

quiz("start")
"""


def test_without_its_kernel_a_quiz_says_so_once(lab, page):
    lab.write("quiz.ipynb", [new_code_cell(QUIZ.strip())])
    notebook = lab.open(page, "quiz.ipynb")
    notebook.run_all()
    gone = page.locator(".posenc-gone")
    page.wait_for_selector(".posenc-quiz button")
    assert not gone.is_visible()
    page.evaluate(RESTART)
    gone.wait_for(state="visible")
    assert "is gone" in gone.inner_text()
    sign = "(one) => getComputedStyle(one, '::before').display"
    signs = page.locator(".posenc-quiz .jupyter-widgets-disconnected").all()
    assert {one.evaluate(sign) for one in signs} == {"none"}
    notebook.wait_idle()  # else the next file opens its notebook while this kernel restarts
