"""The feedback page in Chromium: what a student wrote runs nothing, asks for nothing."""

import pytest

from autograde.pages.formulas import ELEMENTS
from autograde.pages.markup import TAGS
from tests.autograde.conftest import catalogue as catalogue
from tests.autograde.conftest import data as data
from tests.autograde.feedback_notebook import answer_cell, check_cell, everywhere, page, squares
from tests.autograde.hostile import HOSTILE

pytestmark = pytest.mark.browser

PAGE = {"html", "head", "meta", "title", "style", "body", "header", "main", "article"}
TOUCH = """() => {
  document.querySelectorAll('details').forEach(one => { one.open = true; });
  for (const one of document.querySelectorAll('body *')) {
    for (const kind of ['mouseover', 'mouseenter', 'focus', 'click', 'toggle', 'error', 'load'])
      one.dispatchEvent(new Event(kind, {bubbles: true, cancelable: true}));
  }
}"""
SEEN = """() => ({
  tags: [...new Set([...document.querySelectorAll('*')].map(one => one.localName))],
  handlers: [...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames())
    .filter(name => name.startsWith('on') || name === 'style'),
  links: [...document.querySelectorAll('[href]')].map(one => one.getAttribute('href')),
  taken: typeof window.taken, inside: document.querySelectorAll('main > *').length,
})"""


class Opened:
    """A page of the browser, opened on one file after the other, and what the last one did."""

    def __init__(self, context):
        self.page = context.new_page()
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request))
        self.page.on("console", lambda message: self.messages.append(message.text))
        context.on("page", lambda other: self.dialogs.append(other.url))

    def show(self, path):
        self.dialogs, self.requests, self.messages = [], [], []
        self.page.goto(path.as_uri())

    def _dismiss(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def sent(self):
        """Return the addresses of the requests that went out: those of the policy's did not."""
        went = [one.url for one in self.requests if one.failure != "csp"]
        return [url for url in went if not url.startswith("data:image/")]


@pytest.fixture(scope="module")
def window(browser):
    """Return one page for all tests: a context of its own for each costs most of their time."""
    context = browser.new_context()
    yield Opened(context)
    context.close()


@pytest.fixture
def opened(window, tmp_path):
    """Return a function that opens markup as a file."""

    def open_page(markup):
        path = tmp_path / "page.html"
        path.write_text(markup, encoding="utf-8")
        window.show(path)
        return window

    return open_page


def test_no_script_runs_and_no_request_is_sent(opened):
    """On one page of all texts; test_feedback_hostile.py says which one is to blame."""
    cells = [cell for words in HOSTILE.values() for cell in everywhere(words)]
    window = opened(page(cells, "both"))
    window.page.evaluate("document.addEventListener('click', one => one.preventDefault())")
    window.page.evaluate(TOUCH)
    window.page.wait_for_timeout(50)
    seen = window.page.evaluate(SEEN)
    assert set(seen["tags"]) - TAGS - ELEMENTS - PAGE == set()
    assert seen["handlers"] == []
    assert [at for at in seen["links"] if not at.startswith(("#", "http"))] == []
    assert seen["taken"] == "undefined"
    sections = 3 * len(HOSTILE)  # the cells before, the exercise, the written answer
    assert seen["inside"] == sections
    assert window.dialogs == []
    assert [one.url for one in window.requests if one.url[:5] != "data:"] == [window.page.url]
    assert window.messages == []  # the policy had nothing to refuse


# a policy says what a page may load, not where it may go: only the first wall holds this
BEYOND_THE_POLICY = {"refresh"}


def test_the_content_security_policy_alone_holds_too(opened):
    """The second wall, with the first torn down: markup goes into the page as it was written."""
    raw = page([answer_cell(), check_cell(squares())])
    assert raw.count("</main>") == 1
    for name in [name for name in HOSTILE if name not in BEYOND_THE_POLICY]:
        window = opened(raw.replace("</main>", f"{HOSTILE[name]}</main>"))
        window.page.wait_for_timeout(50)
        assert window.page.evaluate("typeof window.taken") == "undefined", name
        assert window.dialogs == [], name
        assert window.sent() == [window.page.url], name
        assert window.page.evaluate("getComputedStyle(document.body).display") == "block", name


@pytest.mark.parametrize("language", ["both", "zh", "en"])
def test_the_page_fits_and_logs_nothing(opened, language):
    window = opened(page([answer_cell(), check_cell(squares())], language))
    window.page.evaluate(TOUCH)
    for width in (390, 1100):
        window.page.set_viewport_size({"width": width, "height": 900})
        overflow = "document.documentElement.scrollWidth - window.innerWidth"
        assert window.page.evaluate(overflow) <= 0, width
    assert window.messages == []
    ours = window.page.locator(".likely")
    assert ours.evaluate("one => getComputedStyle(one).borderRadius") != "0px"  # the style applies


def test_formulas_are_drawn(opened):
    window = opened(page([check_cell(squares())]))
    window.page.evaluate(TOUCH)
    formula = window.page.locator("math").first
    assert formula.evaluate("one => one.namespaceURI").endswith("MathML")
    assert formula.evaluate("one => getComputedStyle(one).display") == "math"
    assert formula.bounding_box()["width"] > 10
