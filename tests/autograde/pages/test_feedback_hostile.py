"""Nothing that a student wrote becomes markup that runs, loads, or looks like the page's own."""

import pytest

from autograde.pages.formulas import ELEMENTS
from autograde.pages.markup import LONGEST, TAGS, clean, html, markdown
from tests.autograde.feedback_notebook import everywhere, page
from tests.autograde.hostile import HOSTILE
from tests.autograde.pages.test_class_report_page import Reader

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
    assert 'src="x' not in markdown("![a](attachment:a.png)", {"a.png": {"image/png": '" src="x'}})


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
    assert len(page(everywhere(bomb))) < 20 * LONGEST * len(everywhere(bomb))
