"""What was learned comes back: when, what is items, and what an answer leaves behind."""

import math
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest
import torch
from ipywidgets import Button

from autograde.kit.catalogue import exercise, questions
from autograde.kit.exercise import Check
from autograde.kit.question import Option, Question
from autograde.notebook.progress import course_lines
from autograde.notebook.records import record_right
from autograde.notebook.review import A_DAY, Item, panel, review, todays
from autograde.notebook.review_mistake import which_mistake
from autograde.notebook.review_questions import Reviewed, met
from autograde.notebook.review_result import which_result
from autograde.notebook.review_schedule import (
    answered_today,
    card,
    due_count,
    is_due,
    keep_answer,
)
from autograde.notebook.store import folder, keep, load, names
from bilingual import Text

MORNING = datetime(2026, 3, 2, 9, tzinfo=timezone(timedelta(hours=8)))
DAY = timedelta(days=1)
QUESTION = Question(
    Text(en="1 + 1?", zh="1加1？"),
    (
        Option(Text(en="3", zh="3"), Text(en="no", zh="不对")),
        Option(Text(en="2", zh="2"), Text(en="yes", zh="对"), right=True),
    ),
)


def asks(name):
    return Reviewed(name, lambda seed: QUESTION)


def days_until(name, now):
    return (card(name).due - now).days


def test_right_answers_come_back_after_1_3_7_21_days_and_then_later():
    now, waits = MORNING, []
    for _ in range(6):
        assert keep_answer("one", now, right=True) is None
        waits.append(days_until("one", now))
        now = card("one").due
    assert waits[:4] == [1, 3, 7, 21]
    assert waits[3] < waits[4] < waits[5]


@pytest.mark.parametrize("right_before", range(6))
def test_what_went_wrong_comes_back_tomorrow_and_waits_less_after_that(right_before):
    now, waits = MORNING, [1]
    for _ in range(right_before):
        keep_answer("one", now, right=True)
        waits.append(days_until("one", now))
        now = card("one").due
    keep_answer("one", now, right=False)
    assert days_until("one", now) == 1
    keep_answer("one", card("one").due, right=True)
    assert days_until("one", card("one").last_review) <= waits[-1]


def test_due_is_a_day_of_the_reader_not_an_hour():
    keep_answer("one", MORNING + timedelta(hours=11), right=True)  # at eight in the evening
    assert not is_due(card("one"), MORNING + timedelta(hours=14))
    assert is_due(card("one"), MORNING + DAY)  # at nine in the morning


@pytest.mark.parametrize("later", [timedelta(hours=1), -30 * DAY])  # a clock turned back
def test_what_is_not_due_is_not_counted_again(later):
    keep_answer("one", MORNING, right=True)
    keep_answer("one", MORNING + later, right=True)
    assert card("one").last_review == MORNING
    assert days_until("one", MORNING) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"card_id": 1}', '{"due": 3}'])
def test_a_damaged_card_is_as_if_never_asked(text):
    keep_answer("one", MORNING, right=True)
    (folder() / "reviews" / "one.json").write_text(text)
    assert card("one") is None
    assert due_count(["one"], MORNING + DAY) == 0
    keep_answer("one", MORNING, right=True)
    assert days_until("one", MORNING) == 1


@pytest.mark.parametrize(
    "damage",
    [
        {"due": "2026-03-02T09:00:00", "last_review": None},
        {"last_review": "2026-03-02T09:00:00"},
        {"state": 2, "stability": None},
        {"state": 3, "difficulty": None},
        {"state": 3, "step": None},
        {"step": "1"},
        {"state": 2, "stability": math.nan},
        {"due": "9999-12-31T00:00:00+00:00"},
    ],
)
def test_a_card_that_cannot_be_scheduled_is_as_if_never_asked(damage):
    keep_answer("one", MORNING, right=True)
    keep("reviews", "one", load("reviews", "one") | damage)
    assert answered_today(MORNING) == due_count(["one"], MORNING + DAY) == 0
    keep_answer("one", MORNING + DAY, right=False)
    assert days_until("one", MORNING + DAY) == 1


def test_what_cannot_be_kept_is_said():
    folder().mkdir()
    (folder() / "reviews").write_text("a file where the folder should be")
    assert "could not be saved" in keep_answer("one", MORNING, right=True).en


def test_nothing_is_kept_or_counted_while_nbgrader_grades(monkeypatch):
    keep_answer("one", MORNING, right=True)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert names("reviews") == []
    assert due_count(["one"], MORNING + DAY) == answered_today(MORNING) == 0


def test_no_more_is_announced_than_a_day_has():
    old = [f"old-{number}" for number in range(A_DAY + 5)]
    for name in old:
        keep_answer(name, MORNING - 9 * DAY, right=True)
    assert due_count(old, MORNING) == A_DAY
    for name in old[:A_DAY]:
        keep_answer(name, MORNING, right=True)
    assert due_count(old, MORNING) == 0


def test_a_day_has_ten_what_is_due_first_the_longest_first():
    candidates = [asks(f"new-{number}") for number in range(20)]
    for number, name in enumerate(["late", "later"]):
        keep_answer(name, MORNING - (9 - number) * DAY, right=True)
    keep_answer("tomorrow", MORNING, right=True)
    selection = todays([*candidates, asks("later"), asks("tomorrow"), asks("late")], MORNING)
    assert [one.name for one in selection][:2] == ["late", "later"]
    assert len(selection) == A_DAY - 1  # one of today's is answered
    assert "tomorrow" not in [one.name for one in selection]


def test_the_same_day_asks_what_is_left_and_another_day_others():
    candidates = [asks(f"new-{number}") for number in range(40)]
    names_of = [
        [one.name for one in todays(candidates, now)] for now in (MORNING, MORNING, MORNING + DAY)
    ]
    assert names_of[0] == names_of[1] != names_of[2]
    keep_answer(names_of[0][3], MORNING, right=False)
    left = [one.name for one in todays(candidates, MORNING)]
    assert left == [name for name in names_of[0] if name != names_of[0][3]]


def test_what_has_nothing_to_ask_takes_no_place():
    nothing = [Reviewed(f"nothing-{number}", lambda seed: None) for number in range(20)]
    assert [one.name for one in todays([*nothing, asks("one")], MORNING)] == ["one"]


def test_the_first_press_counts_and_is_kept_at_once():
    items = [Item("one", QUESTION), Item("two", QUESTION)]
    box = panel(items)
    wrong, right, *_ = _buttons(box)
    wrong.click()
    assert days_until("one", card("one").last_review) == 1
    before = card("one").to_dict()
    right.click()
    assert card("one").to_dict() == before
    assert card("two") is None
    assert "Answered: 1 / 2, 0 right" in box.children[-1].value


def _buttons(box):
    own = [box] if isinstance(box, Button) else []
    return own + [one for child in getattr(box, "children", ()) for one in _buttons(child)]


def test_only_what_was_met_is_asked():
    assert met() == []
    keep("exercises", "gone_since", {"best": 2})
    keep("exercises", "double", {"best": 0.0})
    assert met() == []
    record_right("kit", questions("kit")[0])
    assert [one.question(3) for one in met()] == list(questions("kit"))
    keep("exercises", "double", {"best": 1.0})
    kinds = [one.name.split("-")[0] for one in met()]
    assert kinds == ["quiz"] * len(questions("kit")) + ["mistake", "result"]


@pytest.fixture
def now(monkeypatch):
    """Stop the clock of `review`: by another look at it the day may have changed."""
    monkeypatch.setitem(review.__globals__, "datetime", SimpleNamespace(now=lambda: MORNING))
    return MORNING.astimezone()


def test_review_says_when_there_is_nothing(now, capsys):
    review()
    assert "Nothing to review yet" in capsys.readouterr().out
    for number in range(A_DAY):
        keep_answer(f"one-{number}", now, right=True)
    review()
    assert "Enough for today" in capsys.readouterr().out


def test_review_says_when_the_next_question_comes(now, monkeypatch, capsys):
    monkeypatch.setitem(review.__globals__, "met", lambda: [asks("soon"), asks("later")])
    yesterday = now - DAY
    for moment in (yesterday - DAY, yesterday):
        keep_answer("soon", moment, right=True)
    for moment in (yesterday - 4 * DAY, yesterday - 3 * DAY, yesterday):
        keep_answer("later", moment, right=True)
    review()
    date = (yesterday + 3 * DAY).date()
    assert f"The next question comes back on {date}." in capsys.readouterr().out


def test_review_has_buttons_and_a_text(monkeypatch):
    published = []
    monkeypatch.setitem(review.__globals__, "display", lambda data, raw: published.append(data))
    monkeypatch.setitem(review.__globals__, "met", lambda: [asks("one")])
    review()
    assert "application/vnd.jupyter.widget-view+json" in published[0]
    assert published[0]["text/plain"].endswith("1. 1 + 1?\n   A. 3\n   B. 2")


def test_progress_says_how_many_are_due_of_those_that_review_can_ask():
    record_right("kit", questions("kit")[0])
    for name in (met()[0].name, "quiz-kit-of_last_year"):
        keep_answer(name, datetime.now(UTC) - 5 * DAY, right=True)
    assert ["Questions due in review() today: 1."] in course_lines()


def test_what_was_met_is_known_without_torch():
    keep("exercises", "key_minus_query", {"best": 1.0})
    code = "import sys; from autograde.notebook.review_questions import met; print(len(met()))"
    command = [sys.executable, "-c", f"{code}; print('torch' in sys.modules)"]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "2\nFalse\n"


def test_two_ways_to_make_the_only_mistake_make_no_question():
    double = exercise("double")
    once = double.misconceptions[0]
    assert which_mistake(replace(double, misconceptions=[once, once]), 1) is None


@pytest.mark.parametrize(("length", "is_asked"), [(12, True), (13, False)])
def test_inputs_and_result_together_have_24_numbers_at_most(length, is_asked):
    def run(answer, rng):
        answer(torch.randn(length, generator=rng))

    long = Check("long", Text(en="is long", zh="很长"), 1, run)
    task = replace(exercise("double"), checks=[long], true_answer=lambda x: 2 * x)
    assert (which_result(task, 1) is not None) is is_asked
