"""A moved figure is the figure drawn from scratch, to the byte."""

from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from bilingual import Text
from posenc_viz import HeatMap, Matrix
from posenc_viz.stage import WIDTH, Stage
from posenc_viz.style import columns, pieces, wrap
from tests.posenc_viz.samples import MAKERS, TITLE, X, Y, head, heat_map, matrix, numbers


def fresh(*panels):
    return Stage().render(panels)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_moved_figure_equals_one_drawn_from_scratch(maker):
    stage = Stage()
    first = stage.render([maker(1)])
    second = stage.render([maker(2)])
    assert second == fresh(maker(2)) != first
    assert stage.render([maker(1)]) == first


def test_an_update_draws_nothing_that_stands_still(monkeypatch):
    stage = Stage()
    stage.render([heat_map(1)])
    monkeypatch.setattr(stage, "_draw", None)
    stage.render([heat_map(2)])
    with pytest.raises(TypeError):
        stage.render([heat_map(1), heat_map(2)])  # another frame: must draw


def test_other_labels_and_languages_are_drawn_from_scratch(language):
    stage = Stage()
    both = stage.render([heat_map(1)])
    language("zh")
    chinese = stage.render([heat_map(1)])
    assert chinese == fresh(heat_map(1)) != both


def test_after_a_panel_that_cannot_be_drawn_the_next_one_is():
    stage = Stage()
    stage.render([heat_map(1)])
    wrong = HeatMap(numbers(0, 3, 3), X, Y, TITLE, colours="no such map")
    with pytest.raises(KeyError):
        stage.render([wrong])
    assert stage.render([heat_map(1)]) == fresh(heat_map(1))


def test_a_png_is_opaque_light_and_without_metadata():
    png = fresh(*(maker(1) for maker in MAKERS[:3]))
    image = Image.open(BytesIO(png))
    assert (image.width, image.mode, image.info) == (WIDTH, "RGB", {})
    assert image.getpixel((1, 1)) == (255, 255, 255)
    assert len(png) < 120 * 1024


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_panels_do_not_touch_each_other(count, language):
    language("en")
    panels = [Matrix(numbers(k, 4, 4), "abcd", "abcd", f"Panel {k}") for k in range(count)]
    pixels = np.asarray(Image.open(BytesIO(fresh(*panels)))).min(axis=(0, 2))  # darkest, by column
    white = np.flatnonzero(pixels == 255)
    gaps = 1 + sum(b - a > 1 for a, b in pairwise(white))
    assert gaps >= min(count, 3) + (count != 4)  # left, between, right


@pytest.mark.parametrize("count", [0, 5])
def test_no_panel_or_too_many_are_refused(count):
    with pytest.raises(ValueError, match="1 to 4 panels"):
        fresh(*[heat_map(1)] * count)


def test_a_long_title_is_broken_to_the_width_of_its_panel():
    long = Text(en="A long title of many words " * 4, zh="很长的标题，有许多字。" * 8)
    alone = HeatMap(numbers(0, 4, 4), X, Y, long)
    pixels = np.asarray(Image.open(BytesIO(fresh(alone, alone, alone))))
    assert pixels[:60, -1].min() == 255  # nothing runs off the edge


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words=st.text(st.sampled_from("ab 字，。（）\n"), max_size=60), width=st.integers(4, 30))
def test_wrapping_keeps_every_letter_and_the_width(words, width):
    lines = wrap(words, width).split("\n")
    assert "".join("".join(lines).split()) == "".join(words.split())
    for line in lines:
        assert columns(line) <= width or len(pieces(line)) == 1  # nowhere to break it


def test_wrapping_leaves_formulas_and_closing_marks_where_they_are():
    assert wrap("see $a + b$ here", 8) == "see\n$a + b$\nhere"
    assert wrap("位置编码，正弦值", 8) == "位置编\n码，正弦\n值"


def test_a_finer_screen_gets_more_pixels_of_the_same_figure():
    once, twice = (Image.open(BytesIO(Stage(600, r).render([heat_map(1)]))) for r in (1, 2))
    assert (once.width, twice.width, twice.height) == (600, 1200, 2 * once.height)
    other = Image.open(BytesIO(Stage(600).render([heat_map(5)])))
    smaller, same, moved = (
        np.asarray(each.resize(once.size), dtype=float) for each in (twice, once, other)
    )
    assert np.abs(smaller - same).mean() < 0.5 * np.abs(smaller - moved).mean()


@pytest.mark.parametrize(("width", "rows"), [(900, 1), (620, 2), (400, 3)])
def test_on_a_narrow_page_panels_wrap_below_one_another(width, rows):
    panels = [matrix(1), matrix(1), matrix(1)]
    image = Image.open(BytesIO(Stage(width).render(panels)))
    assert (image.width, image.height) == (width, rows * matrix(1).height)


def test_a_panel_that_needs_its_width_has_it_on_a_narrow_page():
    assert Image.open(BytesIO(Stage(400).render([head(1)]))).width == head(1).width > 400
