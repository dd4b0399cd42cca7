"""Nothing that a student wrote becomes markup that runs, loads, or looks like the page's own."""

import re
from html import unescape
from xml.etree.ElementTree import fromstring

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograde.pages import formulas
from autograde.pages.feedback import page as feedback_page
from autograde.pages.feedback.sanitised_outputs import sanitise
from autograde.pages.formulas import ELEMENTS
from autograde.pages.limits import TEXT
from autograde.pages.markup import TAGS, as_written, clean, html, markdown
from autograde.pages.source_code import code
from confined.outputs import TURNS
from tests.autograde.feedback_notebook import everywhere, page
from tests.autograde.hostile import HOSTILE
from tests.autograde.page_reader import Reader

OURS = {"html", "head", "meta", "title", "style", "body", "header", "main", "article", "section"}
DRAWN = (TAGS | ELEMENTS) - {"tex", "tex-block"}
LOADING = {"src", "srcset", "action", "background", "data", "poster", "formaction", "xlink:href"}
NEVER = {"style", "ping", "target", "name", "http-equiv", "autofocus", "srcdoc"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_becomes_only_harmless_elements(name):
    read = Reader(page(everywhere(HOSTILE[name]), "both"))
    body = read.tags[[tag for tag, _ in read.tags].index("body") :]
    assert {tag for tag, _ in body} - DRAWN - OURS == set()
    attributes = [(key, value or "") for _, attrs in body for key, value in attrs.items()]
    assert [key for key, _ in attributes if key.startswith("on") or key in NEVER] == []
    loaded = [value for key, value in attributes if key in LOADING]
    assert [value for value in loaded if not value.startswith("data:image/")] == []
    links = [value for key, value in attributes if key == "href"]
    assert [at for at in links if not at.startswith(("#", "http://", "https://"))] == []
    assert [tag for tag, _ in body].count("main") == 1
    assert [value for key, value in attributes if key == "id"] == ["double", "a_why"]


@pytest.mark.parametrize("name", HOSTILE)
def test_cleaning_clean_markup_changes_nothing_that_matters(name):
    once = str(markdown(HOSTILE[name]))
    tags = [tag for tag in Reader(once).tags if tag[0] not in ELEMENTS]
    assert [tag for tag in Reader(str(clean(once))).tags if tag[0] not in ELEMENTS] == tags


def test_what_a_student_tried_can_be_read():
    assert "&lt;script&gt;" in markdown("<script>alert(1)</script>")
    assert html("<p>a</p><script>alert(1)</script>") == "<p>a</p>"


def test_only_pasted_pictures_are_shown():
    attached = {"a.png": {"image/png": "iVBORw0="}, "b.svg": {"image/svg+xml": "PHN2Zz4="}}
    source = "![one](attachment:a.png) ![two](attachment:b.svg) ![three](attachment:c.png)"
    seen = markdown(source, attached)
    assert seen.count("src=") == 1
    assert '<img src="data:image/png;base64,iVBORw0=" alt="one">' in seen
    assert 'alt="two"' in seen
    png = "data:image/png;base64,iVBORw0="
    assert "src=" not in markdown(f"![four]({png}) <img src='{png}'>", attached)
    assert markdown("![one](attachment:a.png)" * 2, attached).count("src=") == 1
    assert "src=" in markdown("![one](<attachment:图 1.png>)", {"图 1.png": attached["a.png"]})
    assert 'src="x' not in markdown("![a](attachment:a.png)", {"a.png": {"image/png": '" src="x'}})


@pytest.mark.parametrize("turn", ["\u202e", "\u2066", "\u200f", "&#x202e;", "&#0008238;", "&rlm;"])
def test_a_student_s_words_and_code_are_read_in_the_order_of_their_characters(turn):
    for words in (f"a{turn}b", f"`a`{turn}b", f"$a$ <b>{turn}b</b>", f"![{turn}](attachment:a)"):
        assert not TURNS.search(unescape(str(markdown(words)).replace("&amp;", "")))
    if len(turn) == 1:
        escape = ascii(turn)[1:-1]
        for read in (code, as_written):
            assert re.sub("<[^<>]*>", "", read(f"a {turn} b")).strip() == f"a {escape} b"


@pytest.mark.parametrize("data", ['" onerror="alert(1)', "<svg onload='alert(1)'/>", "&#34; x"])
@pytest.mark.parametrize("kind", ["image/png", "image/jpeg", "image/x-icon"])
def test_data_of_another_kind_is_not_a_picture(kind, data):
    output = sanitise({"output_type": "display_data", "data": {kind: data, "text/plain": "words"}})
    assert (output.picture, output.text) == ("", "words")
    assert sanitise({"output_type": "display_data", "data": {"image/png": "iVBORw0="}}).picture


@pytest.mark.parametrize("element", ["annotation-xml", "maction", "semantics", "a"])
def test_an_element_that_a_converter_may_learn_one_day_is_in_no_formula(element, monkeypatch):
    formula = fromstring(f"<math><mrow><{element}><mi>x</mi></{element}></mrow></math>")
    monkeypatch.setattr(formulas, "convert_to_element", lambda tex, display: formula)
    assert markdown("$x$") == "<p><code>x</code></p>\n"


@pytest.mark.parametrize(
    "bomb",
    [
        "".join(f"<b id={n}>" for n in range(1500)) + "<p>" * 2000,
        "> " * 9000 + "x",
        "[" * 19_000,
        "*a_" * 6000,
        "$$" * 9001,
        r"\begin{a}" * 2000,
        "<script>" * 2400,
        "`" * 9999 + "x" + "`" * 9998,
        "<div>" * 3900,
    ],
)
def test_a_text_made_to_grow_does_not_grow(bomb):
    html_output = new_output("display_data", data={"text/html": bomb})
    outputs = [html_output, new_output("stream", name="stdout", text=bomb)]
    cells = [new_markdown_cell(bomb), new_code_cell(bomb, outputs=outputs)]
    assert len(page(cells)) < 20 * TEXT * len(cells)


def test_a_page_that_takes_too_long_shows_everything_as_it_was_written(monkeypatch):
    monkeypatch.setattr(feedback_page, "PAGE_SECONDS", 0.0)
    texts = [*HOSTILE.values(), "**bold** $x^2$"]
    text = page([cell for words in texts for cell in everywhere(words)])
    read = Reader(text)
    assert {tag for tag, _ in read.tags} <= DRAWN | OURS
    assert "<strong>bold" not in text
    assert feedback_page.words.AS_WRITTEN.en in text
    seen = "".join(read.text.split())
    assert [words for words in texts if "".join(words.split()) not in seen] == []
