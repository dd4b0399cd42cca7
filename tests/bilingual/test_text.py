"""Text and the reader's language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bilingual import LANGUAGES, Text, language, listed, page_languages, set_language
from bilingual.setting import settings_file


@pytest.fixture(autouse=True)
def own_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path / "not yet there"))


WORDS = Text(en="position {p}", zh="位置{p}")


def test_both_languages_show_until_one_is_chosen():
    assert language() == "both"
    assert str(WORDS) == "位置{p}\nposition {p}"
    assert WORDS.label() == "位置{p} · position {p}"


def test_a_list_has_the_commas_of_its_language():
    of = Text(en="of {names}.", zh="其中{names}。").format(names=listed(["ada", "bo"]))
    assert (of.en, of.zh) == ("of ada, bo.", "其中ada、bo。")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_choice_is_remembered(code):
    set_language(code)
    assert language() == code
    assert str(WORDS) == WORDS.in_language(code)


def test_the_environment_takes_precedence_over_the_file(monkeypatch):
    set_language("zh")
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    assert language() == "en"


def test_a_damaged_settings_file_counts_as_no_choice(subtests):
    for content in ["", "{", "[]", '{"language": "fr"}', '{"other": 1}', "\x00"]:
        with subtests.test(content=content):
            set_language("zh")
            settings_file().write_text(content, encoding="utf-8")
            assert language() == "both"
            set_language("en")
            assert json.loads(settings_file().read_text(encoding="utf-8")) == {"language": "en"}


def test_an_unknown_language_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="must be one of zh, en, both"):
        set_language("fr")
    monkeypatch.setenv("POSENC_LANGUAGE", "fr")
    for reads in (language, page_languages):
        with pytest.raises(ValueError, match="POSENC_LANGUAGE must be"):
            reads()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_page_holds_both_languages_whatever_is_chosen(code):
    set_language(code)
    assert page_languages() == ("zh", "en")


@pytest.mark.parametrize(
    ("setting", "languages"), [("zh", ("zh",)), ("en", ("en",)), ("both", ("zh", "en"))]
)
def test_a_kernel_held_to_one_language_makes_pages_in_that_one(monkeypatch, setting, languages):
    monkeypatch.setenv("POSENC_LANGUAGE", setting)
    assert page_languages() == languages


def test_a_settings_file_that_is_not_utf_8_counts_as_no_choice():
    set_language("zh")
    settings_file().write_bytes(b"\xff\xfe{")
    assert language() == "both"


def test_a_text_in_one_language_is_refused(subtests):
    for en, zh in [("", "字"), ("a", " "), ("", "")]:
        with subtests.test(en=en, zh=zh), pytest.raises(ValueError, match="both languages"):
            Text(en=en, zh=zh)


def test_fields_are_filled_in_both_languages():
    assert WORDS.format(p=3) == Text(en="position 3", zh="位置3")
    word = Text(en="three", zh="三")
    assert WORDS.format(p=word) == Text(en="position three", zh="位置三")


@given(st.text(min_size=1).filter(str.strip))
def test_words_that_are_the_same_in_both_languages_appear_once(words):
    assert Text(en=words, zh=words).in_language("both") == words
