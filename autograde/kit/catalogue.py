"""Finds exercises and quizzes by name.

`exercises/<id>.py` holds `exercise`, `quizzes/<name>.py` holds `questions`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from importlib.util import find_spec
from types import ModuleType

from autograde import exercises, quizzes
from autograde.kit.exercise import Exercise
from autograde.kit.question import Question
from bilingual import Text


class UnknownName(LookupError):
    """No exercise, quiz or chapter has this name."""

    def __init__(self, kind: Text, name: str, names: list[str]) -> None:
        """Make the message: the unknown name, and the nearest that exists."""
        near = difflib.get_close_matches(name, names, n=1)
        hint = Text(en=f" Did you mean {near[0]!r}?", zh=f"是不是{near[0]!r}？") if near else None
        message = Text(
            en=f"There is no {kind.en} named {name!r}.{hint.en if hint else ''}",
            zh=f"没有名为{name!r}的{kind.zh}。{hint.zh if hint else ''}",
        )
        super().__init__(str(message))


def _is_module(package: ModuleType, name: str) -> bool:
    return name.isidentifier() and find_spec(f"{package.__name__}.{name}") is not None


def exercise_ids() -> list[str]:
    """Return the ids of all exercises, sorted; a module named _… serves others."""
    names = (module.name for module in pkgutil.iter_modules(exercises.__path__))
    return sorted(name for name in names if not name.startswith("_"))


def exercise(exercise_id: str) -> Exercise:
    """Return the exercise named `exercise_id`; `UnknownName` suggests the nearest if there is none.

    Each call reads it anew from its module, which Python loads once.
    """
    if not _is_module(exercises, exercise_id):
        raise UnknownName(Text(en="exercise", zh="练习"), exercise_id, exercise_ids())
    return importlib.import_module(f"autograde.exercises.{exercise_id}").exercise


def chapter_exercises(chapter: str) -> list[Exercise]:
    """Return the exercises of a chapter, e.g. "02_sinusoidal", by id."""
    return [one for one in map(exercise, exercise_ids()) if one.chapter == chapter]


def chapter_names() -> list[str]:
    """Return the chapters that have exercises, in order."""
    return sorted({exercise(exercise_id).chapter for exercise_id in exercise_ids()})


def quiz_names() -> list[str]:
    """Return the names of all quizzes, sorted: those of their chapters, without the number."""
    return sorted(module.name for module in pkgutil.iter_modules(quizzes.__path__))


def questions(quiz: str) -> tuple[Question, ...]:
    """Return the questions of a quiz; `UnknownName` suggests the nearest if there is none."""
    if not _is_module(quizzes, quiz):
        raise UnknownName(Text(en="quiz", zh="自测"), quiz, quiz_names())
    return importlib.import_module(f"autograde.quizzes.{quiz}").questions
