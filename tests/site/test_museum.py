"""The museum's page as Sphinx makes it, sorted in a browser."""

import pytest

from tools.museum.rows import rows

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_heads_and_names_stay_in_sight_on_a_phone_and_the_picture_can_be_read(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/en/museum.html")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    letters = page.locator(".course-panel svg use, .course-panel svg text").first
    assert letters.evaluate("e => e.getBoundingClientRect().height") >= 9
    box = page.locator(".museum-scroll")
    box.evaluate("box => box.scrollTo(300, 5000)")
    edge = box.bounding_box()
    head, name = page.locator("table.museum th").nth(1), page.locator("table.museum td").nth(1)
    assert head.bounding_box()["y"] - edge["y"] == pytest.approx(0, abs=2)
    assert name.bounding_box()["x"] - edge["x"] == pytest.approx(0, abs=2)


def test_a_column_sorts_up_then_down_and_blanks_come_last(page, address):
    page.goto(f"{address}/zh/museum.html")
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
