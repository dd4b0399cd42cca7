"""The page stands alone, in each language, and nothing that a student wrote becomes markup."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from autograde.pages.class_report import words
from autograde.pages.class_report.command import report
from autograde.pages.class_report.page import write_page
from autograde.pages.marking import LONGEST_MESSAGE, Marking, cut
from bilingual import Text
from tests.autograde.page_reader import HANZI, Reader
from tests.autograde.small_class import FORMULA, HOSTILE, KIT, SCRIPT

NOW = datetime(2026, 9, 20, 8, 30, tzinfo=UTC)


@pytest.fixture(params=["both", "zh", "en"])
def page(request, register):
    return write_page(register, request.param, NOW)


def test_the_page_needs_no_network_and_no_script(page):
    read = Reader(page)
    assert {tag for tag, _ in read.tags} & {"script", "img", "link", "iframe", "object"} == set()
    loading = {"src", "srcset", "action", "background", "data"}
    assert [attrs for _, attrs in read.tags if loading & attrs.keys()] == []
    assert [name for _, attrs in read.tags for name in attrs if name.startswith("on")] == []
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_every_link_leads_to_a_place_on_the_page_and_ids_are_unique(page):
    read = Reader(page)
    ids = [attrs["id"] for _, attrs in read.tags if "id" in attrs]
    links = {attrs["href"] for tag, attrs in read.tags if tag == "a"}
    assert links <= {f"#{name}" for name in ids}
    assert {"#exercise-double", "#exercise-double-a"} <= links
    assert len(ids) == len(set(ids))


def test_what_students_wrote_is_shown_as_they_wrote_it(page):
    read = Reader(page)
    assert "<script" not in page
    assert HOSTILE in read.text
    assert SCRIPT in read.text  # the last name
    assert f"NameError: {SCRIPT} is not defined by Fay" in read.text
    assert FORMULA in read.text


def test_a_forged_misconception_is_not_counted_for_the_class(register):
    text = Reader(write_page(register, "en", NOW)).text
    assert "You squared it." in text
    assert "Not met:\nis twice the input" in "\n".join(filter(None, text.split("\n")))
    assert f"{SCRIPT} ×" not in text


def test_who_came_within_the_grace_period_is_not_counted_as_late(register):
    """Seen: "late 4", one of them on time by the grace period."""
    rows = tuple(replace(row, days_late=0) for row in register.rows)
    text = Reader(write_page(replace(register, rows=rows), "en", NOW)).text
    assert "late0 within the grace period1" in " ".join(text.split())


def test_one_language_is_that_language_alone(register):
    en, zh = (Reader(write_page(register, language, NOW)).text for language in ("en", "zh"))
    assert set(HANZI.findall(en)) == set("本小蔡伦")  # names
    texts = [text for text in vars(words).values() if isinstance(text, Text) and "{" not in text.en]
    sentences = [text for text in texts if len(text.en) > 20]
    assert sentences
    assert [text.en for text in sentences if text.en in zh] == []
    assert "You squared it." in en
    assert "你求了平方。" in zh
    assert "你求了平方。" not in en


def test_both_languages_say_the_same_beside_each_other(register):
    text = Reader(write_page(register, "both", NOW)).text
    for one in (words.STUCK, words.LATE, words.NOT_RUN, words.MISCONCEPTIONS):
        assert f"{one.zh} · {one.en}" in text
    assert "你求了平方。You squared it." in text


def test_the_page_has_its_date_and_the_gradebooks_numbers(register):
    text = Reader(write_page(register, "en", NOW)).text
    assert "As of 2026-09-20 08:30 (UTC)" in text
    assert "Due 2026-09-14 15:00 (UTC)" in text
    assert "2.5 h" in text
    assert "0.75" in text  # the mean: (4.5 + 3 * 0.5) / 8
    assert "the file is broken" in text


def test_the_picture_has_a_text_alternative(register):
    read = Reader(write_page(register, "en", NOW))
    picture, *dots = [attrs for tag, attrs in read.tags if tag == "svg"]
    assert {one["role"] for one in (picture, *dots)} == {"img"}
    (why,) = dots  # a_why, which waits for two of seven; without it `double` has no rest
    assert "points for the rest (right), 5 students" in why["aria-label"]
    assert f'id="{picture["aria-labelledby"]}"' in write_page(register, "en", NOW)
    assert "4.5 to 5: 1" in read.text
    assert "0 to 0.5: 4" in read.text


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("`a < b` is *new*", "<code>a &lt; b</code> is <em>new</em>"),
        ("base ** -2 * i * j", "base ** -2 * i * j"),
        ("请*注意*这里", "请<em>注意</em>这里"),
        ("<b>`x*y*z`</b>", "&lt;b&gt;<code>x*y*z</code>&lt;/b&gt;"),
    ],
)
def test_sentences_of_the_course_keep_their_code_and_emphasis(sentence, marked):
    markup = Marking("en").course(Text(en=sentence, zh=sentence))
    assert markup == f'<p lang="en">{marked}</p>'


def test_a_long_error_is_cut_and_on_one_line():
    assert cut("one\ntwo") == "one two"
    assert len(cut("x" * 10**6)) == LONGEST_MESSAGE + 1


@pytest.mark.browser
def test_the_page_opens_without_console_messages_or_requests(course, browser):
    path, _ = report(course, KIT, course / "reports", "both")
    context = browser.new_context(offline=True)
    page = context.new_page()
    messages, addresses, overflows = [], [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(path.resolve().as_uri())
    title = page.title()
    for width in (390, 1200):
        page.set_viewport_size({"width": width, "height": 900})
        overflows.append(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
    bars = page.locator("svg rect").count()
    context.close()
    assert messages == []
    assert addresses == [path.resolve().as_uri()]
    assert title == f"班级报告：{KIT} · Class report: {KIT}"
    assert max(overflows) <= 0
    assert bars == 10
