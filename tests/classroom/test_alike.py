"""Copies are found whatever they are disguised as; answers of different people are not alike.

The bank and the alternatives are the class: right answers to an exercise, each by another writer or
in another style. What is known of the whole bank: 4 of 2142 such pairs pass for alike, and of 696
copies in each disguise 91 % do not get away; the others are the course's own solution, or a line.
"""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from autograde.kit.misconception_source import answer_source
from autograde.likeness.alike import alike
from autograde.likeness.answers import answers_elsewhere
from autograde.likeness.forms import forms
from tests.autograde.grading.written import alternatives
from tests.bank.answers import answers, exercises_with_answers
from tests.classroom.copies import all_of_it, forms_of, handouts

NO_BANK = Path("nowhere")  # its answers are the class here, so they are not known besides
EXERCISES = {
    name: forms_for_all
    for chapter in ("02_sinusoidal", "10_beyond_1d")
    for name, forms_for_all in handouts(chapter).items()
    if name in exercises_with_answers()
}


@pytest.fixture(scope="module")
def classes():
    """Return each exercise's class as sources and as forms, and the forms known besides."""
    by_name = {}
    for name in EXERCISES:
        right = [one.code for one in answers(name) if one.right]
        others = [answer_source(one, name) for one in alternatives(name)]
        elsewhere = forms_of(list(answers_elsewhere(NO_BANK, name).values()))
        sources = list(dict.fromkeys(right + others))
        by_name[name] = sources, [*map(forms, sources)], elsewhere
    return by_name


def alike_pairs(name, forms_of_class, elsewhere):
    """Return the pairs of places in the class whose answers are alike."""
    group = {f"{place:02}": one for place, one in enumerate(forms_of_class)}
    pairs = alike(name, group, EXERCISES[name], elsewhere)
    return [tuple(map(int, one.students)) for one in pairs]


def test_answers_of_different_people_are_not_alike(classes):
    pairs_of = {name: alike_pairs(name, *one) for name, (_, *one) in classes.items()}
    pairs = sum(len(list(combinations(sources, 2))) for sources, *_ in classes.values())
    assert pairs > 300
    assert {name: pairs for name, pairs in pairs_of.items() if pairs} == {}


def test_a_copy_is_found_whatever_it_is_disguised_as(classes):
    missed, copies = [], 0
    for name, (sources, own, elsewhere) in classes.items():
        for place, source in enumerate(sources):
            copies += 1
            copied = [*own, forms(all_of_it(source, Random(place)))]
            if (place, len(sources)) not in alike_pairs(name, copied, elsewhere):
                missed.append((name, place))
    assert copies > 100
    assert len(missed) <= 0.1 * copies, missed


def test_the_courses_own_solution_and_what_many_write_are_nobodys(classes):
    name = "rope_2d" if "rope_2d" in EXERCISES else next(iter(EXERCISES))
    _, own, elsewhere = classes[name]
    unusual = own[:1]
    stub, solution = EXERCISES[name]
    group = {"ada": solution, "ben": solution, "cai": stub, "dot": stub}
    assert list(alike(name, group, [stub, solution], elsewhere)) == []
    two_of_many = [*unusual * 2, *own[1:] * 3]
    assert (0, 1) in alike_pairs(name, two_of_many, elsewhere)
    half_of_all = [*unusual * len(own), *own[1:]]
    assert (0, 1) not in alike_pairs(name, half_of_all, elsewhere)
