"""Grading by hand in Chromium: by the keyboard alone, and for whoever sees, hears or taps."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.autograde.by_hand import desk
from tests.autograde.by_hand.desk import entered, make_class, served
from tests.autograde.conftest import catalogue as catalogue
from tests.autograde.conftest import data as data
from tests.chromium import VIEW

pytestmark = pytest.mark.browser

ANSWERS = {"ada": "First $x_1$", "ben": "Second", "cai": "Second", "eve": "<b>Third</b>\n\n1. *x*"}


@pytest.fixture
def folder(tmp_path):
    return make_class(tmp_path / "course", ANSWERS)


@pytest.fixture(scope="module")
def page(browser):
    """Return a page where no JupyterLab stands."""
    page = browser.new_page(viewport=VIEW)
    yield page
    page.close()


def card(page, words):
    return page.locator("#answers > article", has_text=words)


def test_a_class_is_graded_by_the_keyboard_alone(folder, page):
    points = {"First": "2", "Second": "1", "Third": "3"}
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    with served(folder) as address:
        page.goto(address)
        while points:
            current = page.locator("article:focus")
            words = next(one for one in points if one in current.locator(".own").inner_text())
            page.keyboard.press(points.pop(words))
            if words == "First":
                for key in (".", "c"):
                    page.keyboard.press(key)
                page.keyboard.type("Which *order*?")
                page.keyboard.press("Control+Enter")
            else:
                page.keyboard.press("Enter")
            expect(card(page, words)).not_to_have_attribute("data-mark", "waiting")
            expect(card(page, words)).not_to_be_focused()
        expect(page.locator("#progress")).to_have_text("7 of 7 graded")
        expect(page.locator("#progress")).to_be_focused()
    assert entered(folder, "ada") == (2.5, False, "Which *order*?")
    assert entered(folder, "ben") == entered(folder, "cai") == (1, False, None)
    assert entered(folder, "eve") == (3, False, None)
    assert troubles == []


def test_what_is_not_saved_is_said_and_stays(folder, page):
    with served(folder) as address:
        page.goto(address)
        first = page.locator("article:focus")
        page.keyboard.press("9")
        expect(page.locator(".trouble .state")).to_contain_text("from 0 to 3, got “9”")
        page.keyboard.press("Enter")
        expect(first).to_be_focused()
    page.keyboard.press("2")  # nobody answers any more
    expect(page.locator(".trouble .state")).to_contain_text("Is the command still running")
    assert first.locator("[name=points]").input_value() == "2"
    assert entered(folder, "ada")[0] is None


def test_a_long_answer_widens_no_page_and_leaves_its_points_in_sight(tmp_path, page):
    long = "x" * 300 + "\n\n" + "word " * 2000
    with served(make_class(tmp_path / "course", {"ada": long, "ben": "Short"})) as address:
        page.goto(address)
        if "Short" in page.locator("article:focus .own").inner_text():
            page.keyboard.press("n")
        page.keyboard.press("9")
        expect(page.locator(".trouble .state")).to_be_in_viewport()
        expect(page.locator(".trouble [name=points]")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_table_of_keys_comes_into_sight_below_a_long_key(tmp_path, page, monkeypatch):
    """Seen: it opened below the edge of the window, as if nothing had happened."""
    monkeypatch.setitem(desk.KEY, "en", "A reason for a point.\n\n" * 60)
    with served(make_class(tmp_path / "course", ANSWERS)) as address:
        page.goto(address)
        page.keyboard.press("?")
        expect(page.locator("#keys dl")).to_be_in_viewport(ratio=1)
        expect(page.locator("article:focus")).to_have_count(1)


def test_both_languages_of_a_label_stand_on_one_line(folder, page):
    with served(folder, "both") as address:
        page.goto(address)
        lines = page.locator("article:focus label > span:first-child").first.locator("[lang]")
        tops = [line.bounding_box()["y"] for line in lines.all()]
    assert len(tops) == 2
    assert abs(tops[0] - tops[1]) < 5


@pytest.mark.parametrize(
    ("scheme", "language", "width"), [("dark", "zh", 390), ("light", "en", 1300)]
)
def test_axe_finds_nothing_and_nothing_is_cut_off(folder, browser, scheme, language, width):
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 844})
    page = context.new_page()
    with served(folder, language, names=True) as address:
        page.goto(address)
        page.keyboard.press("?")
        assert page.locator("#keys").get_attribute("open") is not None
        page.keyboard.press("7")
        expect(page.locator(".trouble")).to_have_count(1)
        violations = Axe().run(page).response["violations"]
        wide = page.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == []
    assert wide == width
