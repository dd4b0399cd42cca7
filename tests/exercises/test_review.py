"""What `review()` makes of each exercise: one option is right, and the others are mistakes."""

import re
import sys

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate
from autograde.notebook.review_mistake import which_mistake
from autograde.notebook.review_result import which_result

MINUS_ZERO = re.compile(r"-0(?![.\d])")  # equal to 0: no reader could choose between them


@pytest.mark.parametrize("name", exercise_ids())
def test_a_code_shown_makes_the_mistake_that_is_right(name):
    task = exercise(name)
    module = sys.modules[f"autograde.exercises.{name}"]
    for seed in (1, 2):
        question = which_mistake(task, seed)
        if question is None:
            continue
        (right,) = [option for option in question.options if option.right]
        code = question.prompt.en.split("```python\n")[1].removesuffix("\n```")
        namespace = dict(vars(module))
        exec(code, namespace)
        # another mistake may come to the same for some of the inputs drawn
        causes = {evaluate(task, namespace[name], draw).cause.sentence for draw in range(3)}
        assert right.text in causes


@pytest.mark.parametrize("kind", [which_mistake, which_result])
def test_most_exercises_have_a_question(kind):
    questions = [kind(exercise(name), 1) for name in exercise_ids()]
    assert len([*filter(None, questions)]) > len(questions) / 2


def test_no_question_offers_a_sentence_twice():
    questions = (which_mistake(exercise(name), n) for name in exercise_ids() for n in range(20))
    for question in filter(None, questions):
        assert len({option.text for option in question.options}) == len(question.options)


@pytest.mark.parametrize("name", exercise_ids())
def test_of_the_results_one_is_right_and_the_others_are_those_of_mistakes(name):
    task = exercise(name)
    sentences = {one.sentence for one in task.misconceptions}
    for seed in (1, 2):
        question = which_result(task, seed)
        if question is None:
            continue
        assert len({option.text for option in question.options}) == len(question.options)
        assert {one.because for one in question.options if not one.right} <= sentences
        assert not any(MINUS_ZERO.search(option.text.en) for option in question.options)
