"""The whole kit, exercise by exercise: stubs, solutions, alternatives, misconceptions, mutants."""

import importlib.util
import math
import re
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
import torch
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from autograde.kit.answer import Answer, leaves
from autograde.kit.callback import Callback
from autograde.kit.catalogue import exercise, exercise_ids, questions, quiz_names
from autograde.kit.exercise import Check, Exercise, Function
from autograde.kit.scoring import SEED, evaluate, run_checks
from confined.deadline import call_within_cpu
from tests.all_chapters import PATHS, cells_of
from tests.exercises.mutate import mutants

HERE = Path(__file__).parent
SHARE = 1 / 50  # a wrong answer may use all the seconds, the slowest right one needs a hundredth
WITH_FUNCTIONS = ("clinic_rotation_test", "equivariance_gap", "smallest_test")
# reports, hints and pages show these sentences as they are
LATEX = re.compile(r"\$[^$\n]+\$|\\(?:frac|sqrt|text|omega|theta|cdot|dots|ln|sum|infty|times)\b")


def sources(exercise_id: str, kind: str) -> list[str]:
    """Return the sources of the cells of an exercise in its own chapter."""
    cells = cells_of(exercise(exercise_id).chapter)
    return [cell.source for cell in cells if cell.metadata.get(kind) == exercise_id]


def check_cell(exercise_id: str) -> str:
    (source,) = sources(exercise_id, "check")
    return source


def answer(exercise_id: str, source: str, check: str = ""):
    """Return what the check cell hands to `check`, once the answer cell reads `source`."""
    handed = []
    names = {
        "math": math,
        "torch": torch,
        "F": torch.nn.functional,
        "check": lambda name, function: handed.append(function),
    }
    exec(compile(source, f"<{exercise_id}>", "exec"), names)
    exec(check or check_cell(exercise_id), names)
    return handed[0]


def solution(exercise_id: str) -> str:
    (source,) = sources(exercise_id, "exercise")
    return source


def stub(exercise_id: str) -> str:
    """Return the answer cell as learners get it: nbgrader's own cut."""
    cell = NotebookNode(
        cell_type="code",
        source=solution(exercise_id),
        metadata={"nbgrader": {"solution": True, "grade": False}},
    )
    return ClearSolutions().preprocess_cell(cell, {"language": "python"}, 0)[0].source


def right_answers(exercise_id: str) -> ModuleType:
    """Return tests/exercises/<id>.py: alternatives, and the mutants that are right answers too."""
    path = HERE / f"{exercise_id}.py"
    assert path.exists(), f"tests/exercises/{path.name}: see CONTRIBUTING, Add an exercise"
    spec = importlib.util.spec_from_file_location(f"own_{exercise_id}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def passes(task: Exercise, function: Function, checks: list[Check], share: float = SHARE) -> bool:
    """Return whether every check passes; the first that fails ends it, and is asked no reason.

    share: of the exercise's seconds, of CPU, for a call. A machine that others keep busy changes
    nothing.
    """
    answer = Answer(partial(call_within_cpu, share * task.seconds, function), task.seconds)
    return not any(
        run_checks(replace(task, checks=[one]), answer, SEED)[0].reason for one in checks
    )


def survives(task: Exercise, source: str, check: str, share: float) -> bool:
    """Return whether the answer in `source`, with the check cell `check`, gets full marks."""
    try:
        function = answer(task.id, source, check)
    except Exception:  # a mutant that cannot even be defined
        return False
    return passes(task, function, task.checks, share)


def has_broken_code(exercise_id: str) -> bool:
    task = exercise(exercise_id)
    return task.broken in {one.name for one in task.misconceptions}


each = pytest.mark.parametrize("name", exercise_ids())


@each
def test_it_is_whole_and_its_chapter_asks_it_once(name, record_property):
    task = exercise(name)
    record_property("exercises", 1)
    record_property("checks", len(task.checks))
    assert task.id == name
    assert task.chapter in PATHS
    assert [check.name for check in task.checks if check.weight < 1] == [], "weighs nothing"
    assert len(task.hints) >= 3, "at least three hints"
    assert len(task.misconceptions) >= 3, "at least three misconceptions"
    assert len(right_answers(name).alternatives) >= 2, "at least two right answers"
    assert len({misconception.name for misconception in task.misconceptions}) == len(
        task.misconceptions
    )
    cells = [len(sources(name, kind)) for kind in ("exercise", "check")]
    assert cells == [1, 1], f"cells exercise= and check= of {name} in {task.chapter}"
    sentences = [task.title, *task.hints]
    sentences += [one.sentence for one in (*task.checks, *task.misconceptions)]
    in_latex = [text for text in sentences if LATEX.search(text.en) or LATEX.search(text.zh)]
    assert in_latex == [], "sentences are plain text"


def test_a_chapter_asks_only_its_own_exercises():
    for chapter in PATHS:
        names = [cell.metadata.get("exercise") for cell in cells_of(chapter)]
        assert {exercise(name).chapter for name in names if name} <= {chapter}, chapter


@each
def test_no_answer_scores_nothing(name):
    task = exercise(name)
    verdict = evaluate(task, answer(name, stub(name)))
    assert verdict.unsolved
    assert verdict.score == 0
    assert evaluate(task, lambda *args, **kwargs: None).score == 0, "without return"


@each
def test_every_right_answer_is_full(name, record_property):
    """The solution, the true answer and each alternative."""
    task, others = exercise(name), right_answers(name).alternatives
    right = {"the solution": answer(name, solution(name)), "the true answer": task.true_answer}
    verdicts = {who: evaluate(task, function) for who, function in right.items()}
    verdicts |= {other.__name__: evaluate(task, other) for other in others}
    record_property("alternatives", len(others))
    record_property("full", sum(verdicts[other.__name__].full for other in others))
    failed = {who: v.outcomes for who, v in verdicts.items() if v.score != task.points}
    assert failed == {}
    assert {who for who, verdict in verdicts.items() if verdict.cause} == set()
    calls = [call for outcome in verdicts["the solution"].outcomes for call in outcome.calls]
    inputs = leaves([[call.args, call.kwargs] for call in calls])
    functions = [value for value in inputs if callable(value)]
    assert bool(functions) is (name in WITH_FUNCTIONS), "test_callbacks.py calls them"
    assert all(isinstance(one, Callback) for one in functions)


@each
def test_every_misconception_loses_points_and_is_named(name, record_property):
    task = exercise(name)
    hits, missed = 0, {}
    for misconception in task.misconceptions:
        verdict = evaluate(task, misconception.answer)
        cause = verdict.cause and (verdict.cause.kind, verdict.cause.name)
        is_named = cause == ("misconception", misconception.name)
        most = 0 if misconception.name == task.broken else task.points - 0.25
        if is_named and verdict.score <= most:
            hits += 1
        else:
            missed[misconception.name] = (verdict.score, cause)
    record_property("misconceptions", len(task.misconceptions))
    record_property("named", hits)
    assert missed == {}


def a_little_off(result: object) -> object:
    if isinstance(result, list | tuple):
        return type(result)(map(a_little_off, result))
    return result + 0.003 if isinstance(result, float | torch.Tensor) else result


def spoilt(task: Exercise) -> list[Function]:
    """Return the code that is to be mended, a little off, and with None at each third call."""
    (broken,) = (one.answer for one in task.misconceptions if one.name == task.broken)
    calls = count(1)
    return [
        lambda *args, **kwargs: a_little_off(broken(*args, **kwargs)),
        lambda *args, **kwargs: broken(*args, **kwargs) if next(calls) % 3 else None,
    ]


@pytest.mark.parametrize("name", [*filter(has_broken_code, exercise_ids())])
def test_broken_code_earns_nothing_however_it_is_spoilt(name):
    task = exercise(name)
    assert [evaluate(task, function).score for function in spoilt(task)] == [0.0, 0.0]


@pytest.mark.slow
# a time limit may ring in a callback of the garbage collector, where Python can only warn
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@each
def test_every_mutant_of_the_solution_loses_points(name, record_property):
    task = exercise(name)
    variants, check = mutants(solution(name)), check_cell(name)
    equivalent = getattr(right_answers(name), "equivalent", {})
    right = {m.name for m in variants if any(_is_meant(key, m.name) for key in equivalent)}
    survivors = {
        m.name
        for m in variants
        if survives(task, m.source, check, 1.0 if m.name in right else SHARE)
    }
    record_property("mutants", len(variants))
    record_property("killed", sum(m.name not in survivors for m in variants))
    record_property("survivors", [(name, mutant, why) for mutant, why in equivalent.items()])
    alive = {key: {m for m in survivors if _is_meant(key, m)} for key in equivalent}
    assert survivors - right == set(), "each is killed, or in `equivalent`"
    assert [key for key, meant in alive.items() if not meant] == [], "not among the survivors"


def _is_meant(key: str, mutant: str) -> bool:
    """Return whether a key of `equivalent` names a mutant; "….float()" names all with that end."""
    return mutant.endswith(key[1:]) if key.startswith("…") else mutant == key


def test_every_file_here_belongs_to_an_exercise():
    others = {"__init__", "conftest", "mutate"}
    stems = {path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_")}
    assert stems - others == set(exercise_ids())


def test_a_quiz_is_whole():
    chapters = {chapter.partition("_")[2] for chapter in PATHS}
    for quiz in quiz_names():
        prompts = [question.prompt.en for question in questions(quiz)]
        assert len({*prompts}) == len(prompts) >= 5, quiz
        assert quiz in chapters


@pytest.mark.parametrize("layout", ["rope_half", "rope_interleaved"])
def test_a_misconception_left_in_float64_is_named_with_its_dtype(layout):
    """Not rounded as the inputs in 16 bits are: two mistakes, and the commonest pair of them."""
    own = {"angles_rounded", "another_dtype"}  # in float64 nothing of them is left but the dtype
    for mistake in exercise(layout).misconceptions:

        def answer(x, angles, mistake=mistake):
            return mistake.answer(x.double(), angles)

        cause = evaluate(exercise(layout), answer).cause
        expected = "another_dtype" if mistake.name in own else f"{mistake.name}_and_dtype"
        assert cause.name == expected
