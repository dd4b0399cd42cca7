"""`python -m autograde students`: its options, and what it does to the gradebook."""

from __future__ import annotations

import argparse
from pathlib import Path

from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SQLAlchemyError

from autograde.enrolling.class_list_file import ENCODING, read_class_list_file
from autograde.teacher.course_folder import choices, course_api
from autograde.teacher.course_times import unknown_extensions
from autograde.teacher.errors import CannotBegin, first_line
from bilingual import Text, listed

FILE = Text(
    en="the class list, a CSV file with the columns id (or 学号) and, if there are any, "
    "first_name, last_name (or 姓名), email",
    zh="班级名单，CSV文件，须有id（或学号）一列，另可有first_name、last_name（或姓名）、email各列",
)
ENCODED = Text(
    en="how the file is encoded, if not in UTF-8: gb18030, cp1252, …",
    zh="文件的编码（若不是UTF-8）：gb18030、cp1252等",
)
DONE = Text(
    en="{path}: new in the gradebook: {new}, there before: {known}",
    zh="{path}：新增{new}名学生，{known}名原来就在成绩库里",
)
OTHERS = Text(
    en="In the gradebook but not in the file, and left there: {students}",
    zh="成绩库里有、文件里没有的学生，保持不动：{students}",
)
NOT_SAVED = Text(
    en="The gradebook cannot be written, and is as it was: {why}.",
    zh="成绩库无法写入，保持原样：{why}。",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `students`."""
    command.add_argument("file", type=Path, help=FILE.label())
    command.add_argument("--encoding", default=ENCODING, help=ENCODED.label())
    command.set_defaults(run=_run)


def enrol(course: CourseDirectory, students: dict[str, dict[str, str]]) -> list[str]:
    """Put the students into the gradebook, all or none; return who was there before, sorted.

    A field that the list leaves empty keeps what the gradebook has.
    """
    with Gradebook(course.db_url, course.course_id) as gradebook:
        before = sorted(one.id for one in gradebook.students)
        for student, fields in students.items():
            filled = {field: value for field, value in fields.items() if value}
            gradebook.db.merge(Student(id=student, **filled))
        gradebook.db.commit()
    return before


def _run(options: argparse.Namespace) -> None:
    course = course_api(Path.cwd()).coursedir
    students = read_class_list_file(options.file, options.encoding)
    try:
        before = enrol(course, students)
    except SQLAlchemyError as error:
        raise CannotBegin(NOT_SAVED.format(why=first_line(error))) from error
    earlier = students.keys() & before
    print(DONE.format(path=options.file, new=len(students) - len(earlier), known=len(earlier)))
    if others := [one for one in before if one not in students]:
        print(OTHERS.format(students=listed(map(ascii, others))))
    for problem in unknown_extensions(choices(Path.cwd()), [*before, *students]):
        print(problem)
