"""`progress()`: what is done, chapter by chapter, kept from one day to the next."""

from __future__ import annotations

import math

from autograde.catalogue import chapter_exercises, exercise, exercise_ids, questions, quiz_names
from autograde.exercise import Exercise
from autograde.judge import Verdict
from autograde.question import Question
from autograde.store import keep, load
from bilingual import Text

WIDTH = 10  # of a bar, in characters

POINTS = Text(en="points", zh="分")
QUIZ = Text(en="self-test, answered right", zh="自测，答对")
TOTAL = Text(en="All chapters", zh="全部章节")


def record(verdict: Verdict) -> None:
    """Keep the points of a verdict, the best and the last; print a sentence if that fails."""
    name = verdict.exercise.id
    best = max(verdict.score, best_score(verdict.exercise))
    not_kept = keep("exercises", name, {"best": best, "last": verdict.score})
    if not_kept:
        print(not_kept)


def best_score(asked: Exercise) -> float:
    """Return the most points reached so far, 0 if there are none."""
    best = load("exercises", asked.id).get("best")
    known = isinstance(best, int | float) and math.isfinite(best)
    return min(max(float(best), 0.0), float(asked.points)) if known else 0.0


def record_right(quiz: str, question: Question) -> Text | None:
    """Keep that a question was answered right; return a sentence if that was not possible."""
    # by its words: a question moved or added in an update leaves the other answers as they are
    return keep("quizzes", quiz, {"right": sorted({*right_prompts(quiz), question.prompt.en})})


def right_prompts(quiz: str) -> set[str]:
    """Return the English prompts of the questions that were answered right."""
    right = load("quizzes", quiz).get("right")
    return {said for said in right if isinstance(said, str)} if isinstance(right, list) else set()


def progress() -> None:
    """Print the points of every chapter and exercise, and the questions answered right."""
    every = [exercise(name) for name in exercise_ids()]
    print(_line(TOTAL.label(), sum(map(best_score, every)), sum(e.points for e in every)))
    quizzes = {f"_{name}": name for name in quiz_names()}
    for chapter in sorted({found.chapter for found in every}):
        print("\n".join(["", *_chapter(chapter, quizzes.get(chapter.lstrip("0123456789")))]))


def _chapter(chapter: str, quiz: str | None) -> list[str]:
    members = chapter_exercises(chapter)
    done, points = sum(map(best_score, members)), sum(found.points for found in members)
    lines = [_line(chapter, done, points)]
    for found in members:
        title = f"{found.title.label()} [{found.id}]"
        lines.append("  " + _line(title, best_score(found), found.points))
    if quiz:
        prompts = {question.prompt.en for question in questions(quiz)}
        right, total = len(prompts & right_prompts(quiz)), len(prompts)
        lines.append(f"  {_bar(right, total)}  {right} / {total}  {QUIZ.label()}")
    return lines


def _line(name: str, done: float, points: float) -> str:
    return f"{_bar(done, points)}  {done:g} / {points:g} {POINTS.label()}  {name}"


def _bar(done: float, total: float) -> str:
    full = int(WIDTH * done / total) if total else 0  # full only when all is done
    return "█" * full + "░" * (WIDTH - full)
