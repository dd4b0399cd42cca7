"""Points by hand: what the page shows, what it saves, and what it refuses."""

import inspect
import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbgrader.server_extensions.formgrader.apihandlers import CommentHandler, GradeHandler
from sqlalchemy.exc import OperationalError

from autograde.by_hand import entry, page, server
from autograde.by_hand.answers import Version, read_answer
from autograde.by_hand.words import AS_WRITTEN
from autograde.teacher.errors import CannotBegin
from tests.autograde.by_hand.desk import (
    KEY,
    QUESTION,
    ask,
    cards,
    enter,
    entered,
    make_class,
    served,
    write_answer,
)
from tests.autograde.hostile import HOSTILE
from tests.autograde.small_class import KIT, NAMES, gradebook, outputs

LOCKED = OperationalError("BEGIN IMMEDIATE", None, Exception("database is locked"))
ANSWERS = {"ada": "Order is lost.", "ben": "No idea.", "cai": "No idea.", "eve": "$x_i$ moves."}
ACCEPTED = {"2": 2, "2.5": 2.5, " 1,5 ": 1.5, "３": 3, "0": 0, "3.0": 3, "": None, "0.333": 0.333}
REFUSED = (
    "x",
    "nan",
    "inf",
    "-1",
    "-0.5",
    "3.01",
    "1e9",
    "2/3",
    "½",
    "1.2.3",
    "0_2",
    "<b>",
    "1" * 9999,
)


@pytest.fixture
def folder(tmp_path):
    return make_class(tmp_path / "course", ANSWERS)


@pytest.fixture
def address(folder):
    with served(folder) as address:
        yield address


def of(answers, words):
    return next(card for card in answers if words in card.select_one(".own").text)


def grades(folder):
    """Return all that the gradebook has of the points and comments of the class."""
    with gradebook(folder) as book:
        notebooks = book.notebook_submissions(KIT, KIT)
        rows = [one.to_dict() for notebook in notebooks for one in notebook.grades]
        rows += [one.to_dict() for notebook in notebooks for one in notebook.comments]
        totals = [(one.student.id, one.score, one.late_submission_penalty) for one in notebooks]
    return sorted(rows, key=lambda row: row["id"]), sorted(totals)


def formgrader(handler, book, fields, identity):
    """Save an entry as formgrader does, with nbgrader's own code."""
    put = inspect.unwrap(handler.put)
    put(SimpleNamespace(gradebook=book, get_json_body=lambda: fields, write=len), identity)


def test_points_are_saved_at_once_and_a_number_is_read_as_people_write_it(folder, address):
    for typed, points in ACCEPTED.items():
        status, reply = enter(address, of(cards(address), "Order"), typed, "Good.")
        assert status == 200
        assert entered(folder, "ada") == (points, points is None, "Good.")
        assert reply["mark"] == ("waiting" if points is None else reply["mark"])


def test_what_is_not_a_number_of_points_is_refused_and_nothing_is_written(folder, address):
    before = grades(folder)
    card = of(cards(address), "Order")
    for typed in REFUSED:
        status, reply = enter(address, card, typed)
        assert (status, typed[:30] in reply["trouble"]) == (400, True)
        assert "from 0 to 3" in reply["trouble"]
    status, reply = enter(address, card, "1", "x" * 20_001)
    assert (status, "20000 characters" in reply["trouble"]) == (400, True)
    assert grades(folder) == before


def test_the_gradebook_is_as_formgrader_leaves_it(folder, address):
    entries = [("2.5", "Why?"), ("", "Say more."), ("0", "")]
    for points, comment in entries:
        assert enter(address, of(cards(address), "Order"), points, comment)[0] == 200
        ours = grades(folder)
        with gradebook(folder) as book:
            grade = book.find_grade(QUESTION, KIT, KIT, "ada")
            remark = book.find_comment(QUESTION, KIT, KIT, "ada")
            score = {"manual_score": float(points) if points else None, "extra_credit": None}
            formgrader(GradeHandler, book, score, grade.id)
            formgrader(CommentHandler, book, {"manual_comment": comment or None}, remark.id)
        assert grades(folder) == ours


def test_equal_answers_are_graded_once_and_those_left_blank_come_last(folder, address):
    answers = cards(address)
    assert "2 students, the same words" in of(answers, "No idea").h3.text
    assert "Left as it was released" in answers[-1].text
    status, _ = enter(address, of(answers, "No idea"), "1", "Think again.")
    assert status == 200
    assert entered(folder, "ben") == entered(folder, "cai") == (1, False, "Think again.")
    with gradebook(folder) as book:
        book.find_grade(QUESTION, KIT, KIT, "cai").manual_score = 2
        book.db.commit()
    assert sum("No idea" in card.text for card in cards(address)) == 2


def test_two_pages_at_once_do_not_overwrite_silently(folder, address):
    card, other = (of(cards(address), "Order") for _ in range(2))
    assert enter(address, card, "1", "first")[0] == 200
    status, reply = enter(address, other, "3", "second")
    assert status == 409
    assert "meanwhile: points 1, comment “first”" in reply["trouble"]
    assert entered(folder, "ada") == (1, False, "first")
    other["data-entry_digest"] = reply["entry_digest"]
    assert enter(address, other, "3", "second")[0] == 200
    assert entered(folder, "ada") == (3, False, "second")


def test_an_answer_that_was_handed_in_again_is_not_graded_unread(folder, address):
    card = of(cards(address), "No idea")
    write_answer(folder, "cai", "I know now.")
    status, reply = enter(address, card, "0")
    assert (status, "another answer" in reply["trouble"]) == (400, True)
    assert entered(folder, "ben") == entered(folder, "cai") == (None, True, None)


def test_a_notebook_is_read_once_until_it_changes(folder, address, monkeypatch):
    reads, read_text = Counter(), Path.read_text

    def counted(path, *arguments, **options):
        reads[path.parts[len(folder.parts)]] += 1  # the step of nbgrader
        return read_text(path, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", counted)
    ask(address)  # the first question is looked for, then shown
    assert enter(address, of(cards(address), "No idea"), "1")[0] == 200
    assert (reads["autograded"], reads["source"]) == (len(outputs()), 2)
    write_answer(folder, "ada", "It is lost!")
    assert of(cards(address), "It is lost!")
    assert reads["autograded"] == len(outputs()) + 1


def test_an_exercise_that_was_graded_again_waits_with_its_points(folder, address):
    assert ask(f"{address}question/double")[0] == 200
    assert "question/double" not in ask(f"{address}question/{QUESTION}")[2]
    with gradebook(folder) as book:
        grade = book.find_grade("double", KIT, KIT, "ben")
        grade.manual_score, grade.needs_manual_grade = 1 / 3, True
        book.db.commit()
    assert ">double<" not in ask(f"{address}question/{QUESTION}")[2]
    assert "1 waiting" in ask(f"{address}question/{QUESTION}")[2]
    card = next(one for one in cards(address, "double") if one["data-mark"] == "waiting")
    assert "graded again since" in card.select_one(".state").text
    typed = card.select_one("[name=points]")["value"]
    assert enter(address, card, typed, question="double")[0] == 200
    assert entered(folder, "ben", "double") == (1 / 3, False, None)


def test_a_comment_that_the_gradebook_cannot_have_is_refused(folder, address):
    """nbgrader has a comment for each cell of a solution, and `double` is a check alone."""
    before, card = grades(folder), cards(address, "double")[0]
    status, reply = enter(address, card, "1", "See me.", question="double")
    assert (status, "no comment for this cell" in reply["trouble"]) == (400, True)
    assert grades(folder) == before
    assert enter(address, card, "1", question="double")[0] == 200


def test_names_are_hidden_or_shown_in_order(folder):
    with served(folder) as address:
        text = ask(f"{address}question/{QUESTION}")[2]
        assert not [
            name
            for last, first in NAMES.values()
            for name in (last, first)
            if name in text and len(name) > 1
        ]
        drawn = [card.select_one(".own").text for card in cards(address)]
    with served(folder, names=True) as address:
        ordered = cards(address)
        assert "Ada Lovelace" in of(ordered, "Order").text
        assert [card.select_one(".own").text for card in ordered] != drawn


def test_the_key_stands_beside_the_answers_in_the_language_of_the_page(folder):
    for language, others in (("en", "理由"), ("zh", "Model"), ("both", "nothing")):
        with served(folder, language) as address:
            text = ask(f"{address}question/{QUESTION}")[2]
        assert others not in text
        for one in {"both": ("en", "zh")}.get(language, (language,)):
            assert KEY[one].split("\n")[-1].replace("**Points.** ", "") in text
            assert f"Why? {one}" in text


def test_a_long_class_is_cut_into_pages_of_which_the_first_that_waits_opens(address, monkeypatch):
    monkeypatch.setattr(page, "ON_A_PAGE", 2)
    for card in cards(address, page="?page=1"):
        enter(address, card, "1")
    numbers = [card.h3["id"] for card in cards(address)]
    assert numbers == ["answer-3", "answer-4"]
    assert cards(address, page="?page=99999999999")[-1].h3["id"] == "answer-5"


def test_what_a_student_wrote_is_inert(folder):
    for student, hostile in zip(
        ("ada", "ben", "cai", "eve"), split(HOSTILE.values(), 4), strict=True
    ):
        write_answer(folder, student, "\n\n".join(hostile))
    with served(folder) as address:
        _, headers, _ = ask(f"{address}question/{QUESTION}")
        answers = cards(address)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    own = [element for card in answers for element in card.select(".own *")]
    assert len(own) > 40
    for element in own:
        assert element.name not in ("script", "style", "form", "iframe", "input", "button", "link")
        assert not [
            name
            for name in element.attrs
            if name.startswith("on") or name in ("id", "class", "style", "name")
        ]
        assert not element.get("href", "").lower().startswith(("javascript", "data"))


def split(values, parts):
    values = list(values)
    return [values[part::parts] for part in range(parts)]


def test_who_has_no_token_or_comes_from_elsewhere_is_kept_out(folder, address):
    before = grades(folder)
    card = of(cards(address), "Order")
    site, _, path = address.removeprefix("http://").partition("/")
    there = f"{address}question/{QUESTION}"
    fields = {"grades": card["data-grades"].split(), "points": "3", "comment": ""}
    body = json.dumps(
        {**fields, **{name: card[f"data-{name}"] for name in Version._fields}}
    ).encode()
    wrong = f"http://{site}/{'x' * len(path.rstrip('/'))}/"
    for status, arguments in (
        (403, (wrong,)),
        (403, (f"{wrong}question/{QUESTION}",)),
        (403, (f"{wrong}question/{QUESTION}", body)),
        (403, (f"{wrong}by_hand.js",)),
        (403, (f"http://{site}/",)),
        (404, (f"{address}question/unknown",)),
        (404, (f"{address}elsewhere",)),
    ):
        assert ask(*arguments)[0] == status, arguments
    # what an open page has to say when the command was started again
    answered = json.loads(ask(f"{wrong}question/{QUESTION}", body)[2])
    assert "use the full address" in answered["trouble"]
    assert ask(there, Host="evil.example")[0] == 403
    for origin in (
        "http://evil.example",
        f"http://{site.replace('127.0.0.1', 'localhost')}",
        "null",
        "",
    ):
        assert ask(there, body, Origin=origin)[0] == 403
    assert grades(folder) == before


def test_an_entry_from_another_page_is_refused(folder, address):
    before = grades(folder)
    answers = cards(address)
    card, other = of(answers, "Order"), of(answers, "moves")
    there = f"{address}question/{QUESTION}"
    for body in (b"", b"{", b"[]", b"{}", b'{"grades": 1}', b"null", b"\xff"):
        assert ask(there, body)[0] == 400
    assert enter(address, card, "1", question="double")[0] == 400
    for identities in ("unknown", "", f"{card['data-grades']} unknown"):
        status, reply = enter(address, {**card.attrs, "data-grades": identities}, "1")
        assert (status, "no longer there" in reply["trouble"]) == (400, True)
    assert (
        enter(address, {**other.attrs, "data-answer_digest": card["data-answer_digest"]}, "1")[0]
        == 400
    )
    assert grades(folder) == before


def test_nobody_writes_between_the_look_and_the_writing(folder, address, monkeypatch):
    card, outcomes = of(cards(address), "Order"), []

    def read_while_another_writes(*arguments):
        with closing(sqlite3.connect(folder / "gradebook.db", timeout=0)) as other:
            try:
                other.execute("UPDATE grade SET manual_score = 3")
            except sqlite3.OperationalError as error:
                outcomes.append(str(error))
        return read_answer(*arguments)

    monkeypatch.setattr(entry, "read_answer", read_while_another_writes)
    assert enter(address, card, "1")[0] == 200
    assert set(outcomes) == {"database is locked"}
    assert entered(folder, "ada") == (1, False, None)


def test_a_gradebook_that_cannot_be_written_is_told(address, monkeypatch):
    card = of(cards(address), "Order")

    monkeypatch.setattr(server, "save", raiser(LOCKED))
    status, reply = enter(address, card, "1")
    assert (status, "database is locked" in reply["trouble"]) == (503, True)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LOCKED, "The gradebook cannot be read: OperationalError"),
        (CannotBegin("a.ipynb is not a notebook."), "a.ipynb is not a notebook."),
    ],
)
@pytest.mark.parametrize("name", ["first_question", "write_page"])
def test_a_page_that_cannot_be_made_says_why(address, monkeypatch, name, error, reason):
    monkeypatch.setattr(server, name, raiser(error))
    status, headers, text = ask(address)
    assert (status, headers["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert text.startswith(reason)


def test_a_gradebook_that_does_not_open_says_why_and_logs_nothing(folder, caplog):
    (folder / "gradebook.db").write_bytes(b"not a database" * 999)
    with served(folder) as address:
        status, _, text = ask(address)
    assert (status, text.startswith("The gradebook cannot be read: ")) == (503, True)
    assert "Traceback" not in caplog.text  # which would show the token too


def raiser(error):
    def raise_it(*arguments):
        raise error

    return raise_it


def test_what_takes_too_long_is_shown_as_it_was_written(address, monkeypatch):
    def endless(source, attachments):
        while True:
            pass

    monkeypatch.setattr(page, "markdown", endless)
    monkeypatch.setattr(page, "ANSWER_SECONDS", 0.05)
    card = of(cards(address), "$x_i$ moves.")
    assert card.select_one(".own > pre")
    assert card.select_one(".own > .quiet").text.strip() == AS_WRITTEN.en
    monkeypatch.setattr(page, "PAGE_SECONDS", 0)
    assert of(cards(address), "$x_i$ moves.").select_one(".own > pre")
