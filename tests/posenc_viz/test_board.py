"""The widgets before an explorer, and the outputs that a notebook keeps."""

from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from bilingual import Text, set_language
from posenc_viz import Bars, Explorer, board, explore, explorer, picture
from posenc_viz.board import Board
from posenc_viz.stage import WIDTH
from tests.posenc_viz.samples import TITLE, heat_map, numbers


def fragile(k):
    if k == 2:
        raise ValueError("two is <too> many")
    return Bars(numbers(k, 2), "ab", "x", "y", TITLE)


@pytest.fixture
def outputs(monkeypatch):
    """Collect what would be displayed: (kind, mime bundle)."""
    bundles = []

    def note(kind):
        return lambda *arguments, raw: bundles.append((kind, arguments[-1]))

    monkeypatch.setattr(board, "display", note("display"))
    monkeypatch.setattr(explorer, "display", note("display"))
    show = lambda self, png, words: bundles.append(("show", {"png": png, "words": words}))
    monkeypatch.setattr(board.LivePicture, "show", show)
    return bundles


def test_explore_shows_a_picture_and_its_controls_with_words_that_stay_the_same(outputs):
    first = explore(heat_map, seed=(0, 7))
    again = explore(heat_map, seed=(0, 7))
    assert first is None is again
    kinds, bundles = zip(*outputs, strict=True)
    assert kinds == ("display", "show", "display") * 2
    assert bundles[0] == bundles[3]
    assert bundles[1] == bundles[4]
    assert b64decode(bundles[0]["image/png"]) == bundles[1]["png"]
    assert bundles[1]["words"] == "带公式$x^2$的标题：0 A title with $x^2$: 0"
    assert bundles[1]["png"].startswith(b"\x89PNG")
    assert bundles[0]["text/plain"] == "<picture: 带公式$x^2$的标题：0 · A title with $x^2$: 0>"
    words = "<运行本单元格即可使用滑块 · run this cell for the sliders>"
    assert bundles[2]["text/plain"] == bundles[5]["text/plain"] == words
    assert "application/vnd.jupyter.widget-view+json" in bundles[2]


def test_the_words_are_the_same_whatever_is_chosen_in_a_notebook(outputs, language, monkeypatch):
    language("en")
    explore(heat_map, seed=(0, 7))
    edition = [bundle["text/plain"] for kind, bundle in outputs if kind == "display"]
    assert edition == [
        "<picture: A title with $x^2$: 0>",
        "<run this cell for the sliders>",
    ]
    monkeypatch.delenv("POSENC_LANGUAGE")
    outputs.clear()
    for code in ("zh", "en", "both"):
        set_language(code)
        explore(heat_map, seed=(0, 7))
    assert len({bundle["text/plain"] for kind, bundle in outputs if kind == "display"}) == 2


def test_a_still_picture_is_one_output(outputs):
    assert picture(heat_map(1), heat_map(2)) is None
    ((_, bundle),) = outputs
    assert set(bundle) == {"image/png", "text/plain"}


def test_a_moved_slider_replaces_the_picture(outputs):
    board = Board(Explorer(heat_map, seed=(0, 7)))
    before = board.explorer.png
    board.widgets["seed"].value = 5
    ((kind, call),) = outputs
    assert kind == "show"
    assert call["png"] == board.explorer.png != before


def test_a_page_of_another_size_is_drawn_for_once(outputs):
    board = Board(Explorer(heat_map, seed=(0, 7)))
    board.picture.set_state({"room": 400, "ratio": 2.0})
    assert [kind for kind, _ in outputs] == ["show"]


def test_reset_draws_once(outputs):
    board = Board(Explorer(lambda a, b: heat_map(a + b), a=(0, 3), b=(0, 3)))
    first = board.explorer.png
    board.widgets["a"].value, board.widgets["b"].value = 2, 1
    outputs.clear()
    board.reset.click()
    assert board.explorer.values == {"a": 0, "b": 0}
    assert board.explorer.png == first
    assert len(outputs) == 1


def test_an_error_is_shown_and_the_controls_still_work(outputs):
    board = Board(Explorer(fragile, k=(0, 4)))
    board.widgets["k"].value = 2
    assert not outputs
    assert "这组设置出错了" in board.notice.value
    assert "This setting raised an error" in board.notice.value
    assert "ValueError: two is &lt;too&gt; many" in board.notice.value
    board.widgets["k"].value = 3
    assert board.notice.value == ""
    assert len(outputs) == 1


def test_at_first_an_error_is_raised(outputs):
    with pytest.raises(ValueError, match="too"):
        explore(fragile, k=(2, 4))
    assert not outputs


def test_labels_are_whole_and_follow_the_language(language):
    long = Text(en="a label of more than eighty pixels", zh="一个超过八十像素的很长的标签")
    board = Board(Explorer(fragile, labels={"k": long}, k=(0, 4)))
    slider = board.widgets["k"]
    assert slider.style.description_width == "initial"
    assert slider.description == slider.tooltip == long.label()
    assert int(slider.layout.width.removesuffix("em")) > 24 + len(long.label()) / 2
    language("zh")
    slider.value = 1
    assert (slider.description, board.reset.description) == (long.zh, "重置")


def test_a_page_that_says_how_wide_and_fine_it_is_gets_a_picture_to_measure():
    one = Board(Explorer(fragile, k=(0, 3)))
    before = one.explorer.png
    one.picture.set_trait("room", 420)
    narrow = one.picture.png
    assert (one.picture.width, width(narrow)) == (420, 420)
    one.picture.set_trait("ratio", 2.0)
    assert (one.picture.width, width(one.picture.png)) == (420, 840)
    one.widgets["k"].value = 1
    assert width(one.picture.png) == 840
    one.picture.set_trait("room", WIDTH)
    one.picture.set_trait("ratio", 1.0)
    one.widgets["k"].value = 0
    assert one.picture.png == before


def width(png):
    return Image.open(BytesIO(png)).width
