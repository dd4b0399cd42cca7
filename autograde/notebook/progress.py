"""`progress()`: what is done, chapter by chapter, and how long the rest takes."""

from __future__ import annotations

import math

from autograde.kit.catalogue import chapter, chapter_names, questions, quiz_names
from autograde.kit.exercise import Exercise
from autograde.kit.question import Question
from autograde.kit.verdict import Verdict
from autograde.notebook.store import keep, load
from bilingual import Text

WIDTH = 10  # of a bar, in characters

POINTS = Text(en="points", zh="分")
QUIZ = Text(en="self-test, answered right", zh="自测，答对")
TOTAL = Text(en="All chapters", zh="全部章节")
MINUTES = Text(en="about {left} min left", zh="约剩{left}分钟")
HOURS = Text(en="about {left} h left", zh="约剩{left}小时")
DONE = Text(en="done", zh="已完成")
MORE = Text(
    en='progress("{name}") shows the exercises of a chapter.',
    zh='progress("{name}")显示一章里的各道练习。',
)
STEP = 5  # minutes: nobody's estimate is finer


def record(verdict: Verdict) -> None:
    """Keep the points of a verdict, the best and the last; print a sentence if that fails."""
    name = verdict.exercise.id
    best = max(verdict.score, best_score(verdict.exercise))
    problem = keep("exercises", name, {"best": best, "last": verdict.score})
    if problem:
        print(problem)


def best_score(exercise: Exercise) -> float:
    """Return the most points reached so far, 0 if there are none."""
    best = load("exercises", exercise.id).get("best")
    is_number = isinstance(best, int | float) and math.isfinite(best)
    return min(max(float(best), 0.0), float(exercise.points)) if is_number else 0.0


def record_right(quiz: str, question: Question) -> Text | None:
    """Keep that a question was answered right; return a sentence if that was not possible."""
    # by its words: a question moved or added in an update leaves the other answers as they are
    return keep("quizzes", quiz, {"right": sorted({*right_prompts(quiz), question.prompt.en})})


def right_prompts(quiz: str) -> set[str]:
    """Return the English prompts of the questions that were answered right."""
    right = load("quizzes", quiz).get("right")
    prompts = right if isinstance(right, list) else []
    return {prompt for prompt in prompts if isinstance(prompt, str)}


def progress(chapter_name: str | None = None) -> None:
    """Print the points of every chapter and the time that the rest takes, or those of one chapter.

    chapter_name: e.g. "02_sinusoidal"; its exercises are listed, and the questions answered right.
    Raises `UnknownName` for a chapter that does not exist.
    """
    print("\n".join(_course() if chapter_name is None else _chapter(chapter_name)))


def _course() -> list[str]:
    lines, every, left = [], [], 0.0
    for name in chapter_names():
        info, exercises = chapter(name)
        rest = _minutes_left(info.minutes, exercises)
        lines.append(f"{_line(_heading(name), exercises)}  {_time(rest)}")
        every, left = [*every, *exercises], left + rest
    total = f"{_line(TOTAL.label(), every)}  {_time(left)}"
    current = next((e.chapter for e in every if best_score(e) < e.points), chapter_names()[-1])
    return [total, "", *lines, "", str(MORE.format(name=current))]


def _chapter(name: str) -> list[str]:
    info, exercises = chapter(name)
    lines = [f"{_line(_heading(name), exercises)}  {_time(_minutes_left(info.minutes, exercises))}"]
    lines += [f"  {_line(f'{one.title.label()} [{one.id}]', [one])}" for one in exercises]
    quiz = name.lstrip("0123456789").removeprefix("_")
    if quiz in quiz_names():
        prompts = {question.prompt.en for question in questions(quiz)}
        right, total = len(prompts & right_prompts(quiz)), len(prompts)
        lines.append(f"  {_bar(right, total)}  {right} / {total}  {QUIZ.label()}")
    return lines


def _heading(name: str) -> str:
    number = name.partition("_")[0].lstrip("0") or "0"
    return f"{number} · {chapter(name)[0].title.label()}"


def _minutes_left(minutes: int, exercises: list[Exercise]) -> float:
    """Return what is left of a chapter's minutes: the text goes on as its exercises do."""
    planned = sum(one.minutes for one in exercises)
    earned = sum(one.minutes * best_score(one) / one.points for one in exercises)
    return minutes * (1 - earned / planned)


def _time(minutes: float) -> str:
    if minutes <= 0:
        return DONE.label()
    if minutes >= 300:
        return HOURS.format(left=round(minutes / 60)).label()
    return MINUTES.format(left=max(STEP, STEP * round(minutes / STEP))).label()


def _line(name: str, exercises: list[Exercise]) -> str:
    earned, points = sum(map(best_score, exercises)), sum(one.points for one in exercises)
    share = f"{earned:g} / {points:g}"
    return f"{_bar(earned, points)}  {share:>8} {POINTS.label()}  {name}"


def _bar(part: float, total: float) -> str:
    full = int(WIDTH * part / total) if total else 0  # full only when all is done
    return "█" * full + "░" * (WIDTH - full)
