"""The site, every chapter of it: nothing is too wide, and every figure plays.

The first slider of a figure has its start, its ends and what the tries set; more stops look the
same. `make site` draws them all, and fails if a page is then too heavy. The languages of a
figure differ in words alone: its English one plays here, its Chinese one in the deck.
"""

import pytest

from tests.all_chapters import CHAPTERS
from tests.site.pages import plays
from tools.site.words import PAGES

pytestmark = [pytest.mark.slow, pytest.mark.browser]
PHONE = {"width": 390, "height": 844}
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
BEYOND = "document.documentElement.scrollWidth - innerWidth"


def pages(site):
    return sorted(path.relative_to(site).as_posix() for path in site.glob("*/*.html"))


def test_every_chapter_has_a_page_in_both_languages(site):
    names = {f"{language}/{one.name}.html" for one in CHAPTERS for language in PAGES}
    assert names <= set(pages(site))


def test_no_page_is_wider_than_a_phone_none_has_an_error_and_its_figures_play(site, address, page):
    troubles = []
    page.on("console", lambda one: one.type == "error" and troubles.append(one.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.set_viewport_size(PHONE)
    for name in pages(site):
        page.goto(f"{address}/{name}")
        page.evaluate(UNFOLD)
        assert page.evaluate(BEYOND) <= 0, name
        for figure in page.locator("[data-frames]").all() if name.startswith("en/") else []:
            figure.scroll_into_view_if_needed()
            plays(figure, name)
        assert troubles == [], name
