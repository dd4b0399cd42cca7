"""The columns that each platform imports.

- Moodle, Grades, Import, CSV file: any columns, which a teacher maps; students by "ID number",
  comments by a column of feedback for each item. An empty cell or "-" gives no grade; one unknown
  student stops the whole import. Source: grade/import/csv/classes/load_data.php.
- Canvas, Gradebook, Import: these columns in this order, students by Canvas's own number
  (`lms_user_id` of the class list), else the SIS number or login; then a row with the points
  possible. An empty cell gives no grade. It takes no comments, but text in a column of the
  teacher's notes if the course shows one. Source: lib/gradebook_importer.rb.
- 学习通: imports only the workbook that it generates itself, with number, name, points and a
  comment; a teacher pastes these columns into it. We had no such workbook to compare.

Excel recognises UTF-8 by the byte order mark; both importers that we read accept it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograde.grade_files.items import ChapterItems, Item
from autograde.teacher.full_name import full_name
from autograde.teacher.spreadsheet import ENCODING
from bilingual import Language, Text

MOODLE = ("ID number", "First name", "Last name", "Email address")
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CHAOXING = ("学号", "姓名")
# Canvas's own export has totals, and each assignment's number after its name
OWN_ROW = re.compile(
    rf"{','.join(MOODLE)},.+ feedback|{','.join(CHAOXING)},.+,评语"
    rf"|{','.join(CANVAS)},(?!.*( \(\d+\)|Final Score)).+"
)

Cell = str | float
Grades = Sequence[ChapterItems]


@dataclass(frozen=True)
class Student:
    """A student of the class list; lms_id: the platform's own number, if the list has it."""

    id: str
    last_name: str
    first_name: str
    email: str
    lms_id: str


def moodle(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for Moodle: each chapter's feedback follows its points."""
    header: list[Cell] = [*MOODLE]
    for chapter in grades:
        header += [*(item.name for item in chapter.items), f"{chapter.chapter} feedback"]
    table = [header]
    for student in students:
        row: list[Cell] = [student.id, student.first_name, student.last_name, student.email]
        for chapter in grades:
            points = [_cell(item, student) for item in chapter.items]
            row += [*points, _remark([chapter], student, language)]
        table.append(row)
    return table


def canvas(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for Canvas, which takes no comments."""
    items = [item for chapter in grades for item in chapter.items]
    table: list[list[Cell]] = [
        [*CANVAS, *(item.name for item in items)],
        ["    Points Possible", "", "", "", "", *(item.most for item in items)],
    ]
    for student in students:
        name = ", ".join(filter(None, (student.last_name, student.first_name))) or student.id
        table.append(
            [
                name,
                student.lms_id,
                student.id,
                student.id,
                "",
                *(_cell(item, student) for item in items),
            ]
        )
    return table


def canvas_with_notes(
    students: Sequence[Student], grades: Grades, language: Language
) -> list[list[Cell]]:
    """Return the table for Canvas with the teacher's notes in a column before the points."""
    header, possible, *rows = canvas(students, grades, language)
    notes = [_remark(grades, one, language) for one in students]
    index = header.index("Section") + 1
    cells = ["Notes", "", *notes]
    return [
        [*row[:index], cell, *row[index:]]
        for row, cell in zip([header, possible, *rows], cells, strict=True)
    ]


def chaoxing(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for 学习通, in Chinese as its own are."""
    items = [item for chapter in grades for item in chapter.items]
    names = ["成绩"] if len(items) == 1 else [_chinese(item) for item in items]
    table: list[list[Cell]] = [[*CHAOXING, *names, "评语"]]
    for student in students:
        points = [_cell(item, student) for item in items]
        name = full_name(student.last_name, student.first_name)
        table.append([student.id, name, *points, _remark(grades, student, "zh")])
    return table


GRADE_TABLES: dict[str, Callable[[Sequence[Student], Grades, Language], list[list[Cell]]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "chaoxing": chaoxing,
}


def is_grade_file(beginning: bytes) -> bool:
    """Return whether a file's first row is one that we write, not one of a platform's export."""
    row = beginning.decode(ENCODING, "replace").partition("\n")[0]
    return bool(OWN_ROW.fullmatch(re.sub("[;\t]", ",", row.strip())))


def _cell(item: Item, student: Student) -> Cell:
    points = item.points.get(student.id)
    return "" if points is None else points


def _remark(grades: Grades, student: Student, language: Language) -> str:
    """Return the remarks on a student's work, with the chapter's name if there are several."""
    sentences = []
    for chapter in grades:
        remarks = [_sentence(one, language) for one in chapter.remarks.get(student.id, [])]
        if remarks:
            before = f"{chapter.chapter}: " if len(grades) > 1 else ""
            separator = "; " if language == "en" else "；"
            sentences.append(before + separator.join(remarks))
    return " | ".join(sentences)


def _sentence(remark: Text, language: Language) -> str:
    return remark.in_language(language, separator=" · ")


def _chinese(item: Item) -> str:
    return item.name if item.title.zh in item.name else f"{item.title.zh}（{item.name}）"
