"""A model answer is shown to those who have written their own, and only where there is one."""

import json

import pytest

from autograde.kit.catalogue import UnknownName, exercise_ids
from autograde.notebook import answer as module
from autograde.notebook.answer import answer

OWN = "Short texts stay as they are, and beyond the last row there is nothing but noise."
MODEL = '<div lang="en">\n\nNoise.\n\n</div>\n<div lang="zh">\n\n噪声。\n\n</div>'


def write(path, text):
    role = {"posenc": {"role": "thinking", "exercise": "longer"}}
    cells = [{"metadata": {}, "source": "x"}, {"metadata": role, "source": text}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """A course with one such question, and a learner's notebook that asks it."""
    write(tmp_path / "solutions/one/one.ipynb", MODEL)
    monkeypatch.setattr(module, "SOLUTIONS", tmp_path / "solutions")
    path = tmp_path / "study/one/one.ipynb"
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    return path


@pytest.fixture
def bundles(monkeypatch):
    shows = []
    monkeypatch.setattr(module, "display", lambda bundle, raw: shows.append(bundle))
    return shows


@pytest.mark.parametrize(
    "blank", ["", "YOUR ANSWER HERE", "在这里写下你的回答 · YOUR ANSWER HERE", "yes", "。" * 90]
)
def test_nothing_is_shown_before_one_has_written(notebook, bundles, capsys, blank):
    write(notebook, blank)
    answer("longer")
    assert bundles == []
    assert "empty or very short" in capsys.readouterr().out


@pytest.mark.parametrize(
    "own", [OWN, "短文本不变，超出最后一行之后就只剩噪声，没有别的东西可看了。"]
)
def test_then_it_is_shown_in_the_readers_language(notebook, bundles, monkeypatch, own):
    write(notebook, own)
    answer("longer")
    assert "Noise." in bundles[0]["text/markdown"]
    assert "噪声" not in bundles[0]["text/markdown"]
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    answer("longer")
    assert "Noise." in bundles[1]["text/markdown"]
    assert "噪声" in bundles[1]["text/markdown"]


def test_what_a_class_installs_has_none(notebook, bundles, monkeypatch, capsys, tmp_path):
    write(notebook, OWN)
    monkeypatch.setattr(module, "SOLUTIONS", tmp_path / "nowhere")
    answer("longer")
    assert bundles == []
    assert "your teacher has them" in capsys.readouterr().out


def test_outside_a_notebook_it_cannot_be_known(notebook, bundles, monkeypatch, capsys):
    monkeypatch.delenv("JPY_SESSION_NAME")
    answer("longer")
    assert bundles == []
    assert "run this in JupyterLab" in capsys.readouterr().out


def test_an_unknown_question_suggests_the_nearest(notebook):
    with pytest.raises(UnknownName, match="Did you mean 'longer'"):
        answer("longest")


def test_of_an_exercise_it_is_said_what_helps(notebook, bundles, capsys):
    (name, *_) = exercise_ids()
    answer(name)
    assert f"hint({name!r})" in capsys.readouterr().out
