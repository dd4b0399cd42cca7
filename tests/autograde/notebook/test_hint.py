"""Hints come one at a time, keep their place between days and never end in an error."""

from dataclasses import replace
from importlib import import_module

import pytest
from bs4 import BeautifulSoup

from autograde import hint
from autograde.kit import catalogue
from autograde.kit.catalogue import UnknownName, exercise
from bilingual import Text


def printed(capsys, *args, **kwargs):
    assert hint(*args, **kwargs) is None
    return capsys.readouterr().out


def test_each_call_gives_the_next_hint_and_says_when_it_was_the_last(capsys):
    assert printed(capsys, "double") == "Hint 1 of 3 · Double\nLook at the title.\n"
    assert printed(capsys, "double").startswith("Hint 2 of 3")
    assert printed(capsys, "double").endswith("`return 2 * x`\n")
    after = 'That was the last of 3 hints. hint("double", level=1) shows the first one again.\n'
    assert printed(capsys, "double") == after
    assert printed(capsys, "double") == after


def test_without_a_name_it_says_how_to_ask(capsys):
    hint()
    assert 'Write hint("…")' in capsys.readouterr().out


def test_a_function_in_place_of_its_name_is_understood(capsys):
    def double(x):
        return x

    assert printed(capsys, double) == "Hint 1 of 3 · Double\nLook at the title.\n"
    assert printed(capsys, "double").startswith("Hint 2 of 3")


def test_asking_for_a_level_does_not_change_the_next_hint(capsys):
    assert printed(capsys, "double", level=3).startswith("Hint 3 of 3")
    assert printed(capsys, "double").startswith("Hint 1 of 3")


@pytest.mark.parametrize("level", [0, 4, -1, 1.5, "2", True])
def test_a_level_that_does_not_exist(capsys, level):
    assert f"There is no hint {level!r}" in printed(capsys, "double", level=level)


def test_both_languages_keep_head_and_hint_together(capsys, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    assert printed(capsys, "double") == (
        "提示 1/3 · 加倍\n看看标题。\nHint 1 of 3 · Double\nLook at the title.\n"
    )


def test_in_a_notebook_a_hint_follows_the_switch(monkeypatch):
    outputs = []
    module = import_module("autograde.notebook.hint")  # as an attribute it is the function
    monkeypatch.setattr(module, "get_ipython", lambda: True)
    monkeypatch.setattr(module, "display", lambda data, raw: outputs.append(data))
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    same = Text(en="The *same* order.", zh="*同一个*顺序。")
    task = replace(exercise("double"), hints=[same])
    monkeypatch.setattr(catalogue, "exercise", lambda _: task)
    hint("double")
    (data,) = outputs
    assert data["text/plain"].endswith("\nThe same order.")
    blocks = BeautifulSoup(data["text/html"], "html.parser").find_all("div")
    assert [block["lang"] for block in blocks] == ["zh", "en"]
    assert [block.text.split("\n")[1] for block in blocks] == ["同一个顺序。", "The same order."]


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'double'"):
        hint("duoble")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"given": "2"}', '{"given": -7}', "\x00"])
def test_a_damaged_record_starts_again_at_the_first_hint(capsys, data, content):
    path = data / "hints" / "double.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert printed(capsys, "double").startswith("Hint 1 of 3")
    assert printed(capsys, "double").startswith("Hint 2 of 3")


def test_a_hint_is_shown_even_if_the_record_cannot_be_saved(capsys, data):
    data.write_text("a file where the folder should be")
    text = printed(capsys, "double")
    assert text.startswith("Hint 1 of 3")
    assert "could not be saved" in text
