"""The site and the decks, every chapter of them: nothing is too wide, and every figure plays.

A slider has its start, its ends and what the tries set; more stops look the same, and take six
times as long. `make site` draws them all, and fails if a page is then too heavy.
"""

import pytest

from tests.site.small import served
from tools.build.contents import chapters
from tools.site.__main__ import build
from tools.site.words import PAGES
from tools.slides.__main__ import build as decks

pytestmark = [pytest.mark.slow, pytest.mark.browser]
PHONE, STAGE = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
STOPS = 3
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
BEYOND = "document.documentElement.scrollWidth - innerWidth"
FITS = """slide => slide.scrollHeight <= 720 && slide.scrollWidth <= 1280
    && [...slide.querySelectorAll(".fragment")].every((e) => e.scrollHeight <= e.clientHeight)"""
SHOWN = """figure => figure.querySelector(".course-panels").innerHTML
  + [...figure.querySelectorAll("canvas")].map((each) => each.toDataURL())"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return the folder of the pages, which the decks are made from as well."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def whole(tmp_path_factory, store):
    target = tmp_path_factory.mktemp("whole") / "site"
    build(chapters(), target, store, STOPS)
    return target


def pages(site):
    return sorted(path.relative_to(site).as_posix() for path in site.glob("*/*.html"))


def test_every_chapter_has_a_page_in_both_languages(whole):
    names = {f"{language}/{one.name}.html" for one in chapters() for language in PAGES}
    assert names <= set(pages(whole))


def test_no_page_is_wider_than_a_phone_and_none_has_an_error(whole, page):
    page.set_viewport_size(PHONE)
    troubles = []
    page.on("console", lambda one: one.type == "error" and troubles.append(one.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    with served(whole) as address:
        for name in pages(whole):
            page.goto(f"{address}/{name}")
            page.evaluate(UNFOLD)
            assert page.evaluate(BEYOND) <= 0, name
            assert troubles == [], name


def test_every_figure_plays_on_every_page(whole, page):
    with served(whole) as address:
        for name in pages(whole):
            page.goto(f"{address}/{name}")
            page.evaluate(UNFOLD)
            for figure in page.locator("[data-frames]").all():
                figure.scroll_into_view_if_needed()
                plays(figure, name)


def test_every_slide_of_every_deck_fits_and_its_figures_play(whole, store, page, tmp_path):
    page.set_viewport_size(STAGE)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda request: troubles.append(request.url))
    for deck in decks(chapters(), PAGES, tmp_path, store, STOPS):
        page.goto(deck.as_uri())
        page.wait_for_function("Reveal.isReady()")
        for number in range(page.evaluate("Reveal.getTotalSlides()")):
            page.evaluate("number => Reveal.slide(number, 0, 99)", number)
            assert page.evaluate(f"({FITS})(Reveal.getCurrentSlide())"), (deck.name, number)
            for figure in page.locator("section.present [data-frames]").all():
                plays(figure, f"{deck.name}, {number}")
        assert troubles == [], deck.name


def plays(figure, place):
    """Set its first slider, or choice, to both ends; the pictures must differ."""
    figure.locator(".course-panels[data-frame]").wait_for()
    sliders = figure.locator("input[type=range]")
    options = figure.locator(".course-choice").first.locator("input")
    pictures = set()
    for key, option in (("Home", options.first), ("End", options.last)):
        if sliders.count():
            sliders.first.press(key)
        else:
            option.check()
        pictures.add(figure.evaluate(SHOWN))
    assert len(pictures) == 2, place
