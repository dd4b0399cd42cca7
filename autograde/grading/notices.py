"""Notices for a teacher who grades a class: one line each, no line if there is nothing to say."""

from __future__ import annotations

from collections.abc import Collection

from nbgrader.api import Gradebook

from autograde.grading.record import Record
from autograde.kit.catalogue import exercise_ids, exercises_of, listed_exercise
from autograde.teacher.settings import CourseSettings
from bilingual import Text, listed

NOT_RELEASED = Text(
    en="course.toml differs from what was released: {those}. Grading goes by what was released: "
    "run `nbgrader generate_assignment {chapter} --force`, then grade again.",
    zh="course.toml与已发布的不一致：{those}。评分按已发布的进行：请先运行"
    "`nbgrader generate_assignment {chapter} --force`，再评一次。",
)
ABOVE_MOST = Text(
    en="Points by hand above what the exercise is worth now (look at them: python -m autograde "
    "by-hand {chapter}): {those}",
    zh="人工给的分超过了现在的分值（请再看一眼：python -m autograde by-hand {chapter}）：{those}",
)
WITHOUT_NAME = Text(
    en="Not on the class list, or there without a name: {those}. Add them to the class list. To "
    "take out a student: nbgrader db student remove ID --force, then delete submitted/ID, "
    "autograded/ID and feedback/ID.",
    zh="不在班级名单上，或名单里没有姓名：{those}。请补进班级名单；不该有的，请运行"
    "nbgrader db student remove ID --force，再删掉submitted/ID、autograded/ID和feedback/ID。",
)


def not_as_chosen(record: Record, settings: CourseSettings, chapter: str) -> list[str]:
    """Return where course.toml differs from what was released: "shaw_rows 2 → 5"."""
    ids = exercise_ids()
    released = {name: points for name, points in record.points.items() if name in ids}
    taught = {*released, *exercises_of(chapter)} - settings.left_out
    in_file = {name: settings.points.get(name, listed_exercise(name).points) for name in taught}
    names = sorted(released.keys() | in_file.keys())
    pairs = [(name, released.get(name), in_file.get(name)) for name in names]
    differences = [
        f"{name} {_as_set(old)} → {_as_set(new)}" for name, old, new in pairs if old != new
    ]
    return _line(NOT_RELEASED, differences, chapter)


def above_most(gradebook: Gradebook, chapter: str) -> list[str]:
    """Return the points by hand that exceed an exercise's own: "ada shaw_rows 3 / 2"."""
    grades = [
        f"{submission.student.id} {grade.name} {grade.manual_score:g} / {grade.max_score:g}"
        for submission in gradebook.notebook_submissions(chapter, chapter)
        for grade in submission.grades
        if grade.manual_score is not None and grade.manual_score > grade.max_score
    ]
    return _line(ABOVE_MOST, grades, chapter)


def without_name(gradebook: Gradebook, students: Collection[str]) -> list[str]:
    """Return which of these students have no name in the gradebook: grading adds ids only.

    Nobody if no student has a name: then the class list holds only ids, or does not exist.
    """
    class_list = {one.id for one in gradebook.students if one.first_name or one.last_name}
    return _line(WITHOUT_NAME, sorted(set(students) - class_list) if class_list else [])


def _as_set(points: float | None) -> str:
    return "false" if points is None else f"{points:g}"


def _line(notice: Text, those: Collection[str], chapter: str = "") -> list[str]:
    return [str(notice.format(those=listed(those), chapter=chapter))] if those else []
