"""The museum's page as Sphinx makes it, sorted in a browser."""

import pytest

from tests.all_chapters import CHAPTERS
from tests.site.small import served
from tools.museum.rows import rows
from tools.site.edition import run_sphinx, write_contents, write_museum, write_terms
from tools.site.weight import too_heavy

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def museum(tmp_path_factory):
    """Serve the site without a chapter."""
    folder = tmp_path_factory.mktemp("museum")
    write_terms(folder / "terms.txt")
    for language in ("zh", "en"):
        source = folder / language
        (source / "files").mkdir(parents=True)
        write_museum(source, language)
        write_contents([], CHAPTERS, source, language)
        run_sphinx(source, folder / "html" / language, language, folder / "terms.txt")
    assert too_heavy(folder / "html") == []
    with served(folder / "html") as address:
        yield address


def test_heads_and_names_stay_in_sight_on_a_phone_and_the_picture_can_be_read(page, museum):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{museum}/en/museum.html")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    letters = page.locator(".course-panel svg use, .course-panel svg text").first
    assert letters.evaluate("e => e.getBoundingClientRect().height") >= 9
    box = page.locator(".museum-scroll")
    box.evaluate("box => box.scrollTo(300, 5000)")
    edge = box.bounding_box()
    head, name = page.locator("table.museum th").nth(1), page.locator("table.museum td").nth(1)
    assert head.bounding_box()["y"] - edge["y"] == pytest.approx(0, abs=2)
    assert name.bounding_box()["x"] - edge["x"] == pytest.approx(0, abs=2)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_column_sorts_up_then_down_and_blanks_come_last(page, museum, language):
    page.goto(f"{museum}/{language}/museum.html")
    body = page.locator("table.museum tbody tr")
    assert body.count() == len(rows())
    numbers = [max(row.bases) for row in rows() if any(row.bases)]
    heads = page.locator("table.museum th")
    for order, first in (("ascending", min(numbers)), ("descending", max(numbers))):
        heads.nth(3).get_by_role("button").click()
        assert heads.nth(3).get_attribute("aria-sort") == order
        assert body.first.locator("td").nth(3).get_attribute("data-key") == f"{first:.0f}"
        assert body.last.locator("td").nth(3).inner_text() == ""
    heads.nth(1).get_by_role("button").press("Enter")
    assert heads.nth(3).get_attribute("aria-sort") == "none"
    assert body.first.locator("td").nth(1).inner_text() == min(r.model_type for r in rows())
