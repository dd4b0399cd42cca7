"""A class list as a spreadsheet or a platform saves it: CSV, its columns found by their names."""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from autograde.enrolling.student_ids import wrong_id
from autograde.handed_in.escaped import escaped
from autograde.teacher.errors import CannotBegin
from bilingual import Text, listed

ENCODING = "utf-8-sig"  # UTF-8, with or without Excel's byte order mark
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # Excel's “Unicode text” begins with one
SEPARATORS = (",", ";", "\t", "|", "，", "；")  # Excel writes ; if the decimal mark is a comma
TITLE_ROWS = 5  # one of these has the names of the columns, perhaps below a title
COLUMNS = {  # the gradebook's name: what a row may call it, in any case
    "id": ("id", "id number", "student id", "student_id", "学号"),
    "last_name": ("last_name", "last name", "surname", "姓"),
    "first_name": ("first_name", "first name", "名"),
    "email": ("email", "email address", "邮箱", "电子邮箱"),
    "lms_user_id": ("lms_user_id",),
}
ROW_SHOWN = 200  # characters
WHOLE_NAME = ("name", "full name", "姓名")  # the last name, if neither part has a column

NOT_READ = Text(en="{path} cannot be read: {why}.", zh="{path}无法读取：{why}。")
NOT_DECODED = Text(
    en="{path} is not {encoding}. Save it as CSV UTF-8, or say how it is encoded: --encoding "
    "gb18030 for what Excel saves in China, --encoding cp1252 in Western Europe.",
    zh="{path}不是{encoding}编码。请另存为“CSV UTF-8”，或说明它的编码：国内的Excel存成的用"
    "--encoding gb18030，西欧的用--encoding cp1252。",
)
NO_ENCODING = Text(
    en="There is no encoding {encoding}: --encoding gb18030 is for what Excel saves in China, "
    "--encoding cp1252 in Western Europe.",
    zh="没有{encoding}这种编码：国内的Excel存成的用--encoding gb18030，西欧的用--encoding cp1252。",
)
NO_COLUMN = Text(
    en="None of the first rows of {path} has a column of student ids (id or 学号); the first is: "
    "{row}. Columns are separated by a comma, a semicolon, a tab or |.",
    zh="{path}的前几行里没有学号一列（id或学号），第一行是：{row}。"
    "各列之间要用逗号、分号、制表符或|隔开。",
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


@dataclass(frozen=True)
class ClassListFile:
    """students: each one's columns by id, under the gradebook's names. lines: of each id.

    unused: the names of the columns that the gradebook does not have.
    """

    students: dict[str, dict[str, str]]
    lines: dict[str, int]
    unused: list[str]


def read_class_list_file(path: Path, encoding: str = ENCODING) -> ClassListFile:
    """Return a file's class list; empty rows, and rows above the column names, are skipped.

    Raises `CannotBegin`, with the line of a wrong row, if it is not a class list.
    """
    try:
        content = path.read_bytes()
        text = content.decode("utf-16" if content.startswith(UTF_16) else encoding)
    except LookupError as error:
        raise CannotBegin(NO_ENCODING.format(encoding=escaped(encoding))) from error
    except UnicodeError as error:
        name = encoding.upper().removesuffix("-SIG")
        raise CannotBegin(NOT_DECODED.format(path=path, encoding=name)) from error
    except OSError as error:
        raise CannotBegin(NOT_READ.format(path=path, why=error.strerror)) from error
    rows, header = _find_header(path, text)
    try:
        return _students(path, rows, header)
    except csv.Error as error:
        raise wrong_row(path, rows.line_num, NOT_CSV.format(why=error)) from error


def wrong_row(path: Path, line: int, why: Text) -> CannotBegin:
    """Return the error that says what is wrong with a line."""
    return CannotBegin(WRONG_ROW.format(path=path, line=line, why=why))


def _find_header(path: Path, text: str) -> tuple[Any, list[str]]:
    """Return a `csv.reader` past the row that names the columns, and that row."""
    for separator in SEPARATORS:
        rows = csv.reader(io.StringIO(text, newline=None), delimiter=separator, strict=True)
        with suppress(csv.Error):  # with the right separator it may be CSV
            for row in islice(rows, TITLE_ROWS):
                if any(_name(cell) in COLUMNS["id"] for cell in row):
                    return rows, row
    first = next((line for line in text.splitlines() if line.strip()), "–")
    raise CannotBegin(NO_COLUMN.format(path=path, row=escaped(first.strip())[:ROW_SHOWN]))


def _students(path: Path, rows: Any, header: list[str]) -> ClassListFile:
    columns = _columns(path, header)
    students: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        fields = {field: row[at].strip() if at < len(row) else "" for field, at in columns.items()}
        student = unicodedata.normalize("NFKC", fields.pop("id"))  # full-width digits are digits
        if why := wrong_id(student, lines):
            raise wrong_row(path, rows.line_num, why)
        students[student], lines[student] = fields, rows.line_num
    if not students:
        raise CannotBegin(NOBODY.format(path=path))
    unused = [cell.strip() for at, cell in enumerate(header) if at not in columns.values()]
    return ClassListFile(students, lines, [name for name in unused if name])


def _columns(path: Path, header: list[str]) -> dict[str, int]:
    """Return the place of each column that the gradebook has."""
    names = [_name(cell) for cell in header]
    columns = {}
    for field, titles in COLUMNS.items():
        places = [at for at, name in enumerate(names) if name in titles]
        if len(places) > 1:
            both = listed(escaped(header[at].strip()) for at in places)
            raise CannotBegin(TWO_COLUMNS.format(path=path, field=field, columns=both))
        if places:
            columns[field] = places[0]
    whole = [at for at, name in enumerate(names) if name in WHOLE_NAME]
    if len(whole) == 1 and not columns.keys() & {"last_name", "first_name"}:
        columns["last_name"] = whole[0]
    return columns


def _name(cell: str) -> str:
    return cell.strip().casefold()
