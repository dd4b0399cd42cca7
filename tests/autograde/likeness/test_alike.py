"""The weight of what two answers share, worked out on paper."""

from math import log

import pytest

from autograde.likeness.alike import alike
from autograde.likeness.forms import Form

CLASS = 40


def answer(*names):
    return tuple(Form(name, 10, 1, 1) for name in names)


def test_what_two_share_weighs_by_how_few_others_write_it():
    """Of 40: a form of nobody else weighs 10 log(40/4); one alone, or with one other, log(20/4)."""
    answers = {f"student{place:02}": answer("common", f"own{place}") for place in range(CLASS)}
    answers["student07"] = answer("common", "rare", "second", "alone")
    answers["student03"] = answer("common", "rare", "second")
    answers["student05"] = answer("common", "second")
    (pair,) = alike("double", answers)
    weight, alone = 10 * log(40 / 4) + 10 * log(20 / 4), 10 * log(40 / 4)
    assert pair.students == ("student03", "student07")
    assert pair.forms == {"rare", "second"}
    assert pair.weight == pytest.approx(weight)
    assert pair.share == pytest.approx(weight / (weight + alone))
