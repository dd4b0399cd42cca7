"""Answers that are given a function of the grader, and what they may ask of it."""

import dataclasses

import pytest

from autograde.grading import session
from autograde.kit.catalogue import exercise
from tests.security.pieces import CHANNEL

SEED = 7


ASKED = dataclasses.replace(exercise("equivariance_gap"), seconds=1.0)


def verdict(grader, source):
    with session.Session(grader.scoring, {}) as worker:
        worker.run(f"{CHANNEL}\n{source}")
        return worker.verdict(ASKED, ASKED.id, SEED)


def test_a_question_is_answered(grader):
    source = """
def equivariance_gap(f, x, order):
    return (f(x[order]) - f(x)[order]).abs().max().item()
"""
    assert verdict(grader, source).full


@pytest.mark.parametrize(
    "question",
    [
        "f(x.repeat(1000, 1)[: 100_000 // x.shape[1]])",  # attention squares its rows
        "[f(x) for _ in range(10**9)]",
        "channel().sendall(frame({'ask': -1, 'args': {'tuple': []}, 'kwargs': {'dict': []}}))",
        "channel().sendall(frame({'ask': 0, 'args': None, 'kwargs': None}))",
        "channel().sendall(frame({'ask': True}))",
    ],
    ids=["too_large", "endless", "negative", "no_arguments", "no_number"],
)
def test_a_hostile_question_costs_the_grader_little(grader, question):
    source = f"""
def equivariance_gap(f, x, order):
    {question}
    return 7.0
"""
    result = verdict(grader, source)
    assert not result.full
    assert result.score < ASKED.points / 2
