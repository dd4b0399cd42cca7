"""Nobody passes a quiz by the look of its options.

A guesser takes the longest option everywhere, or the shortest, the one of middle length, the one
with most words of doubt, the first or the last; among equals he takes any. Over all quizzes of the
chapters together, over the questions of the course quiz, and over its papers, none earns more than
chance and five points of a hundred. A quiz of a few questions moves in steps of one question: there
the limit is rounded up to whole questions.
"""

import math
import re
from collections.abc import Callable

import pytest

from autograde.kit.catalogue import questions, quiz_names
from autograde.kit.question import Option, Question
from autograde.quizzes.choose import draw
from bilingual import Text

MARGIN = 0.05
PAPERS = 400
DOUBT = {
    "en": re.compile(
        r"\b(may|might|can|could|perhaps|probably|often|usually|mostly|hardly|nearly|almost|about"
        r"|tends?|somewhat|rather|clearly|at least|at most|varies|depends?)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "可能|也许|大概|大约|往往|通常|几乎|大体|大致|略|未必|不一定|有时|一般|至少|至多|取决于"
    ),
}
COMMAND = re.compile(r"\\[a-zA-Z]+ ?")


def plain_text(text: Text, language: str) -> str:
    """Return about what a reader sees: a command of LaTeX is one sign, braces and stars none."""
    return re.sub(r"[$`*{}^_\\]", "", COMMAND.sub("∘", text.in_language(language)))


def longest(question: Question, language: str) -> list[float]:
    return [len(plain_text(option.text, language)) for option in question.options]


def shortest(question: Question, language: str) -> list[float]:
    return [-length for length in longest(question, language)]


def middle(question: Question, language: str) -> list[float]:
    lengths = longest(question, language)
    centre = sorted(lengths)[len(lengths) // 2]
    return [-abs(length - centre) for length in lengths]


def most_hedged(question: Question, language: str) -> list[float]:
    doubt = DOUBT[language]
    return [len(doubt.findall(plain_text(option.text, language))) for option in question.options]


def first(question: Question, language: str) -> list[float]:
    return [-place for place, _ in enumerate(question.options)]


def last(question: Question, language: str) -> list[float]:
    return [place for place, _ in enumerate(question.options)]


GUESSERS = (longest, shortest, middle, most_hedged, first, last)


def earned(paper: tuple[Question, ...], guesser: Callable, language: str) -> float:
    """Return how many questions the guesser gets right on average."""
    total = 0.0
    for question in paper:
        scores = guesser(question, language)
        best = [o.right for o, s in zip(question.options, scores, strict=True) if s == max(scores)]
        total += sum(best) / len(best)
    return total


def limit(paper: tuple[Question, ...]) -> float:
    """Return what chance earns, and five points of a hundred more."""
    return sum(1 / len(question.options) + MARGIN for question in paper)


def all_of(names: list[str]) -> tuple[Question, ...]:
    return tuple(question for name in names for question in questions(name))


def lucky(paper: tuple[Question, ...], most: float) -> list[tuple[str, str]]:
    """Return the guessers who earn more than `most`, and in which language."""
    each = [(guesser, language) for guesser in GUESSERS for language in ("en", "zh")]
    return [
        (one.__name__, language) for one, language in each if earned(paper, one, language) > most
    ]


@pytest.mark.parametrize("quiz", quiz_names())
def test_no_guesser_does_well_in_a_quiz(quiz):
    paper = questions(quiz)
    assert lucky(paper, math.ceil(limit(paper)) + 1e-9) == []  # thirds add up


def test_no_guesser_does_well_over_many_questions():
    chapters = all_of([name for name in quiz_names() if name != "choose"])
    for paper in (questions("choose"), chapters):
        assert lucky(paper, limit(paper)) == []


def test_no_guesser_does_well_over_many_papers():
    paper = tuple(question for seed in range(PAPERS) for question in draw(seed))
    assert lucky(paper, limit(paper)) == []


def test_a_quiz_whose_right_option_is_always_the_longest_is_noticed():
    wrong = Option(Text(en="no", zh="否"), Text(en="x", zh="x"))
    right = Option(Text(en="because", zh="因为如此"), Text(en="x", zh="x"), right=True)
    paper = (Question(Text(en="?", zh="？"), (wrong, right, wrong)),) * 5
    assert earned(paper, longest, "en") == earned(paper, longest, "zh") == 5
    assert math.ceil(limit(paper)) == 2
    assert earned(paper, first, "en") == earned(paper, last, "en") == 0
    assert earned(paper, most_hedged, "en") == pytest.approx(5 / 3)
