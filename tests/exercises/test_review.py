"""What `review()` makes of each exercise: one option is right, and the others are mistakes."""

import re
import sys

import pytest

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.scoring import evaluate
from autograde.notebook.review_mistake import which_mistake
from autograde.notebook.review_result import which_result

MINUS_ZERO = re.compile(r"-0(?![.\d])")  # equal to 0: no reader could choose between them


@pytest.fixture(scope="module")
def of_results():
    return {name: which_result(exercise(name), 1) for name in exercise_ids()}


@pytest.mark.parametrize("name", exercise_ids())
def test_its_questions_have_one_right_option_beside_mistakes(name, of_results):
    task = exercise(name)
    for question in filter(None, (which_mistake(task, 1), which_mistake(task, 2))):
        makes_the_mistake_that_is_right(task, question)
    for question in filter(None, (of_results[name], which_result(task, 2))):
        offers_results_of_mistakes(task, question)


def makes_the_mistake_that_is_right(task, question):
    (right,) = [option for option in question.options if option.right]
    code = question.prompt.en.split("```python\n")[1].removesuffix("\n```")
    namespace = dict(vars(sys.modules[f"autograde.exercises.{task.id}"]))
    exec(code, namespace)
    # another mistake may come to the same for some of the inputs drawn
    causes = (evaluate(task, namespace[task.id], draw).cause.sentence for draw in range(3))
    assert right.text in causes


def offers_results_of_mistakes(task, question):
    sentences = {one.sentence for one in task.misconceptions}
    assert len({option.text for option in question.options}) == len(question.options)
    assert {one.because for one in question.options if not one.right} <= sentences
    assert not any(MINUS_ZERO.search(option.text.en) for option in question.options)


def test_most_exercises_have_a_question(of_results):
    of_mistakes = {name: which_mistake(exercise(name), 1) for name in exercise_ids()}
    for questions in (of_mistakes, of_results):
        assert len([*filter(None, questions.values())]) > len(questions) / 2


def test_no_question_offers_a_sentence_twice():
    questions = (which_mistake(exercise(name), n) for name in exercise_ids() for n in range(6))
    for question in filter(None, questions):
        assert len({option.text for option in question.options}) == len(question.options)
