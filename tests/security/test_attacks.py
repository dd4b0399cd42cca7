"""No attack gets more than its honest score, takes anything along or leaves anything behind."""

import nbformat
import pytest

from autograde.grading.submission import submitted_cells
from autograde.handed_in.files import NotGradable, read_submission, remove_links
from tests.security.conftest import MARK
from tests.security.handed_in import attacks, honest_text, new_book, record
from tests.security.pieces import CHAPTER, EXERCISE, WORTH, WORTHLESS
from tests.security.spoils import (
    CANARY,
    MOST,
    SHOWN,
    STOLEN,
    fingerprint,
    kinds,
    running,
    score,
    words,
)

ATTACKS = attacks()
CROWD = 10  # attackers, after whom an honest student is graded
RECORD = record()
SEED = 20261122


def graded(grader, folder):
    """Return the graded cells of a submission; the steps are those of `grade_submission`."""
    remove_links(folder)
    submission = read_submission(folder / f"{CHAPTER}.ipynb", folder / "no source")
    cells = submitted_cells(submission.notebook, RECORD)
    grader.grade(cells, submission.files, SEED, {})
    return cells


@pytest.fixture(scope="module")
def honest(course):
    return honest_text(course)


def points(grader, text):
    cells = submitted_cells(text.encode(), RECORD)
    grader.grade(cells, {}, SEED, {})
    assert STOLEN not in words(cells)
    return score(cells, EXERCISE)


def earns(grader, text, expected):
    """Return whether a submission gets so many points, at the third try at the latest.

    Its cells have no more time than an attack's: a busy machine may spend it, but damage stays.
    """
    return any(points(grader, text) == expected for _ in range(3))


@pytest.fixture(scope="module")
def crowd(grader, honest, mark):
    """Give the processes of the grader, and grade an honest student after the attackers.

    An attack that harms also fails alone (`-k NAME`).
    """
    yield running(MARK, mark)
    assert earns(grader, honest, 2.0)


@pytest.mark.parametrize(
    ("crowd", "attack"),
    [pytest.param(n // CROWD, attack, id=attack.name) for n, attack in enumerate(ATTACKS)],
    indirect=["crowd"],
    scope="module",  # else a crowd is of one
)
def test_attack(attack, crowd, grader, course, mark, strength, folder):
    if strength > attack.needs:
        pytest.skip(f"stands from tier {attack.needs} on; this machine confines in tier {strength}")
    before = fingerprint(course)
    attack.hand_in(folder, course)
    try:
        cells = graded(grader, folder)
    except NotGradable:
        cells = None
    else:
        assert score(cells, EXERCISE) <= WORTH
        assert CANARY not in words(cells)
        assert STOLEN not in words(cells)
        assert kinds(cells) <= SHOWN
        assert len(words(cells)) <= MOST
        nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()  # it can be saved
    assert fingerprint(course) == before
    assert running(MARK, mark) == crowd


def test_there_are_enough():
    assert len(ATTACKS) >= 60
    assert all(attack.title.count("\n") == 0 and attack.title.endswith(".") for attack in ATTACKS)


def test_a_right_answer_earns_more_than_the_worthless_one(grader, course, honest):
    """An answer that is right is worth more than one without value: the assertion can fail."""
    book = new_book(course)
    book.write(EXERCISE, WORTHLESS)
    assert earns(grader, book.text(), WORTH)
    assert earns(grader, honest, 2.0)
