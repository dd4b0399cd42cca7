"""What is shown while a class is graded, and at the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from math import ceil, isclose
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text as RichText

from autograde.grading.class_grading import ClassGrading, Graded, Graders
from autograde.grading.notices import above_most, not_as_chosen, without_name
from autograde.grading.regrade import Points, points
from autograde.handed_in.problem import problem_line
from autograde.teacher.course_folder import course_api, settings_of
from autograde.teacher.late_words import changed_penalties
from autograde.teacher.penalties import renew
from bilingual import Text, listed

CHANGED = Text(en="Points changed for {count}:", zh="{count}份得分有变化：")
COUNTED = Text(
    en=" (after the late penalty {before:g} → {after:g})",
    zh="（扣除迟交分后{before:g} → {after:g}）",
)
UNCHANGED = Text(en="No points changed.", zh="得分都没有变化。")
NEW_INPUTS = Text(
    en="New inputs for what was handed in since the last grading: {students}",
    zh="上次评分之后新交的，输入已重新抽取：{students}",
)
OUTDATED = Text(
    en="Regraded with the same inputs, because point values have changed: {students}",
    zh="分值有改动，已用同样的输入重新评分：{students}",
)
GRADER_FAILED = Text(
    en="The grader failed, not the submission: {students}. What was graded before stands. Run the "
    "same command again; if it fails again, run `python -m autograde doctor --teacher`.",
    zh="出错的是评分程序，不是提交：{students}。此前的评分不变。请再次运行同一条命令；"
    "若仍出错，请运行`python -m autograde doctor --teacher`。",
)
DONE = Text(
    en="{graded} graded, {skipped} skipped as graded before, {failed} could not be graded.",
    zh="本次评了{graded}份；此前评过、跳过{skipped}份；无法评分{failed}份。",
)


class PaceColumn(TextColumn):
    """Submissions per second since the start, and the time left at this pace.

    rich computes these from the last seconds, in which several may end at once, or none.
    """

    def __init__(self) -> None:
        """Start with no text."""
        super().__init__("")

    def render(self, task: Task) -> RichText:
        """Return the time left and the pace, once a submission is graded."""
        if not task.completed or not task.elapsed:
            return RichText("-:--:--")
        left = timedelta(seconds=ceil(task.remaining * task.elapsed / task.completed))
        return RichText(f"{left} {task.completed / task.elapsed:.2f}/s")


def grade(
    root: Path,
    chapter: str,
    console: Console,
    executor: Graders,
    *,
    students: Sequence[str] = (),
    again: bool = False,
    repeat: bool = False,
) -> bool:
    """Grade the waiting submissions; print a summary; return whether all could be graded.

    executor: runs the grading. students: only these; empty: all. again: also regrade, with new
    inputs. repeat: also regrade, with the previous inputs if the submission is unchanged.
    Raises `CannotBegin` when there is nothing to grade.
    """
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), PaceColumn(),
    )  # fmt: skip
    api = course_api(root)
    grading = ClassGrading(api, chapter, only=students, again=again, repeat=repeat)
    worth = grading.journal.points
    before = points(api, chapter, worth) if again or repeat or grading.outdated else {}
    _print(console, not_as_chosen(grading.record, settings_of(api.config), chapter))
    each = grading.grade(executor, grading.waiting)
    with Progress(*columns, console=console) as progress:
        total = len(grading.waiting)
        results = list(progress.track(each, total, description=f"grade {chapter}"))
    penalties = renew(api, chapter)  # also of submissions graded before
    lines = _summary(grading, results, repeat=repeat)
    if before and any(one.success for one in results):
        after = points(api, chapter, worth)
        lines += _changed(before, after)
        # nbgrader renewed the penalties of those who were graded again
        both = {one: (before[one].penalty, after[one].penalty) for one in before}
        penalties = {one: two for one, two in both.items() if not isclose(*two, abs_tol=1e-6)}
    lines += changed_penalties(chapter, penalties)
    with api.gradebook as gradebook:
        lines += above_most(gradebook, chapter)
        lines += without_name(gradebook, grading.submitted)
    _print(console, lines)
    return all(one.success for one in results)


def _print(console: Console, lines: Sequence[str]) -> None:
    if lines:
        console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _summary(grading: ClassGrading, results: Sequence[Graded], *, repeat: bool) -> list[str]:
    graded = sorted(one.student for one in results if one.success)
    failed = [one for one in results if not one.success]
    skipped = len(grading.submitted) - len(grading.waiting)
    summary = DONE.format(graded=len(graded), skipped=skipped, failed=len(failed))
    lines = [str(summary), *(_why(one, grading) for one in failed)]
    blameless = [one.student for one in failed if one.graders_fault]
    if blameless:
        lines.append(str(GRADER_FAILED.format(students=listed(blameless))))
    new_inputs = [student for student in graded if student not in grading.seeds]
    if repeat and new_inputs:
        lines.append(str(NEW_INPUTS.format(students=listed(new_inputs))))
    same_inputs = [student for student in graded if student in grading.seeds]
    if same_inputs and not repeat:
        lines.append(str(OUTDATED.format(students=listed(same_inputs))))
    return lines


def _why(failed: Graded, grading: ClassGrading) -> str:
    submitted = grading.submitted[failed.student] / f"{grading.chapter}.ipynb"
    return f"  {failed.student}: {problem_line(submitted, failed.log).label()} ({failed.log})"


def _changed(before: dict[str, Points], after: dict[str, Points]) -> list[str]:
    both = [(student, before[student], after[student]) for student in sorted(before)]
    lines = [
        f"  {student}: {old.score:g} / {old.most:g} → {new.score:g} / {new.most:g}"
        f"{_counted(old, new)}"
        for student, old, new in both
        if not isclose(old.score, new.score, abs_tol=1e-9)
    ]
    return [str(CHANGED.format(count=len(lines))), *lines] if lines else [str(UNCHANGED)]


def _counted(old: Points, new: Points) -> str:
    if not (old.penalty or new.penalty):
        return ""
    counted = {"before": old.score - old.penalty, "after": new.score - new.penalty}
    return str(COUNTED.format(**counted))
