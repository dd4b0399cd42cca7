"""What was learned comes back: when, what is items, and what an answer leaves behind."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from ipywidgets import Button

from autograde.kit.catalogue import questions
from autograde.kit.question import Option, Question
from autograde.notebook import review_questions
from autograde.notebook.progress import course_lines
from autograde.notebook.records import record_right
from autograde.notebook.review import A_DAY, Item, panel, review, todays
from autograde.notebook.review_questions import Reviewed, met
from autograde.notebook.review_schedule import (
    answered_today,
    card,
    due_count,
    is_due,
    keep_answer,
)
from autograde.notebook.store import folder, keep, names
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


def test_a_clock_turned_back_counts_as_standing_still():
    keep_answer("one", MORNING, right=True)
    keep_answer("one", MORNING - 30 * DAY, right=True)
    assert card("one").last_review == MORNING
    assert days_until("one", MORNING) == 3


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"card_id": 1}', '{"due": 3}'])
def test_a_damaged_card_is_as_if_never_asked(text):
    keep_answer("one", MORNING, right=True)
    (folder() / "reviews" / "one.json").write_text(text)
    assert card("one") is None
    assert due_count(MORNING + DAY) == 0
    keep_answer("one", MORNING, right=True)
    assert days_until("one", MORNING) == 1


def test_what_cannot_be_kept_is_said():
    folder().mkdir()
    (folder() / "reviews").write_text("a file where the folder should be")
    assert "could not be saved" in keep_answer("one", MORNING, right=True).en


def test_nothing_is_kept_or_counted_while_nbgrader_grades(monkeypatch):
    keep_answer("one", MORNING, right=True)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert names("reviews") == []
    assert due_count(MORNING + DAY) == answered_today(MORNING) == 0


def test_no_more_is_announced_than_a_day_has():
    for number in range(A_DAY + 5):
        keep_answer(f"old-{number}", MORNING - 9 * DAY, right=True)
    assert due_count(MORNING) == A_DAY
    for number in range(A_DAY):
        keep_answer(f"old-{number}", MORNING, right=True)
    assert due_count(MORNING) == 0


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


def test_review_says_when_there_is_nothing(capsys):
    review()
    assert "Nothing to review yet" in capsys.readouterr().out
    for number in range(A_DAY):
        keep_answer(f"one-{number}", datetime.now().astimezone(), right=True)
    review()
    assert "Enough for today" in capsys.readouterr().out


def test_review_has_buttons_and_a_text(monkeypatch):
    published = []
    monkeypatch.setattr(
        "autograde.notebook.review.display", lambda data, raw: published.append(data)
    )
    monkeypatch.setattr(review_questions, "met", lambda: [asks("one")])
    review()
    assert "application/vnd.jupyter.widget-view+json" in published[0]
    assert published[0]["text/plain"].endswith("1. 1 + 1?\n   A. 3\n   B. 2")


def test_progress_says_how_many_are_due():
    keep_answer("one", datetime.now(UTC) - 5 * DAY, right=True)
    assert ["review() asks 1 questions due today."] in course_lines()
