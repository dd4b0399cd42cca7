"""The text of a chapter before an answer cell: the exercise's task and points."""

from __future__ import annotations

from autograde.kit.exercise import Exercise
from bilingual import Text


def task(exercise: Exercise, *, hint: bool) -> Text:
    """Return the task as Markdown; hint: whether to add how to call `hint`."""
    dots = "●" * exercise.difficulty + "○" * (5 - exercise.difficulty)
    code = f"```python\n{exercise.signature}\n```"
    points = worth(exercise.points)
    stuck = Text(
        en=f'\n\nStuck? Run `hint("{exercise.id}")` in a new cell.',
        zh=f'\n\n卡住了？新建一个单元格，运行`hint("{exercise.id}")`。',
    )
    return Text(
        en=f"### Exercise: {exercise.title.en}\n\n"
        f"`{exercise.id}` · difficulty {dots} · {exercise.minutes} min · {points.en}\n\n"
        f"{exercise.task.en}\n\n{code}{stuck.en if hint else ''}",
        zh=f"### 练习：{exercise.title.zh}\n\n"
        f"`{exercise.id}` · 难度 {dots} · {exercise.minutes}分钟 · {points.zh}\n\n"
        f"{exercise.task.zh}\n\n{code}{stuck.zh if hint else ''}",
    )


def worth(points: float) -> Text:
    """Return points in words, such as "2 points", the end of a task's second line."""
    return Text(en=f"{points:g} point{'' if points == 1 else 's'}", zh=f"{points:g}分")
