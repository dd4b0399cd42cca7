"""What newcomers meet first, and the one sentence that tells them what to do."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from IPython.core.events import EventManager, available_events

from autograde import check
from autograde.notebook import first_aid
from autograde.notebook.first_aid import watch
from tools.dist import PACKAGES

NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
"""
UNKNOWN = "defined_in_a_cell_above"
TOO_EARLY = """
def too_early():
    print(later)
    later = 1
too_early()
"""
OTHER_AGE = "from autograde import not_yet_written"
RENAMED = "from autograde import hint\nhint('pairwise_turns_by_angle')"
NO_WAY = "from autograde import progress\nprogress(way='一天')"
NO_MEMORY = "from torch import OutOfMemoryError\nraise OutOfMemoryError('CUDA out of memory.')"


def raised(cell):
    try:
        exec(cell, {})
    except Exception as error:
        return error
    return None


@pytest.fixture
def shell(monkeypatch):
    """Return a shell that runs a cell, and then tells how it went."""
    shell = SimpleNamespace(user_ns={"language_switch": None})
    shell.events = EventManager(shell, available_events)

    def run(cell):
        error = raised(cell)
        kind = "error_before_exec" if isinstance(error, SyntaxError) else "error_in_exec"
        errors = {"error_before_exec": None, "error_in_exec": None} | {kind: error}
        shell.events.trigger("post_run_cell", SimpleNamespace(**errors, info=None))

    shell.run = run
    monkeypatch.setattr(first_aid, "get_ipython", lambda: shell)
    return shell


@pytest.mark.parametrize(
    ("cell", "en", "zh"),
    [
        (UNKNOWN, "no defined_in_a_cell_above here: its cell has not run", "还没有运行"),
        (OTHER_AGE, "have different versions", "版本不一致"),
        (RENAMED, "Did an update rename it?", "改了名"),
        (NO_MEMORY, "POSENC_DEVICE=cpu make lab", "显存不够"),
        ("ones = [\n    1，2]", "Line 2 has the full-width character ，", "半角的「,」"),
        ("from autograde import check\ncheck('rope_half')", "takes two things", "两样东西"),
        ("print“one”", 'needs the half-width "', "全角字符「“」"),
        ("1 ＜ 2", "character ＜: code needs the half-width <", "半角的「<」"),
        ("１ + 1", "character １: code needs the half-width 1", "半角的「1」"),
        ("x　= 1", "the full-width character space", "全角字符「空格」"),
        ("[1][…]", "needs the half-width ...", "半角的「...」"),
        ("head——size", "needs the half-width _", "半角的「_」"),
    ],
)
def test_each_error_is_followed_by_what_to_do(shell, capsys, monkeypatch, cell, en, zh):
    for _ in range(2):
        watch()
    shell.run(cell)
    out, err = capsys.readouterr()
    assert out.count(en) == 1
    assert err == ""  # nbgrader takes points for it
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    shell.run(cell)
    assert zh in capsys.readouterr().out


def test_a_full_width_character_behind_a_number_is_found_in_python_3_11_2_too():
    for code, wide in (("[1，2]", "，"), ("1abc", None), ("0.5；", "；")):
        at = next(n for n, sign in enumerate(code) if sign in "，a；")
        error = SyntaxError("invalid decimal literal", ("cell", 1, at, code))
        advice = first_aid.first_aid(error)
        assert (advice is not None and f"full-width character {wide}" in advice.en) == bool(wide)


def test_in_a_new_session_all_above_is_to_run(shell, capsys):
    shell.user_ns.clear()
    watch()
    shell.run("check('double', double)")
    out = capsys.readouterr().out
    assert "check is not there yet: each time you open a chapter, its cells have to run" in out


@pytest.mark.parametrize(
    "cell", ["x = 1", TOO_EARLY, NO_WAY, "from json import not_there", "1 / 0", "x²", "￥1"]
)
def test_other_cells_are_left_alone(shell, capsys, cell):
    watch()
    shell.run(cell)
    assert capsys.readouterr() == ("", "")


def test_outside_a_notebook_nothing_watches(monkeypatch):
    monkeypatch.setattr(first_aid, "get_ipython", lambda: None)
    assert watch() is None


def test_a_check_gives_first_aid_once_under_its_report(capsys):
    assert check("double", lambda x: eval(UNKNOWN)) == 0.0
    out = capsys.readouterr().out
    assert out.count("its cell has not run") == 1
    assert "➤ There is no defined_in_a_cell_above here" in out


def test_a_known_misconception_comes_before_first_aid(capsys):
    check("double", lambda x: x)
    assert "its cell has not run" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["check", "not_yet_written"])
def test_the_kit_watches_whichever_notebook_imports_of_it(name):
    cells = (f"from autograde import {name}", UNKNOWN)
    runs = "\n".join(f"shell.run_cell({cell!r})" for cell in cells)
    command = [sys.executable, "-c", f"{NOTEBOOK}\n{runs}"]
    environment = {**os.environ, "POSENC_LANGUAGE": "en"}
    text = subprocess.run(command, capture_output=True, text=True, env=environment).stdout
    assert f"{UNKNOWN} is not there yet" in text


def test_an_import_that_fails_in_any_package_of_the_course_is_explained():
    assert set(PACKAGES) == first_aid.COURSE
