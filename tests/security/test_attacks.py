"""No attack gets more than its honest score, takes anything along or leaves anything behind."""

import nbformat
import pytest

from autograde.grading.files import beside, remove_links
from autograde.grading.rebuild import NotGradable, rebuild
from autograde.nbgrader.autograde import BYTES
from tests.security.conftest import MARK
from tests.security.handed_in import attacks, honest_text, new_book, record
from tests.security.pieces import CHAPTER, EXERCISE, WORTHLESS
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


def judged(judge, folder):
    """Return the judged cells of a submission; the steps are those of `ClassGrading`."""
    remove_links(folder)
    path = folder / f"{CHAPTER}.ipynb"
    if path.stat().st_size > BYTES:
        raise NotGradable("too large")
    cells = rebuild(read(path), record())
    judge.judge(cells, beside(folder))
    return cells


def read(path):
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # of any kind: nbgrader logs it, and the next submission follows
        raise NotGradable(str(error)) from error


@pytest.fixture(scope="module")
def worthless(judge, course):
    book = new_book(course)
    book.write(EXERCISE, WORTHLESS)
    return points(judge, book.text())


def points(judge, text):
    cells = rebuild(nbformat.reads(text, as_version=4), record())
    judge.judge(cells, {})
    assert STOLEN not in words(cells)
    return score(cells, EXERCISE)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(attack, judge, course, mark, strength, worthless, folder):
    if strength > attack.needs:
        pytest.skip(f"stands from tier {attack.needs} on; this machine confines in tier {strength}")
    before, alive = fingerprint(course), running(MARK, mark)
    attack.hand_in(folder, course)
    try:
        cells = judged(judge, folder)
    except NotGradable:
        cells = None
    else:
        assert score(cells, EXERCISE) <= worthless
        assert CANARY not in words(cells)
        assert STOLEN not in words(cells)
        assert kinds(cells) <= SHOWN
        assert len(words(cells)) <= MOST
        nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()  # it can be saved
    assert fingerprint(course) == before
    assert running(MARK, mark) == alive
    assert points(judge, honest_text(course)) == 2.0


def test_there_are_enough():
    assert len(ATTACKS) >= 60
    assert all(attack.title.count("\n") == 0 and attack.title.endswith(".") for attack in ATTACKS)


def test_the_suite_notices(judge, course, worthless):
    """An answer that is right is worth more than one without value: the assertion can fail."""
    assert worthless < points(judge, honest_text(course)) == 2.0
