"""Whatever a student writes, the page shows it, harmless, in as many words as there were."""

import re

from hypothesis import given
from hypothesis import strategies as st

from autograde.pages.feedback.sanitised_outputs import sanitise
from autograde.pages.formulas import ATTRIBUTES, ELEMENTS, mathml
from autograde.pages.limits import SHOWN_OUTPUT, TEXT
from autograde.pages.markup import TAGS, html, markdown
from autograde.pages.source_code import code, escape_turns, tractable
from tests.autograde.hostile import HOSTILE
from tests.autograde.page_reader import Reader
from tests.security.generated import CASES, JSON, WORDS

PIECES = st.sampled_from([
    *HOSTILE.values(),
    "*", "_", "`", "```\n", "~~~", "[", "](", ")", "![", "<", ">", "&", "&#x3c;", "\\", "$", "$$",
    "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "|", "|-|\n", "#", "===\n", "---\n", "<!--",
    "-->", "<b>", "</b>", "<div>", "</p>", "<tex>", "</tex>", "<tex-block>", "<script", "</script>",
    "<![CDATA[", "<?", "\\begin{a}", "\\end{a}", "\\(", "\\)", "\ud800", "\u202e", "\x00",
])  # fmt: skip
TEXTS = st.lists(PIECES | WORDS, max_size=30).map("".join)
DRAWN = (TAGS | ELEMENTS) - {"tex", "tex-block"}
LOADING = ("src", "srcset", "action", "data", "poster", "formaction", "background")


def assert_harmless(markup):
    for tag, attributes in Reader(str(markup)).tags:
        assert tag in DRAWN
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("style", "id", "class", "name")
            assert name not in LOADING or (value or "").startswith("data:image/")
            assert name != "href" or re.match("https?://|mailto:", value, re.IGNORECASE)


@CASES
@given(TEXTS, st.integers(1, 40))
def test_markdown_is_harmless(text, times):
    assert_harmless(markdown(text * times))


@CASES
@given(TEXTS)
def test_html_is_harmless(text):
    assert_harmless(html(text))


COMMANDS = [
    r"\frac", r"\sqrt", r"\left(", r"\right)", r"\text{", r"\href{", r"\style{", r"\begin{matrix}",
    r"\end{matrix}", r"\color", "\\\\", "{", "}", "^", "_", "&", "'", "$", "<", ">", r"\x", " ",
]  # fmt: skip
TEX = st.lists(st.sampled_from(COMMANDS) | WORDS, max_size=20).map("".join)


@CASES
@given(TEX, st.booleans())
def test_a_formula_is_drawn_of_what_draws_or_not_at_all(tex, display):
    for token in mathml(tex, display=display) or ():
        if token["type"] == "StartTag":
            assert token["name"] in ELEMENTS
            assert {name for _, name in token["data"]} <= ATTRIBUTES


@CASES
@given(TEXTS)
def test_code_keeps_its_words_and_makes_nothing_but_spans(source):
    read = Reader(str(code(source)))
    assert {tag for tag, _ in read.tags} <= {"span"}
    text = tractable(source)
    assert len(text) <= TEXT
    assert not re.search(r"[^\S\n]\n", text)
    assert "".join(text.split()) == "".join(escape_turns(source[:TEXT])[:TEXT].split())


OUTPUT = st.fixed_dictionaries(
    {"output_type": st.just("stream"), "text": TEXTS}
) | st.fixed_dictionaries(
    {"output_type": st.just("display_data"), "data": st.dictionaries(
        st.sampled_from(["text/plain", "text/html", "text/markdown", "image/png", "image/svg+xml"]),
        TEXTS | JSON,
    )}
)  # fmt: skip


@CASES
@given(OUTPUT, st.booleans())
def test_an_output_is_shown_harmless_or_not_at_all(output, marked_up):
    page_output = sanitise(output, marked_up=marked_up)
    if page_output:
        assert len(page_output.text) <= SHOWN_OUTPUT
        assert not page_output.picture or page_output.picture.startswith("data:image/")
        assert_harmless(page_output.markup or "")
