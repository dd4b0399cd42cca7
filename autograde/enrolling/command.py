"""`python -m autograde students`: its options, and what it does to the gradebook."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SQLAlchemyError

from autograde.collecting.class_list import ClassList, is_plain_id
from autograde.enrolling.class_list_file import (
    ENCODING,
    ClassListFile,
    read_class_list_file,
    wrong_row,
)
from autograde.enrolling.student_ids import nearly_same
from autograde.handed_in.escaped import escaped
from autograde.teacher.course_folder import choices, course_api
from autograde.teacher.course_times import unknown_extensions
from autograde.teacher.errors import CannotBegin, first_line
from autograde.teacher.full_name import full_name
from bilingual import Text, listed

FILE = Text(
    en="the class list, a CSV file with the columns id (or 学号) and, if there are any, "
    "first_name and last_name, or name (姓名), and email",
    zh="班级名单，CSV文件，须有学号（或id）一列，另可有姓名（或姓、名两列）、邮箱各列",
)
ENCODED = Text(
    en="how the file is encoded, if not in UTF-8: gb18030, cp1252, …",
    zh="文件的编码（若不是UTF-8）：gb18030、cp1252等",
)
DONE = Text(
    en="{path}: new in the gradebook: {new}, there before: {known}",
    zh="{path}：新增{new}名学生，{known}名原来就在成绩库里",
)
NAMES = ("last_name", "first_name")
RENAMED = Text(en="Names changed: {count}: {changes}", zh="改了{count}人的姓名：{changes}")
OTHERS = Text(
    en="In the gradebook but not in the file, and left there: {students}",
    zh="成绩库里有、文件里没有的学生，保持不动：{students}",
)
UNUSED = Text(en="Columns not used: {columns}", zh="没有用到的列：{columns}")
NAMESAKES = Text(
    en="Order, case and punctuation aside, these students have the same name or id: {students}. "
    "If a download gives no more than that, it is not clear whose file it is.",
    zh="不论先后、大小写和标点，这些学生的姓名或学号相同：{students}。"
    "文件名里只有这一项时，分不清是谁的文件。",
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


def enrol(folders: CourseDirectory, path: Path, class_list: ClassListFile) -> dict[str, str]:
    """Put the students into the gradebook, all or none; return the names that it had, by id.

    A field that the list leaves empty keeps what the gradebook has; the two parts of a name are
    one field. Raises `CannotBegin`, with the line of `path`, for an id too like another student's.
    """
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        before = {
            student.id: full_name(student.last_name or "", student.first_name or "")
            for student in gradebook.students
        }
        if doubt := nearly_same(class_list.students, before):
            student, why = doubt
            raise wrong_row(path, class_list.lines[student], why)
        for student, fields in class_list.students.items():
            filled = {field: value for field, value in fields.items() if value}
            if filled.keys() & {*NAMES}:
                filled = {**dict.fromkeys(NAMES), **filled}
            gradebook.db.merge(Student(id=student, **filled))
        gradebook.db.commit()
    return dict(sorted(before.items()))


def _renamed(students: Mapping[str, Mapping[str, str]], before: Mapping[str, str]) -> Iterator[str]:
    """Yield the old and the new name of each student who had another name before."""
    for student in students.keys() & before.keys():
        name = full_name(*(students[student].get(part, "") for part in NAMES))
        if name and before[student] not in ("", name):
            yield escaped(f"{student} {before[student]} → {name}")


def namesakes(folders: CourseDirectory) -> Iterator[Text]:
    """Yield a sentence on students of the gradebook whom `collect` cannot tell apart by a name."""
    with Gradebook(folders.db_url, folders.course_id) as gradebook:
        plain = [one for one in gradebook.students if is_plain_id(one.id)]
        names = {one.id: (one.first_name or "", one.last_name or "") for one in plain}
    groups = {those for those in ClassList(names).students.values() if len(those) > 1}
    for students in sorted(map(sorted, groups)):
        those = (f"{one} {full_name(*reversed(names[one]))}".rstrip() for one in students)
        yield NAMESAKES.format(students=listed(map(escaped, those)))


def _run(options: argparse.Namespace) -> None:
    folders = course_api(Path.cwd()).coursedir
    class_list = read_class_list_file(options.file, options.encoding)
    try:
        before = enrol(folders, options.file, class_list)
    except SQLAlchemyError as error:
        raise CannotBegin(NOT_SAVED.format(why=first_line(error))) from error
    students = class_list.students
    earlier = students.keys() & before
    print(DONE.format(path=options.file, new=len(students) - len(earlier), known=len(earlier)))
    if renamed := sorted(_renamed(students, before)):
        print(RENAMED.format(count=len(renamed), changes=listed(renamed)))
    if class_list.unused:
        print(UNUSED.format(columns=listed(map(escaped, class_list.unused))))
    if others := [one for one in before if one not in students]:
        print(OTHERS.format(students=listed(map(escaped, others))))
    for line in namesakes(folders):
        print(line)
    for problem in unknown_extensions(choices(Path.cwd()), [*before, *students]):
        print(problem)
