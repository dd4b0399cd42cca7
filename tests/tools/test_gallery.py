"""The gallery: fresh, whole, small, in both languages."""

import os
from unittest.mock import patch

from PIL import Image

import posenc_viz
from posenc_viz.explorer import listed
from posenc_viz.panel import Panel
from posenc_viz.stage import WIDTH, Stage
from tests.chapters.languages import differences, misprints
from tests.one_test import one_test
from tools.gallery.page import IMAGES, PAGE, figure, gallery
from tools.gallery.words import WORDS
from tools.pages import ROOT

MOST = 40 * 1024  # bytes of a picture
each = one_test([(name,) for name in WORDS], str)


def test_the_page_is_up_to_date():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == gallery(), "stale, run `python -m tools.gallery`"


@each
def test_a_picture_is_small_and_opaque(name):
    path = ROOT / IMAGES / f"{name}.png"
    assert path.stat().st_size < MOST
    with Image.open(path) as image:
        assert image.width == WIDTH
        assert "transparency" not in image.info
        assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


@each
def test_both_languages_say_the_same(name):
    for text in WORDS[name]:
        assert differences(text.en, text.zh) + misprints(text.zh) == []


@each
def test_a_figure_is_drawn_in_both_languages(name):
    with patch.dict(os.environ, POSENC_LANGUAGE="both"):
        assert Stage().render(listed(figure(name)()))  # warnings are errors here


def test_every_kind_of_panel_is_shown_and_no_picture_is_left_over():
    kinds = {type(panel) for name in WORDS for panel in listed(figure(name)())}
    public = (getattr(posenc_viz, name) for name in posenc_viz.__all__)
    assert kinds == {p for p in public if isinstance(p, type) and issubclass(p, Panel)}
    assert {path.stem for path in (ROOT / IMAGES).iterdir()} == set(WORDS)
