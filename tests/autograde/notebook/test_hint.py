"""Hints come one at a time, keep their place between days and never end in an error."""

import pytest

from autograde import hint
from autograde.kit.catalogue import UnknownName


def said(capsys, *args, **kwargs):
    assert hint(*args, **kwargs) is None
    return capsys.readouterr().out


def test_each_call_gives_the_next_hint_and_the_end_is_told(capsys):
    assert said(capsys, "double") == "Hint 1 of 3 · Double\nLook at the title.\n"
    assert said(capsys, "double").startswith("Hint 2 of 3")
    assert said(capsys, "double").endswith("`return 2 * x`\n")
    after = 'That was the last of 3 hints. hint("double", level=1) shows the first one again.\n'
    assert said(capsys, "double") == after
    assert said(capsys, "double") == after


def test_a_given_level_leaves_the_ladder_where_it_is(capsys):
    assert said(capsys, "double", level=3).startswith("Hint 3 of 3")
    assert said(capsys, "double").startswith("Hint 1 of 3")


@pytest.mark.parametrize("level", [0, 4, -1, 1.5, "2", True])
def test_a_level_that_does_not_exist(capsys, level):
    assert f"There is no hint {level!r}" in said(capsys, "double", level=level)


def test_both_languages_keep_head_and_hint_together(capsys, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    assert said(capsys, "double") == (
        "提示 1/3 · 加倍\n看看标题。\nHint 1 of 3 · Double\nLook at the title.\n"
    )


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'double'"):
        hint("duoble")


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"given": "2"}', '{"given": -7}', "\x00"])
def test_a_damaged_record_begins_anew(capsys, data, kept):
    path = data / "hints" / "double.json"
    path.parent.mkdir(parents=True)
    path.write_text(kept)
    assert said(capsys, "double").startswith("Hint 1 of 3")
    assert said(capsys, "double").startswith("Hint 2 of 3")


def test_where_nothing_can_be_kept_the_hint_still_comes(capsys, data):
    data.write_text("a file where the folder should be")
    shown = said(capsys, "double")
    assert shown.startswith("Hint 1 of 3")
    assert "could not be saved" in shown
