"""Decks in a browser, from files: no network, sliders, notes, every slide fits.

They are of the chapters that run for the site (pages.py); tests/slides plans those of all chapters.
A figure plays in its Chinese deck; its English one plays on the page (tests/site/test_whole.py).
"""

import pytest

from bilingual.setting import ONE_LANGUAGE
from tests.chromium import listening
from tests.site.pages import SAMPLED, plays
from tools.slides.__main__ import build

pytestmark = [pytest.mark.slow, pytest.mark.browser]
STAGE = {"width": 1280, "height": 720}
TOO_LARGE = """total => [...Array(total).keys()].filter((number) => {
  Reveal.slide(number, 0, 99);
  const slide = Reveal.getCurrentSlide();
  return slide.scrollHeight > 720 || slide.scrollWidth > 1280
    || [...slide.querySelectorAll(".fragment")].some((e) => e.scrollHeight > e.clientHeight);
})"""
FIGURES = """() => Reveal.getSlides().flatMap((slide, number) =>
  [...slide.querySelectorAll("[data-frames]")].map(() => number))"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory, site, store):
    """Build the decks from the pages of the site."""
    chapters, stops = SAMPLED
    return build(chapters, ONE_LANGUAGE, tmp_path_factory.mktemp("decks"), store, stops)


@pytest.fixture
def stage(page):
    """Return an empty page; a request to elsewhere, or an error, fails the test."""
    troubles = []
    page.set_viewport_size(STAGE)
    with listening(
        page,
        request=lambda one: one.url.startswith(("file:", "data:")) or troubles.append(one.url),
        requestfailed=lambda one: troubles.append(one.url),
        pageerror=lambda error: troubles.append(str(error)),
    ):
        yield page
    assert troubles == []


def open_deck(stage, deck):
    stage.goto(deck.as_uri())
    stage.wait_for_function("Reveal.isReady()")


def test_every_deck_is_whole_every_slide_fits_and_its_figures_play(decks, stage):
    assert len(decks) == len(set(decks))
    for deck in decks:
        open_deck(stage, deck)
        total = stage.evaluate("Reveal.getTotalSlides()")
        assert total >= 12
        assert stage.locator("aside.notes").count() == total
        assert "1" in stage.locator(".slide-number").inner_text()
        assert stage.locator("html").get_attribute("lang")[:2] == deck.parent.name
        assert stage.evaluate(TOO_LARGE, total) == [], deck
        for number in sorted(set(stage.evaluate(FIGURES))) if deck.parent.name == "zh" else []:
            stage.evaluate("number => Reveal.slide(number, 0, 99)", number)
            for figure in stage.locator("section.present [data-frames]").all():
                plays(figure, f"{deck.name}, {number}")


@pytest.mark.parametrize("language", ONE_LANGUAGE)
def test_a_slider_moves_its_figure_and_a_clicker_goes_on(decks, stage, language):
    open_deck(stage, next(d for d in decks if (d.parent.name, d.stem) == (language, "00_start")))
    slides = "[...document.querySelectorAll('.slides > section')]"
    number = stage.evaluate(f"{slides}.findIndex(one => one.querySelector('[data-frames]'))")
    stage.evaluate("number => Reveal.slide(number, 0, 99)", number)
    figure = stage.locator("[data-frames]").first
    slider = figure.get_by_role("slider").first
    before = slider.input_value()
    slider.focus()
    stage.keyboard.press("ArrowRight")
    figure.locator(".course-panels[data-frame]").wait_for()
    assert slider.input_value() != before
    assert stage.evaluate("Reveal.getIndices().h") == number  # the arrow moved the slider alone
    stage.keyboard.press("PageDown")
    stage.wait_for_function(f"Reveal.getIndices().h === {number + 1}")
