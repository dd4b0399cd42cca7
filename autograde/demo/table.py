"""The table of students and exercises that a teacher reads, and what its letters stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rich.table import Table

from autograde.grading.diagnosis import UNSOLVED
from autograde.kit.catalogue import exercise, exercise_ids
from autograde.pages.marks import SIGNS, WORDS, letter_of
from autograde.register.results import Result, SubmissionResult
from autograde.teacher.questions import HandGradedQuestion
from bilingual import Text

BLANK = "·"  # not solved

TITLE = Text(
    en="{chapter}: points. {blank} not solved; letters: see below",
    zh="{chapter}：得分。{blank} 未作答；字母见下文",
)
STUDENT = Text(en="student", zh="学生")
HOURS = Text(en="{hours:.1f} h late", zh="迟交{hours:.1f}小时")

Letters = dict[tuple[str, str | None], str]


def grade_table(chapter: str, submissions: list[SubmissionResult]) -> Table:
    """Return the table; a letter after the points stands for a diagnosis."""
    letters = name_letters(submissions)
    names = exercises(submissions)
    title = TITLE.format(chapter=chapter, blank=BLANK)
    table = Table(title=str(title), title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column(STUDENT.label(), no_wrap=True)
    for number, _ in enumerate(names, start=1):
        table.add_column(str(number), min_width=4)  # narrow: the letter goes below the points
    most = max((one.max_score for one in submissions), default=0.0)
    table.add_column(f"/ {most:g}", justify="right", no_wrap=True)
    for submission in submissions:
        marks = [_mark(result, letters) for result in submission.results] or ["–"] * len(names)
        student = submission.student + ("*" if submission.seconds_late else "")
        table.add_row(student, *marks, f"{submission.score:g}")
    return table


def legend(
    submissions: list[SubmissionResult], questions: Mapping[str, HandGradedQuestion]
) -> list[str]:
    """Return what the marks of the table stand for, line by line."""
    letters = name_letters(submissions)
    results = [result for one in submissions for result in one.results]
    counts = Counter((result.exercise, result.diagnosis) for result in results)
    sentences = {(result.exercise, result.diagnosis): result.sentence for result in results}
    lines = _notes(submissions)
    for number, name in enumerate(exercises(submissions), start=1):
        title = (exercise(name) if name in exercise_ids() else questions[name]).title
        lines += ["", f"{number}  {name}  {title.label()}"]
        for key, letter in letters.items():
            if key[0] == name:
                lines += _explained(letter, str(key[1]), counts[key], sentences[key])
    return lines


def _notes(submissions: list[SubmissionResult]) -> list[str]:
    late = [one for one in submissions if one.seconds_late]
    notes = [(f"* {one.student}", HOURS.format(hours=one.seconds_late / 3600)) for one in late]
    notes += [(f"– {one.student}", one.problem) for one in submissions if one.problem]
    if any(result.has_no_points_yet for one in submissions for result in one.results):
        notes.append((SIGNS["waiting"], WORDS["waiting"]))
    return [f"{who}: {text.label()}" for who, text in notes]


def exercises(submissions: list[SubmissionResult]) -> list[str]:
    """Return the ids of the exercises in the order of the notebook."""
    graded = next((one for one in submissions if one.results), None)
    return [result.exercise for result in graded.results] if graded else []


def name_letters(submissions: list[SubmissionResult]) -> Letters:
    """Return a letter for each diagnosis of each exercise, the most frequent first."""
    counts = Counter(
        (result.exercise, result.diagnosis)
        for submission in submissions
        for result in submission.results
        if result.diagnosis not in (None, UNSOLVED)
    )
    letters: Letters = {}
    for name in exercises(submissions):
        keys = [key for key, _ in counts.most_common() if key[0] == name]
        letters |= {key: letter_of(index) for index, key in enumerate(keys)}
    return letters


def _mark(result: Result, letters: Letters) -> str:
    if result.has_no_points_yet:
        return SIGNS["waiting"]
    if result.diagnosis == UNSOLVED:
        return f"{result.score:g} {BLANK}"
    return f"{result.score:g} {letters.get((result.exercise, result.diagnosis), '')}".rstrip()


def _explained(letter: str, name: str, count: int, sentence: Text | None) -> list[str]:
    lines = str(sentence).split("\n") if sentence else []
    heading = f"   {letter}  {name}  ×{count}"
    return [heading, *(f"      {line}" for line in lines)]
