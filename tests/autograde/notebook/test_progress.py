"""Progress keeps the best and the last points, and survives whatever happens to its files."""

import errno
import json
import os
import threading
from dataclasses import replace

import pytest
import torch

from autograde import check, progress, quiz
from autograde.kit.catalogue import UnknownName, exercise, questions
from autograde.kit.chapter import CHAPTERS, Chapter
from autograde.notebook.records import best_score, record_right
from autograde.notebook.store import keep, load
from bilingual import Text, set_language


def right(x):
    return 2 * x


def half(x):
    return torch.zeros(3) if len(x) == 3 else x


def printed(capsys, chapter="77_kit"):
    capsys.readouterr()
    assert progress(chapter) is None
    return capsys.readouterr().out


def test_nothing_done_yet(capsys):
    assert printed(capsys, None) == (
        "Your way: everything\n"
        "Next: 77_kit\n"
        "\n"
        "░░░░░░░░░░     0 / 2 points  All chapters  about 5 min left\n"
        "\n"
        "░░░░░░░░░░     0 / 2 points  77 · 77_kit  about 5 min left\n"
        "\n"
        'progress("77_kit") shows the exercises of a chapter.\n'
        "progress(way='two_hours') takes the way “two hours”.\n"
        "progress(way='weekend') takes the way “a weekend”.\n"
    )
    assert printed(capsys) == (
        "░░░░░░░░░░     0 / 2 points  77 · 77_kit  about 5 min left\n"
        "  ░░░░░░░░░░     0 / 2 points  Double [double]\n"
        "  ░░░░░░░░░░  0 / 2  self-test, answered right\n"
    )


def test_a_way_in_place_of_a_chapter_is_that_way(capsys):
    progress("weekend")
    weekend = capsys.readouterr().out
    progress(way="weekend")
    assert capsys.readouterr().out == weekend
    progress(way="一个周末")
    assert capsys.readouterr().out == weekend
    progress(way="two_hours")
    assert capsys.readouterr().out != weekend
    with pytest.raises(ValueError, match="takes one way, got 'weekend' and 'two_hours'"):
        progress("weekend", way="two_hours")


def test_an_unknown_chapter_suggests_the_nearest():
    with pytest.raises(UnknownName, match=r"no chapter named '77_kid'\. Did you mean '77_kit'"):
        progress("77_kid", way="two_hours")
    assert load("ways", "chosen") == {}  # nothing is kept of a call that is refused
    with pytest.raises(UnknownName, match="Did you mean '77_kit'"):
        progress("77")
    with pytest.raises(UnknownName, match="Did you mean '77_kit'"):
        progress(77)
    with pytest.raises(UnknownName, match="no quiz named '2'"):
        quiz(2)


def test_an_unknown_chapter_is_refused_in_the_language_that_was_chosen(data, monkeypatch):
    """A page has both languages, one after the other: the error has the reader's."""
    monkeypatch.delenv("POSENC_LANGUAGE")
    set_language("en")
    with pytest.raises(UnknownName, match="There is no chapter"):
        progress("77_kid")


def test_exercises_are_listed_as_the_chapter_has_them(capsys, monkeypatch, catalogue):
    source = (catalogue / "double.py").read_text(encoding="utf-8")
    for name in ("amend", "triple"):
        renamed = source.replace('"double"', f'"{name}"')
        (catalogue / f"{name}.py").write_text(renamed, encoding="utf-8")
    order = ("triple", "double")  # amend is a teacher's own
    monkeypatch.setitem(CHAPTERS, "77_kit", Chapter(Text(en="k", zh="k"), 9, order))
    places = [printed(capsys).index(f"[{name}]") for name in (*order, "amend")]
    assert places == sorted(places)


def test_a_chapter_is_named_and_its_minutes_go_down_with_its_exercises(capsys, monkeypatch):
    chapter = Chapter(Text(en="The kit", zh="工具"), minutes=90)  # of which 5 for the exercise
    monkeypatch.setitem(CHAPTERS, "77_kit", chapter)
    assert "77 · The kit  about 90 min left" in printed(capsys, None)
    check("double", half)  # a quarter of the points: the text up to there was read
    assert "77 · The kit  about 5 min left" in printed(capsys, None)
    check("double", right)
    assert "2 / 2 points  77 · The kit  done\n" in printed(capsys, None)
    monkeypatch.setitem(CHAPTERS, "77_kit", replace(chapter, minutes=600))
    keep("exercises", "double", {"best": 0.0})
    assert "All chapters  about 10 h left" in printed(capsys, None)


def test_the_best_and_the_last_points_are_kept(capsys):
    assert check("double", half) == 0.5
    assert "██░░░░░░░░   0.5 / 2 points  Double [double]" in printed(capsys)
    assert check("double", right) == 2.0
    assert check("double", half) == 0.5
    assert load("exercises", "double") == {"best": 2.0, "last": 0.5}
    assert "██████████     2 / 2 points  All chapters  done" in printed(capsys, None)


def test_what_a_teacher_makes_it_worth_leaves_the_record_alone(capsys):
    assert check("double", half, points=20) == 5.0
    assert load("exercises", "double") == {"best": 0.5, "last": 0.5}
    assert check("double", right, points=1) == 1.0
    assert load("exercises", "double") == {"best": 2.0, "last": 2.0}


def test_a_path_of_any_bytes_can_be_kept():
    path = os.fsdecode(b"caf\xe9.ipynb")
    assert keep("ways", "place", {"path": path}) is None
    assert load("ways", "place") == {"path": path}


def test_in_chinese(capsys, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    assert "0 / 2 分  加倍 [double]" in printed(capsys)


def test_right_answers_are_counted_once_and_only_while_the_question_exists(capsys):
    first, second = questions("kit")
    for question in (first, first):
        assert record_right("kit", question) is None
    assert "█████░░░░░  1 / 2  self-test" in printed(capsys)
    record_right("kit", second)
    keep("quizzes", "kit", {"right": [first.prompt.en, "a question of last year", 3]})
    assert "1 / 2  self-test" in printed(capsys)


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "null", '{"best": "x"}', '{"best": NaN}', '{"best": Infinity}'),
        *("[" * 100_000, "\ud800"),
    ],
)
def test_a_damaged_file_counts_as_empty_and_is_repaired(capsys, data, content):
    path = data / "exercises" / "double.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert "0 / 2 points  Double" in printed(capsys)
    check("double", right)
    assert "2 / 2 points  Double" in printed(capsys)


@pytest.mark.parametrize(("stored", "best"), [(99.0, 2.0), (-1, 0.0), (1, 1.0), (10**400, 2.0)])
def test_points_out_of_range_are_clipped(stored, best):
    keep("exercises", "double", {"best": stored})
    assert best_score(exercise("double")) == best


@pytest.mark.parametrize(
    ("name", "code"),
    [("replace", errno.EROFS), ("replace", errno.ENOSPC), ("fsync", errno.EIO)],
)
def test_a_full_or_locked_disk_is_reported_in_a_sentence(capsys, data, monkeypatch, name, code):
    def refuse(*args, **kwargs):
        raise OSError(code, os.strerror(code))

    check("double", half)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, refuse)
        assert check("double", right) == 2.0
    assert f"could not be saved ({os.strerror(code)})" in capsys.readouterr().out
    assert load("exercises", "double") == {"best": 0.5, "last": 0.5}
    assert [path.name for path in (data / "exercises").iterdir()] == ["double.json"]


def test_a_file_in_place_of_the_folder_is_reported_in_both_languages(capsys, data, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    data.write_text("")
    assert check("double", right) == 2.0
    streams = capsys.readouterr()
    assert "学习进度未能保存" in streams.out
    assert "Your progress could not be saved" in streams.out
    assert streams.err == ""
    assert "0 / 2 分" in printed(capsys)


def test_nothing_is_saved_while_nbgrader_grades(data, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check("double", right) == 2.0
    assert not data.exists()


def test_many_writers_leave_one_whole_file(data):
    def write(number):
        for _ in range(30):
            keep("exercises", "double", {"best": 1.0, "last": float(number)})

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (path,) = (data / "exercises").iterdir()
    assert json.loads(path.read_text())["best"] == 1.0
