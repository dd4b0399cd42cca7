"""The site, page by page: not too wide, no network, linked to its twin; its figures play.

The first slider of a figure has its start, its ends and what the tries set; more stops look the
same. `make site` draws them all, and fails if a page is then too heavy. The languages of a
figure differ in words alone: its English one plays here, its Chinese one in the deck. A chapter
that does not run for the site is looked at in English, whose words are the wider ones: that its
Chinese prose has the same formulas, code and links, tests/chapters/test_parity.py shows.
"""

import pytest

from bilingual.setting import ONE_LANGUAGE
from tests.all_chapters import CHAPTERS
from tests.site.pages import BUILT, OTHERS, plays

pytestmark = [pytest.mark.slow, pytest.mark.browser]
PHONE = {"width": 390, "height": 844}
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
BEYOND = "document.documentElement.scrollWidth - innerWidth"


def pages(site):
    return sorted(path.relative_to(site).as_posix() for path in site.glob("*/*.html"))


def test_every_chapter_has_a_page_in_both_languages(site):
    names = {f"{language}/{one.name}.html" for one in CHAPTERS for language in ONE_LANGUAGE}
    assert names <= set(pages(site))


def test_every_page_fits_a_phone_needs_nothing_from_outside_and_its_figures_play(
    site, address, page, troubles
):
    page.set_viewport_size(PHONE)
    alike = set() if BUILT else {f"zh/{chapter.name}.html" for chapter in OTHERS}
    for name in sorted(set(pages(site)) - alike):
        page.goto(f"{address}/{name}")
        page.evaluate(UNFOLD)
        assert page.evaluate(BEYOND) <= 0, name
        language, _, file = name.partition("/")
        assert page.locator("html").get_attribute("lang").startswith(language)
        other = next(one for one in ONE_LANGUAGE if one != language)
        twin = page.locator(".course-language").evaluate("link => link.href")
        assert twin == f"{address}/{other}/{file}"
        for figure in page.locator("[data-frames]").all() if language == "en" else []:
            figure.scroll_into_view_if_needed()
            plays(figure, name)
        assert troubles == [], name
