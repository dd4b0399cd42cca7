"""`python -m autograde grades`: its options, and the file that it writes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from autograde.grade_files.items import ChapterItems, chapter_items
from autograde.grade_files.platforms import GRADE_TABLES, Student, canvas_with_notes, is_grade_file
from autograde.register.read_register import read_register
from autograde.teacher.course_folder import choices, open_course, reader_language
from autograde.teacher.errors import CannotBegin
from autograde.teacher.output_file import write_output
from autograde.teacher.penalties import renew_and_print
from autograde.teacher.spreadsheet import ENCODING, write_csv
from bilingual import LANGUAGES, Language, Text

CHAPTERS = Text(en="the chapters, e.g. 02_sinusoidal", zh="章节，例如02_sinusoidal")
PLATFORM = Text(
    en="the platform that imports the file: {platforms} (学习通)",
    zh="由哪个平台导入：{platforms}（学习通）",
)
EXERCISES = Text(
    en="one column for each exercise, not one for each chapter",
    zh="每道题一列，而不是每章一列",
)
NOTES = Text(
    en="Canvas: say in the column Notes why there is no grade (turn that column on in the "
    "gradebook first: else Canvas takes it for an assignment)",
    zh="Canvas：在Notes列写明为什么没有成绩（请先在成绩簿中显示该列，否则Canvas会当成一项作业）",
)
NOTES_OF_CANVAS = Text(en="--notes is for Canvas alone.", zh="--notes只用于Canvas。")
OUT = Text(en="the file to write (grades-PLATFORM.csv)", zh="写入的文件（grades-PLATFORM.csv）")
LANGUAGE = Text(en="the language of comments", zh="评语的语言")

NOT_GRADED = Text(
    en="Nobody has points in {chapter}, so nothing was written: its cells would all be empty. "
    "Grade it first, or leave it out.",
    zh="{chapter}还没有任何人得分，因此没有写入：写出来全是空单元格。请先评分，或不列出这一章。",
)
WRITTEN = Text(
    en="{path}: students {students}, columns of points {items}",
    zh="{path}：{students}名学生，{items}列分数",
)
NO_POINTS = Text(
    en="{chapter}: no points for {count}, whose cells are empty:",
    zh="{chapter}：{count}名学生没有分数，单元格留空：",
)
NOT_WHOLE = Text(
    en="{chapter}: students whose answers wait for you: {count}; those points are not in the file.",
    zh="{chapter}：{count}名学生有回答等你评分，这些分数不在文件里。",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `grades`."""
    command.add_argument("chapters", metavar="CHAPTER", nargs="+", help=CHAPTERS.label())
    about = PLATFORM.format(platforms=", ".join(GRADE_TABLES)).label()
    command.add_argument("--platform", choices=GRADE_TABLES, required=True, help=about)
    command.add_argument("--exercises", action="store_true", help=EXERCISES.label())
    command.add_argument("--notes", action="store_true", help=NOTES.label())
    command.add_argument("--out", type=Path, help=OUT.label())
    command.add_argument("--language", choices=LANGUAGES, help=LANGUAGE.label())
    command.set_defaults(run=_run)


def read_grades(
    folder: Path, chapters: list[str], *, exercises: bool
) -> tuple[list[Student], list[ChapterItems]]:
    """Return the class list and the grades of the course in `folder`. Raises `CannotBegin`."""
    grades = []
    for chapter in dict.fromkeys(chapters):
        api = open_course(folder, chapter)
        renew_and_print(api, chapter)
        grades.append(chapter_items(read_register(api, chapter), exercises=exercises))
    with api.gradebook as gradebook:
        students = [
            Student(
                student.id,
                student.last_name or "",
                student.first_name or "",
                student.email or "",
                student.lms_user_id or "",
            )
            for student in gradebook.students
        ]
    return sorted(students, key=lambda one: one.id), grades


def write_grades(
    folder: Path,
    chapters: list[str],
    platform: str,
    path: Path,
    reader: Language,
    *,
    exercises: bool = False,
    notes: bool = False,
) -> tuple[list[Student], list[ChapterItems]]:
    """Write the file, and return its students and grades. Raises `CannotBegin`."""
    if notes and platform != "canvas":
        raise CannotBegin(NOTES_OF_CANVAS)
    students, grades = read_grades(folder, chapters, exercises=exercises)
    for chapter in grades:
        if all(chapter.has_none(one.id) for one in students):
            raise CannotBegin(NOT_GRADED.format(chapter=chapter.chapter))
    table = (canvas_with_notes if notes else GRADE_TABLES[platform])(students, grades, reader)
    write_output(path, write_csv(table).encode(ENCODING), is_grade_file)
    return students, grades


def _run(options: argparse.Namespace) -> None:
    folder = Path.cwd()
    path = options.out or Path(f"grades-{options.platform}.csv")
    students, grades = write_grades(
        folder,
        options.chapters,
        options.platform,
        path,
        options.language or reader_language(choices(folder)),
        exercises=options.exercises,
        notes=options.notes,
    )
    columns = sum(len(chapter.items) for chapter in grades)
    print(WRITTEN.format(path=path, students=len(students), items=columns))
    for chapter in grades:
        for line in _open_lines(students, chapter):
            print(line)


def _open_lines(students: list[Student], chapter: ChapterItems) -> Iterator[str]:
    """Yield lines on students without points, with ungraded answers, or with outdated points."""
    none = [one.id for one in students if chapter.has_none(one.id)]
    if none:
        yield str(NO_POINTS.format(chapter=chapter.chapter, count=len(none)))
    for student in none:
        reasons = (one.label() for one in chapter.remarks.get(student, ()))
        yield f"  {student}  {'; '.join(reasons)}"
    if chapter.waiting:
        yield str(NOT_WHOLE.format(chapter=chapter.chapter, count=len(chapter.waiting)))
    if chapter.again:
        yield str(chapter.again)
