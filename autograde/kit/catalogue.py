"""Finds exercises, quizzes and chapters by name.

`exercises/<id>.py` holds `exercise`, `quizzes/<name>.py` holds `questions`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from importlib.util import find_spec
from types import ModuleType

from autograde import exercises, quizzes
from autograde.kit.chapter import CHAPTERS, EXERCISES, Chapter, ListedExercise
from autograde.kit.exercise import Exercise
from autograde.kit.question import Question
from bilingual import Text, listed

FEW = 20  # names that a message may list
NOT_THERE = Text(en="There is no {kind} named {name!r}.", zh="没有名为{name!r}的{kind}。")
NEAR = Text(en="{message} Did you mean {name!r}?", zh="{message}是不是{name!r}？")
ALL = Text(en="{message} Available: {names}.", zh="{message}已有的：{names}。")


class UnknownName(LookupError):
    """No exercise, quiz, chapter or way has this name."""

    def __init__(self, kind: Text, name: str, names: list[str], sentence: Text = NOT_THERE) -> None:
        """Build the message: the unknown name, of any type, and the nearest, or all if few."""
        self.kind, name = kind, str(name)
        # 5, 05 or rope for 05_rope; a single letter matches nothing
        longer = [one for one in names if name and name.zfill(2) in one]
        self.close = difflib.get_close_matches(name, names, n=1)
        near = self.close or longer
        message = sentence.format(kind=kind, name=name)
        if near:
            message = NEAR.format(message=message, name=near[0])
        elif 0 < len(names) <= FEW:
            message = ALL.format(message=message, names=listed(names))
        super().__init__(str(message))

    def _render_traceback_(self) -> list[str]:
        # IPython's own hook: a typo needs no traceback through our files
        return [f"{type(self).__name__}: {self}"]


def _is_module(package: ModuleType, name: str) -> bool:
    name = str(name)
    is_name = name.isidentifier() and not name.startswith("_")  # a module named _… is a helper
    return is_name and find_spec(f"{package.__name__}.{name}") is not None


def exercise_ids() -> list[str]:
    """Return the ids of all exercises, sorted; a module named _… is a helper."""
    names = (module.name for module in pkgutil.iter_modules(exercises.__path__))
    return sorted(name for name in names if not name.startswith("_"))


def exercise(exercise_id: str) -> Exercise:
    """Return the exercise named `exercise_id`; `UnknownName` suggests the nearest if there is none.

    A function counts as its name: quotes are easily forgotten. Each call looks the exercise up in
    its module, which Python loads once.
    """
    exercise_id = getattr(exercise_id, "__name__", exercise_id)
    if not _is_module(exercises, exercise_id):
        raise UnknownName(Text(en="exercise", zh="练习"), exercise_id, exercise_ids())
    return importlib.import_module(f"autograde.exercises.{exercise_id}").exercise


def listed_exercise(exercise_id: str) -> ListedExercise:
    """Return an exercise's points and minutes; imports it only if no chapter lists it."""
    if exercise_id in EXERCISES:
        return EXERCISES[exercise_id]
    own = exercise(exercise_id)
    return ListedExercise(own.id, own.points, own.minutes)


def chapter_of(exercise_id: str) -> str:
    """Return the chapter of an exercise; imports the exercise only if no chapter lists it.

    A teacher's own exercise is not listed, nor is an exercise of a chapter that is not built yet.
    """
    listed = (name for name, chapter in CHAPTERS.items() if exercise_id in chapter.exercises)
    return next(listed, None) or exercise(exercise_id).chapter


def chapter_exercises(chapter: str) -> list[Exercise]:
    """Return the exercises of a chapter, e.g. "02_sinusoidal", in its order."""
    return [exercise(name) for name in exercises_of(chapter)]


def exercises_of(chapter: str) -> list[str]:
    """Return the ids of a chapter's exercises; unlisted ones, such as a teacher's, come last."""
    listed = CHAPTERS[chapter].exercises if chapter in CHAPTERS else ()
    order = {name: index for index, name in enumerate(listed)}
    names = (name for name in exercise_ids() if chapter_of(name) == chapter)
    return sorted(names, key=lambda name: order.get(name, len(order)))


def chapter_names() -> list[str]:
    """Return the chapters that have exercises, in order."""
    return sorted({chapter_of(name) for name in exercise_ids()})


def chapter(name: str) -> tuple[Chapter, list[str]]:
    """Return a chapter and its exercises' ids; `UnknownName` suggests the nearest if there is none.

    A teacher's own chapter has its name as title, and takes as long as its exercises.
    """
    if name not in chapter_names():
        raise UnknownName(Text(en="chapter", zh="章节"), name, chapter_names())
    ids = exercises_of(name)
    minutes = sum(listed_exercise(one).minutes for one in ids)
    return CHAPTERS.get(name) or Chapter(Text(en=name, zh=name), minutes), ids


def quiz_names() -> list[str]:
    """Return the names of all quizzes, sorted; a quiz has its chapter's name without the number."""
    return sorted(module.name for module in pkgutil.iter_modules(quizzes.__path__))


def questions(quiz: str) -> tuple[Question, ...]:
    """Return the questions of a quiz; `UnknownName` suggests the nearest if there is none."""
    if not _is_module(quizzes, quiz):
        raise UnknownName(Text(en="quiz", zh="自测"), quiz, quiz_names())
    return importlib.import_module(f"autograde.quizzes.{quiz}").questions
