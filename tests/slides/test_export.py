"""The page of a deck, as nbconvert writes it."""

from bs4 import BeautifulSoup

from tools.slides.deck import Slide
from tools.slides.export import write_deck


def test_a_mark_stays_on_the_line_of_its_formula(tmp_path):
    write_deck(
        [Slide(["# 一", "转角$a$。再转$b$之后，$$c$$"], ["讲稿"])], tmp_path / "a.html", "zh"
    )
    page = BeautifulSoup((tmp_path / "a.html").read_text(encoding="utf-8"), "html.parser")
    assert [one.get_text(strip=True) for one in page.select(".whole")] == ["a。"]
    assert len(page.select("math")) == 3
