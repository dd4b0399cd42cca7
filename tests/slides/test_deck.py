"""The deck of a chapter in a browser, from a file: no network, sliders, notes, both languages."""

import pytest

from tools.build.notebooks import named_chapters
from tools.site.words import PAGES
from tools.slides.__main__ import build

pytestmark = [pytest.mark.slow, pytest.mark.browser]
STAGE = {"width": 1280, "height": 720}
FRAMES = 16  # of a figure: enough to see it move


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    paths = build(named_chapters(["00_start"]), PAGES, folder / "to", folder / "pages", FRAMES)
    return dict(zip(PAGES, paths, strict=True))


@pytest.fixture(params=PAGES)
def deck(request, decks, page):
    """Open the deck in one language; a request to elsewhere, or an error, fails the test."""
    troubles = []
    page.on("request", lambda r: r.url.startswith(("file:", "data:")) or troubles.append(r.url))
    page.on("requestfailed", lambda r: troubles.append(r.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.set_viewport_size(STAGE)
    page.goto(decks[request.param].as_uri())
    page.wait_for_function("Reveal.isReady()")
    yield page
    assert troubles == []


def test_a_deck_is_whole_and_every_slide_fits_the_stage(deck):
    total = deck.evaluate("Reveal.getTotalSlides()")
    assert total >= 12
    assert deck.locator("aside.notes").count() == total
    assert "1" in deck.locator(".slide-number").inner_text()
    assert deck.locator("html").get_attribute("lang")[:2] in deck.url
    for number in range(total):
        deck.evaluate("number => Reveal.slide(number, 0, 99)", number)
        fits = "slide => slide.scrollHeight <= 720 && slide.scrollWidth <= 1280"
        assert deck.evaluate(f"({fits})(Reveal.getCurrentSlide())"), number


def test_a_slider_moves_its_figure_and_a_clicker_goes_on(deck):
    slides = "[...document.querySelectorAll('.slides > section')]"
    number = deck.evaluate(f"{slides}.findIndex(one => one.querySelector('[data-strips]'))")
    deck.evaluate("number => Reveal.slide(number, 0, 99)", number)
    figure = deck.locator("[data-strips]").first
    slider = figure.get_by_role("slider").first
    before = slider.input_value()
    slider.focus()
    deck.keyboard.press("ArrowRight")
    figure.locator("canvas[data-frame]").wait_for()
    assert slider.input_value() != before
    assert deck.evaluate("Reveal.getIndices().h") == number  # the arrow moved the slider alone
    deck.keyboard.press("PageDown")
    deck.wait_for_function(f"Reveal.getIndices().h === {number + 1}")
