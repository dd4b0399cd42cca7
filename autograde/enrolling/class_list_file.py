"""A class list as a spreadsheet or a platform saves it: CSV, its columns found by their names."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from autograde.collecting.class_list import PLAIN, is_plain_id
from autograde.teacher.errors import CannotBegin
from bilingual import Text, listed

ENCODING = "utf-8-sig"  # UTF-8, with the mark that Excel puts before it or without
SEPARATORS = (",", ";", "\t")  # Excel writes ; where a comma stands in numbers
COLUMNS = {  # the gradebook's name: what the first row may call it, in any case
    "id": ("id", "id number", "student id", "student_id", "学号"),
    "last_name": ("last_name", "last name", "surname", "姓", "姓名"),
    "first_name": ("first_name", "first name", "名"),
    "email": ("email", "email address", "邮箱", "电子邮箱"),
    "lms_user_id": ("lms_user_id",),
}
ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)  # 2.0260001E+11

NOT_READ = Text(en="{path} cannot be read: {why}.", zh="{path}无法读取：{why}。")
NOT_DECODED = Text(
    en="{path} is not {encoding}. Save it as CSV UTF-8, or say how it is encoded: --encoding "
    "gb18030 for what Excel saves in China, --encoding cp1252 in Western Europe.",
    zh="{path}不是{encoding}编码。请另存为“CSV UTF-8”，或说明它的编码：国内的Excel存成的用"
    "--encoding gb18030，西欧的用--encoding cp1252。",
)
NO_COLUMN = Text(
    en="The first row of {path} has no column of student ids (id or 学号), only: {columns}.",
    zh="{path}的第一行没有学号一列（id或学号），只有：{columns}。",
)
TWO_COLUMNS = Text(
    en="Two columns of {path} are both {field}: {columns}.",
    zh="{path}有两列都是{field}：{columns}。",
)
NOBODY = Text(en="{path} has no students.", zh="{path}里没有学生。")
WRONG_ROW = Text(en="{path}, line {line}: {why}", zh="{path}第{line}行：{why}")
NOT_CSV = Text(
    en="this is not CSV ({why}): is a quotation mark left open?",
    zh="这里不是CSV（{why}）：是不是引号没有配对？",
)
NO_ID = Text(en="there is no student id.", zh="没有学号。")
ODD_ID = Text(en="a student id is {plain}, not {id}.", zh="学号{plain}，不能是{id}。")
ROUNDED_ID = Text(
    en="a spreadsheet has rounded the student id to {id}: format that column as text.",
    zh="表格软件把学号四舍五入成了{id}：请把这一列的格式设为文本，再重新填写。",
)
TWICE = Text(
    en="{id} is on line {first} as well.",
    zh="{id}在第{first}行已经有了。",
)


def read_class_list_file(path: Path, encoding: str = ENCODING) -> dict[str, dict[str, str]]:
    """Return the columns of each student by id, under the gradebook's names; others are left out.

    Empty rows are skipped. Raises `CannotBegin`, with the line, for what is not a class list.
    """
    try:
        text = path.read_text(encoding=encoding)
    except (UnicodeError, LookupError) as error:
        name = encoding.upper().removesuffix("-SIG")
        raise CannotBegin(NOT_DECODED.format(path=path, encoding=name)) from error
    except OSError as error:
        raise CannotBegin(NOT_READ.format(path=path, why=error.strerror)) from error
    header = text.partition("\n")[0]
    separator = max(SEPARATORS, key=header.count)
    rows = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        return _students(path, rows)
    except csv.Error as error:
        why = NOT_CSV.format(why=error)
        raise CannotBegin(WRONG_ROW.format(path=path, line=rows.line_num, why=why)) from error


def _students(path: Path, rows: Any) -> dict[str, dict[str, str]]:
    """Return the students in the rows of a `csv.reader`, the first of which names the columns."""
    columns = _columns(path, next(rows, []))
    students: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        fields = {field: row[at].strip() if at < len(row) else "" for field, at in columns.items()}
        student = fields.pop("id")
        if why := _wrong(student, lines):
            raise CannotBegin(WRONG_ROW.format(path=path, line=rows.line_num, why=why))
        students[student], lines[student] = fields, rows.line_num
    if not students:
        raise CannotBegin(NOBODY.format(path=path))
    return students


def _columns(path: Path, header: list[str]) -> dict[str, int]:
    """Return where each column that the gradebook has stands."""
    names = [cell.strip().casefold() for cell in header]
    columns = {}
    for field, titles in COLUMNS.items():
        places = [at for at, name in enumerate(names) if name in titles]
        if len(places) > 1:
            both = listed(header[at].strip() for at in places)
            raise CannotBegin(TWO_COLUMNS.format(path=path, field=field, columns=both))
        if places:
            columns[field] = places[0]
    if "id" not in columns:
        there = listed(list(map(ascii, filter(None, names))) or ["–"])
        raise CannotBegin(NO_COLUMN.format(path=path, columns=there))
    return columns


def _wrong(student: str, lines: dict[str, int]) -> Text | None:
    """Return what is wrong with a student id; `lines` has those before it."""
    if not student:
        return NO_ID
    if ROUNDED.fullmatch(student):
        return ROUNDED_ID.format(id=student)
    if not is_plain_id(student):
        return ODD_ID.format(plain=PLAIN, id=ascii(student))
    if student in lines:
        return TWICE.format(id=student, first=lines[student])
    return None
