"""The language switch in real JupyterLab reaches all that the grading kit says."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def sentence():
    return [
        new_markdown_cell('<div lang="en">\n\n*Picture: a bar.* It is alone.\n\n</div>'),
        new_markdown_cell('<div lang="zh">\n\n*图：一根柱子。* 只有一根。\n\n</div>'),
    ]


SHOW = "lambda k: Bars([k], *'axy', Text(en=f'k is {k}', zh=f'k等于{k}'))"
WORDS = [
    new_markdown_cell('<div lang="en">\n\n# A chapter\n\n</div>'),
    new_markdown_cell('<div lang="zh">\n\n# 一章\n\n</div>'),
    new_code_cell("from bilingual.switch import language_switch\n\nlanguage_switch()"),
    new_code_cell("from autograde import check, hint, progress, quiz\n\nquiz('start')"),
    new_code_cell("check('key_minus_query', lambda q, k: q[:, None] - k[None, :])"),
    new_code_cell("hint('key_minus_query', level=1)"),
    new_code_cell("progress()"),
]
CELLS = [
    *WORDS,
    new_code_cell("from posenc_viz import Bars, explore, picture\n\npicture(Bars([1], *'axyz'))"),
    *sentence(),
    new_code_cell(f"from bilingual import Text\n\nexplore({SHOW}, k=(0, 9))"),
    *sentence(),
]
OPEN = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell"
QUIZ, CHECK, HINT, PROGRESS = range(1, 5)  # places among the code cells
SAID = {
    "中文": {CHECK: "很可能的原因", HINT: "先在纸上写出", PROGRESS: "全部章节"},
    "English": {CHECK: "Likely cause", HINT: "Write down the result", PROGRESS: "All chapters"},
}
HANZI, LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z]{4,} [a-z]{3,} [a-z]{2,}")
OTHER = {"中文": LATIN, "English": HANZI}
ALTS = {"中文": ("一根柱子。", "k等于0"), "English": ("a bar.", "k is 0")}


def opened(page, lab, cells):
    lab.write("one.ipynb", cells)
    notebook = lab.open(page, "one.ipynb")
    notebook.run_all()
    page.wait_for_selector(".widget-hbox button")
    return notebook


def output(notebook, place):
    return notebook.page.locator(OPEN).nth(place).locator(".jp-OutputArea").inner_text()


def test_quiz_check_hint_progress_and_the_words_of_pictures_follow(lab, page):
    notebook = opened(page, lab, CELLS)
    answer = notebook.page.locator(".jp-CodeCell").nth(QUIZ).locator("button").first
    answer.click()  # its explanation stands there before the language changes
    for language in ("中文", "English"):
        notebook.choose(language)
        text = output(notebook, QUIZ)  # the quiz that already stands follows at once
        assert len(text) > 300
        assert not OTHER[language].search(text)
        notebook.command("notebook:run-all-cells")
        for place, words in SAID[language].items():
            cell = notebook.page.locator(".jp-CodeCell").nth(place)
            cell.locator(".jp-OutputArea", has_text=words).wait_for()
            assert not OTHER[language].search(output(notebook, place))
        notebook.wait_idle()
        answer.click()
        still, live = ALTS[language]  # the sentence below it; what it shows now
        page.locator(f'.jp-RenderedImage img[alt="{still}"]').wait_for()
        page.locator(f'.jp-OutputArea-output img[alt="{live}"]').wait_for()
        page.wait_for_timeout(200)  # what tends still pictures has passed by
        assert page.locator(f'.jp-OutputArea-output img[alt="{live}"]').count() == 1
    assert notebook.errors == []
    assert notebook.outside == []


LANGUAGES = (
    "() => [...document.querySelectorAll('.jp-Notebook')].map(e => e.dataset.posencLanguage)"
)


def test_the_choice_holds_for_the_next_notebook_and_one_made_there_for_the_first(lab, page):
    notebook = opened(page, lab, WORDS)
    notebook.choose("English")
    lab.write("two.ipynb", WORDS)
    notebook.show(f"{lab.place}two.ipynb")
    page.wait_for_function(f"({LANGUAGES})().length === 2")
    notebook.run_all()
    page.wait_for_selector('[aria-pressed="true"]:has-text("English"):visible')
    assert page.locator(".jp-MarkdownCell:visible", has_text="一章").count() == 0
    for place in SAID["English"]:
        assert not HANZI.search(output(notebook, place))
    page.click('.posenc-language button:has-text("中文"):visible')
    assert page.evaluate(LANGUAGES) == ["zh", "zh"]
    notebook.show(f"{lab.place}one.ipynb")
    quiz = page.locator(OPEN).nth(QUIZ).locator(".jp-OutputArea")
    expect(quiz).not_to_contain_text(LATIN, use_inner_text=True)
    assert len(quiz.inner_text()) > 300
    early = "widget model not found"  # on a busy machine JupyterLab draws a view before its model
    assert [error for error in notebook.errors if early not in error] == []


def test_after_a_click_on_a_language_shift_enter_goes_on(lab, page):
    lab.write("click.ipynb", [CELLS[2], new_code_cell("6 * 7")])
    notebook = lab.open(page, "click.ipynb")
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".posenc-language button")
    notebook.wait_idle()
    notebook.choose("English")
    for _ in range(2):
        page.keyboard.press("Shift+Enter")
    page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea", has_text="42").wait_for()


STANDS = """() => {
  const cell = jupyterapp.shell.currentWidget.content.activeCell.node.getBoundingClientRect();
  const pane = document.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect();
  return [jupyterapp.shell.currentWidget.content.activeCellIndex, cell.height > 0,
    cell.bottom > pane.top && cell.top < pane.bottom]; }"""


def tall():
    """Return prose in both languages, taller than the window."""
    words = "\n\n".join(["word"] * 40)
    return [new_markdown_cell(f'<div lang="{one}">\n\n{words}\n\n</div>') for one in ("en", "zh")]


def test_no_step_leads_onto_a_hidden_cell_or_back_to_the_top(lab, page):
    cells = [CELLS[2], *tall(), new_code_cell("1"), *tall(), new_code_cell("2"), *tall()]
    lab.write("steps.ipynb", cells)
    notebook = lab.open(page, "steps.ipynb")
    notebook.run_all()
    page.wait_for_selector(".posenc-language button")
    for language, hidden in (("中文", {1, 4, 7}), ("English", {2, 5, 8})):
        notebook.choose(language)
        page.locator(".jp-CodeCell .cm-content").first.click()
        visible = [place for place in range(len(cells)) if place not in hidden]
        for key, places in (("Shift+Enter", visible[1:]), ("ArrowUp", visible[-2::-1])):
            for place in places:
                page.keyboard.press(key)
                page.wait_for_function(f"() => ({STANDS})().join() === '{place},true,true'")
                page.wait_for_timeout(100)  # a moment later JupyterLab might scroll away again
                assert page.evaluate(STANDS) == [place, True, True], (language, key)
                notebook.wait_idle()
    assert notebook.errors == []
