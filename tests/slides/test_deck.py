"""A slide that holds much, in a browser and on paper; the decks of chapters: tests/site."""

import pytest

from posenc_viz import Bars
from tools.site.drawing import Drawing
from tools.site.figure import still_figure
from tools.slides.deck import CODE, Slide
from tools.slides.export import write_assets, write_deck

pytestmark = [pytest.mark.slow, pytest.mark.browser]
STAGE = {"width": 1280, "height": 720}
FITS = """slide => slide.scrollHeight <= 720 && slide.scrollWidth <= 1280
    && [...slide.querySelectorAll(".fragment")].every((e) => e.scrollHeight <= e.clientHeight)"""
PANELS = [Bars([1, 3, 2], "abc", "x", "y", "title")]
PICTURE = still_figure(Drawing().marks(PANELS), PANELS)
PARAGRAPH = "Which of them falls all the way, and which rises again? " * 4


@pytest.fixture(scope="module")
def page(browser):
    """Return one page for all decks of this file."""
    page = browser.new_page(viewport=STAGE)
    yield page
    page.close()


@pytest.mark.parametrize(
    ("revealed", "has_columns"),
    [
        ([CODE.format("\n".join(["one = 1  # of many"] * 34))], True),
        ([*[PARAGRAPH] * 2, *[PICTURE] * 2], True),
        ([PARAGRAPH, PICTURE], False),
        ([CODE.format("wide = 1  # " + "of a row " * 11)], False),
        (["$$" + "+".join(["q_ik_j"] * 11) + "$$"], False),
    ],
    ids=["long", "two figures", "figure", "wide", "formula"],
)
def test_a_slide_that_holds_much_fits_the_stage(revealed, has_columns, tmp_path, page):
    write_assets(tmp_path)
    overfull = Slide(["## Much"], ["note"], revealed)
    write_deck([Slide(["# Begin"], ["note"]), overfull], tmp_path / "deck.html", "en")
    page.goto((tmp_path / "deck.html").as_uri())
    page.wait_for_function("Reveal.isReady()")
    page.evaluate("Reveal.slide(1, 0, 99)")
    assert page.evaluate(f"({FITS})(Reveal.getCurrentSlide())")
    slide = page.locator("section.present section.present, section.present").last
    assert slide.evaluate("slide => slide.classList.contains('columns')") == has_columns
    for text in slide.locator("pre").all():
        lines = text.inner_text().rstrip("\n").count("\n") + 1
        line_count = "e => (e.clientHeight - 24) / parseFloat(getComputedStyle(e).lineHeight)"
        assert round(text.evaluate(line_count)) <= lines  # no line is broken
    for formula in slide.locator("math").all():
        assert formula.evaluate("e => e.scrollWidth <= e.clientWidth")
    for picture in slide.locator("svg").all():
        box, view = picture.bounding_box(), picture.get_attribute("viewBox").split(" ")
        assert round(box["height"]) >= 160
        ratio = int(view[2]) / int(view[3])  # no margin: a canvas lies at a share of the box
        assert box["width"] / box["height"] == pytest.approx(ratio, rel=0.01)


def test_a_printed_deck_has_a_page_for_each_slide(tmp_path, page):
    write_assets(tmp_path)
    long = Slide(["## Much"], ["note"], [CODE.format("\n".join(["one = 1  # of many"] * 34))])
    write_deck([Slide(["# Begin"], ["note"]), long], tmp_path / "deck.html", "en")
    page.goto(f"{(tmp_path / 'deck.html').as_uri()}?print-pdf")
    page.locator(".pdf-page .columns").wait_for()
    heights = page.locator(".pdf-page").evaluate_all("pages => pages.map(e => e.clientHeight)")
    assert len(heights) == 2
    assert max(heights) <= 720
    fits = page.locator(".pdf-page > section").evaluate_all(f"slides => slides.map({FITS})")
    assert fits == [True, True]
