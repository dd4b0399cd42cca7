"""A command whose environment names no language says so, in both."""

import sys

import pytest

from autograde import __main__
from bilingual.command import require_language


@pytest.mark.parametrize("choice", ["", "zh", "en", "both"])
def test_a_command_begins_in_any_language(monkeypatch, choice):
    monkeypatch.setenv("POSENC_LANGUAGE", choice)
    require_language()


def test_a_language_that_there_is_not_ends_it_with_a_sentence_in_both(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "cn")
    with pytest.raises(SystemExit) as exit_:
        require_language()
    zh, en = exit_.value.code.split("\n")
    assert zh.startswith("环境变量POSENC_LANGUAGE的值是'cn'：请改成zh、en、both之一")
    assert "POSENC_LANGUAGE is 'cn': set it to one of zh, en, both" in en


def test_the_teachers_command_ends_so(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "cn")
    monkeypatch.setattr(sys, "argv", ["autograde", "doctor"])
    with pytest.raises(SystemExit, match="POSENC_LANGUAGE is 'cn'"):
        __main__.main()
