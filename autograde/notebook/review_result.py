"""A question of `review()`: what a right answer returns for newly drawn inputs.

The inputs come from a check of the exercise: of its small calls, the smallest with the most
options. The wrong options are results of misconceptions, whose sentences explain them.
"""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise
from autograde.kit.question import Option, Question
from bilingual import Text

OPTIONS, NUMBERS = 4, 24  # numbers that a reader can follow, inputs and result together
PROMPT = Text(
    en="**{title}**: what does `{signature}` return for these inputs?\n\n```python\n{inputs}\n```",
    zh="**{title}**：输入如下，`{signature}`返回什么？\n\n```python\n{inputs}\n```",
)
RIGHT = Text(en="Yes: that is what the task asks for.", zh="对，这正是题目要求的结果。")

Inputs = tuple[tuple[Any, ...], dict[str, Any]]


def which_result(exercise: Exercise, seed: int) -> Question | None:
    """Return a question about one drawn call; None if no check draws a small one."""
    if exercise.true_answer is None:
        return None
    with warnings.catch_warnings():  # e.g. one row has no spread: no concern of the reader
        warnings.simplefilter("ignore")
        questions = [_question(exercise, call, seed) for call in _small_calls(exercise, seed)]
    candidates = [one for one in questions if one]
    return max(candidates, key=lambda question: len(question.options), default=None)


def _small_calls(exercise: Exercise, seed: int) -> list[Inputs]:
    """Return the small calls that the checks make, the smallest first."""
    calls: list[Inputs] = []

    def noting(*args: Any, **kwargs: Any) -> Any:
        calls.append((args, kwargs))
        return exercise.true_answer(*args, **kwargs)

    for check in exercise.checks:
        check.run(noting, torch.Generator().manual_seed(seed))
    sized = [(_size([*args, *kwargs.values()]), (args, kwargs)) for args, kwargs in calls]
    small = [entry for entry in sized if 1 < entry[0] <= NUMBERS]
    return [call for _, call in sorted(small, key=lambda entry: entry[0])]


def _question(exercise: Exercise, call: Inputs, seed: int) -> Question | None:
    right = _result(exercise.true_answer, call)
    if right is None:
        return None
    wrong: dict[str, Text] = {}
    for misconception in exercise.misconceptions:
        result = _result(misconception.answer, call)
        # rounding must not decide: options differ in two digits as well as in three
        if result is not None and all(_text(result, n) != _text(right, n) for n in (2, 3)):
            wrong.setdefault(_text(result), misconception.sentence)
    if not wrong:
        return None
    drawn = random.Random(seed)
    names = drawn.sample(sorted(wrong), min(len(wrong), OPTIONS - 1))
    options = [Option(_as_code(_text(right)), RIGHT, right=True)]
    options += [Option(_as_code(name), wrong[name]) for name in names]
    drawn.shuffle(options)
    return Question(_prompt(exercise, call), tuple(options))


def _prompt(exercise: Exercise, call: Inputs) -> Text:
    args, kwargs = call
    values = inspect.signature(exercise.true_answer).bind(*args, **kwargs).arguments
    inputs = "\n".join(f"{name} = {_text(value)}" for name, value in values.items())
    return PROMPT.format(title=exercise.title, signature=exercise.signature, inputs=inputs)


def _result(answer: Callable[..., Any], call: Inputs) -> Any:
    """Return a result; None for an error, or a result too large to show beside the inputs."""
    args, kwargs = call
    room = NUMBERS - _size([*args, *kwargs.values()])
    copies = [one.clone() if isinstance(one, Tensor) else one for one in args]
    try:
        result = answer(*copies, **kwargs)
    except Exception:  # of any type: a wrong answer may raise what it likes
        return None
    return result if 0 < _size([result]) <= room else None


def _size(values: list[Any]) -> int:
    """Return how many numbers these hold; any other value counts as too many."""
    return sum(map(_size_of, values))


def _size_of(value: Any) -> int:
    if isinstance(value, Tensor):
        return value.numel()
    if isinstance(value, list | tuple):
        return _size(list(value))
    return 1 if value is None or isinstance(value, bool | int | float | str) else NUMBERS + 1


def _text(value: Any, digits: int = 3) -> str:
    if isinstance(value, Tensor):
        return _text(value.tolist(), digits)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_text(item, digits) for item in value)}]"
    if isinstance(value, float):
        return f"{value + 0.0:.{digits}g}"  # −0 is 0
    return repr(value)


def _as_code(text: str) -> Text:
    return Text(en=f"`{text}`", zh=f"`{text}`")
