"""What a reader has reached: the best points of each exercise, the questions answered right."""

from __future__ import annotations

import math

from autograde.kit.catalogue import listed_exercise
from autograde.kit.chapter import ListedExercise
from autograde.kit.exercise import Exercise
from autograde.kit.question import Question
from autograde.kit.verdict import Verdict
from autograde.notebook.store import keep, load
from bilingual import Text


def record(verdict: Verdict) -> None:
    """Keep the points of a verdict, the best and the last; print a sentence if that fails.

    They are kept in the course's own points, even if a teacher has changed them.
    """
    here = verdict.exercise
    own = listed_exercise(here.id)
    score = verdict.score * own.points / here.points if here.points else 0.0
    best = max(score, best_score(own))
    problem = keep("exercises", own.id, {"best": best, "last": score})
    if problem:
        print(problem)


def solved(exercise: ListedExercise) -> float:
    """Return the share of its points reached so far, 0 to 1; 1 if it gives no points."""
    return best_score(exercise) / exercise.points if exercise.points else 1.0


def best_score(exercise: Exercise | ListedExercise) -> float:
    """Return the most points reached so far, 0 if there are none."""
    best = load("exercises", exercise.id).get("best")
    is_number = isinstance(best, int | float) and abs(best) < math.inf  # false for NaN
    return float(min(max(best, 0), exercise.points)) if is_number else 0.0


def record_right(quiz: str, question: Question) -> Text | None:
    """Keep that a question was answered right; return a sentence if that was not possible."""
    # by its text: an update that moves or adds questions keeps the other answers
    return keep("quizzes", quiz, {"right": sorted({*right_prompts(quiz), question.prompt.en})})


def right_prompts(quiz: str) -> set[str]:
    """Return the English prompts of the questions that were answered right."""
    right = load("quizzes", quiz).get("right")
    prompts = right if isinstance(right, list) else []
    return {prompt for prompt in prompts if isinstance(prompt, str)}
