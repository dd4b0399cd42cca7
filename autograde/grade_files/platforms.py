"""The columns in which each platform takes grades.

- Moodle, Grades, Import, CSV file: any columns, which a teacher maps; students by "ID number",
  comments by a column of feedback for each item. A cell that is empty or "-" gives no grade,
  one unknown student ends the whole import. By grade/import/csv/classes/load_data.php.
- Canvas, Gradebook, Import: these columns in this order, students by Canvas's own number
  (`lms_user_id` of the class list), else the SIS number or login; then a row with the points
  possible. An empty cell gives no grade. It takes no comments, but text in a column of the
  teacher's notes if the course shows one. By lib/gradebook_importer.rb.
- 学习通: its import wants the workbook that it gives out itself, with number, name, points and a
  comment; these columns are there to be pasted into it. No export of it was at hand to compare.

Excel reads UTF-8 by the mark at its beginning, and both importers that were read let it pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograde.grade_files.items import ChapterItems, Item
from autograde.teacher.full_name import full_name
from autograde.teacher.spreadsheet import ENCODING
from bilingual import Language, Text

Cell = str | float
Grades = Sequence[ChapterItems]


@dataclass(frozen=True)
class Student:
    """A student of the class list; lms_id: the platform's own number, where the list has it."""

    id: str
    last_name: str
    first_name: str
    email: str
    lms_id: str


def moodle(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for Moodle: the feedback stands behind each chapter."""
    header: list[Cell] = ["ID number", "First name", "Last name", "Email address"]
    for chapter in grades:
        header += [*(item.name for item in chapter.items), f"{chapter.chapter} feedback"]
    table = [header]
    for one in students:
        row: list[Cell] = [one.id, one.first_name, one.last_name, one.email]
        for chapter in grades:
            points = [_cell(item, one) for item in chapter.items]
            row += [*points, _remark([chapter], one, language)]
        table.append(row)
    return table


def canvas(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for Canvas, which takes no comments."""
    items = [item for chapter in grades for item in chapter.items]
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    table: list[list[Cell]] = [
        [*header, *(item.name for item in items)],
        ["    Points Possible", "", "", "", "", *(item.most for item in items)],
    ]
    for one in students:
        name = ", ".join(filter(None, (one.last_name, one.first_name))) or one.id
        table.append([name, one.lms_id, one.id, one.id, "", *(_cell(item, one) for item in items)])
    return table


def canvas_with_notes(
    students: Sequence[Student], grades: Grades, language: Language
) -> list[list[Cell]]:
    """Return the same with the teacher's notes, which stand before the points."""
    header, possible, *rows = canvas(students, grades, language)
    notes = [_remark(grades, one, language) for one in students]
    place = header.index("Section") + 1
    cells = ["Notes", "", *notes]
    return [
        [*row[:place], cell, *row[place:]]
        for row, cell in zip([header, possible, *rows], cells, strict=True)
    ]


def chaoxing(students: Sequence[Student], grades: Grades, language: Language) -> list[list[Cell]]:
    """Return the table for 学习通, in Chinese as its own are."""
    items = [item for chapter in grades for item in chapter.items]
    names = ["成绩"] if len(items) == 1 else [_chinese(item) for item in items]
    table: list[list[Cell]] = [["学号", "姓名", *names, "评语"]]
    for one in students:
        points = [_cell(item, one) for item in items]
        name = full_name(one.last_name, one.first_name)
        table.append([one.id, name, *points, _remark(grades, one, "zh")])
    return table


PLATFORMS: dict[str, Callable[[Sequence[Student], Grades, Language], list[list[Cell]]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "chaoxing": chaoxing,
}


def is_grade_file(beginning: bytes) -> bool:
    """Return whether a file's first row names what each such file of some platform has."""
    row = beginning.decode(ENCODING, "replace").partition("\n")[0]
    names = set(re.split("[,;\t]", row.strip()))
    return any(names.issuperset(columns((), (), "zh")[0]) for columns in PLATFORMS.values())


def _cell(item: Item, student: Student) -> Cell:
    points = item.points.get(student.id)
    return "" if points is None else points


def _remark(grades: Grades, student: Student, language: Language) -> str:
    """Return what is to be said of a student's work, with the chapter where there are several."""
    sentences = []
    for chapter in grades:
        remarks = [_sentence(one, language) for one in chapter.remarks.get(student.id, [])]
        if remarks:
            before = f"{chapter.chapter}: " if len(grades) > 1 else ""
            sentences.append(before + "; ".join(remarks))
    return " | ".join(sentences)


def _sentence(remark: Text, language: Language) -> str:
    return remark.in_language(language, separator=" · ")


def _chinese(item: Item) -> str:
    return item.name if item.title.zh in item.name else f"{item.title.zh}（{item.name}）"
