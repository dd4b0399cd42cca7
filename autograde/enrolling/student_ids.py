"""Student ids in a class list: what is not an id, and what a spreadsheet has changed."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from autograde.collecting.class_list import PLAIN, is_plain_id
from autograde.handed_in.escaped import escaped
from bilingual import Text

NUMBER = re.compile(r"\d+[.,]0+|\d([.,]\d+)?E\+\d+", re.IGNORECASE)  # 20260001.0, 2.026E+11

NO_ID = Text(en="there is no student id.", zh="没有学号。")
ODD_ID = Text(en="a student id is {plain}, not “{id}”.", zh="学号{plain}，不能是“{id}”。")
NUMBER_ID = Text(
    en="a spreadsheet has made the student id a number, {id}: format that column as text and fill "
    "it in again.",
    zh="表格软件把学号当成数字，变成了{id}：请把这一列的格式设为文本，再重新填写。",
)
TWICE = Text(
    en="{id} is on line {first} as well.",
    zh="{id}在第{first}行已经有了。",
)
ZEROS_DROPPED = Text(
    en="{id} and {other} differ in leading zeros alone. Did a spreadsheet drop them? Format that "
    "column as text and fill it in again.",
    zh="{id}与{other}只差开头的0：是不是表格软件把0去掉了？请把这一列的格式设为文本，再重新填写。",
)
OTHER_CASE = Text(
    en="{id} and {other} differ in upper and lower case alone: file names do not tell them apart, "
    "and on some systems they share a folder.",
    zh="{id}与{other}只差大小写：按文件名分不清这两人，在有些系统上两人还会共用一个目录。",
)
REMOVE_OTHER = Text(
    en="{why} If the gradebook has the wrong one: nbgrader db student remove {other}",
    zh="{why}如果错的是成绩库里的那个，请运行nbgrader db student remove {other}",
)


def wrong_id(student: str, lines: Mapping[str, int]) -> Text | None:
    """Return what is wrong with a student id; lines: of the ids before it."""
    if not student:
        return NO_ID
    if NUMBER.fullmatch(student):
        return NUMBER_ID.format(id=student)
    if not is_plain_id(student):
        return ODD_ID.format(plain=PLAIN, id=escaped(student))
    if student in lines:
        return TWICE.format(id=student, first=lines[student])
    return None


def nearly_same(students: Iterable[str], enrolled: Collection[str]) -> tuple[str, Text] | None:
    """Return the first student whose id differs from another's only in case or leading zeros.

    The reason is returned with it.

    enrolled: ids in the gradebook; a student who is already there is not questioned again.
    """
    others = {_as_compared(one): one for one in enrolled}
    for student in students:
        other = others.setdefault(_as_compared(student), student)
        if other != student and student not in enrolled:
            text = OTHER_CASE if _folded(other) == _folded(student) else ZEROS_DROPPED
            why = text.format(id=student, other=escaped(other))
            if other in enrolled:
                why = REMOVE_OTHER.format(why=why, other=escaped(shlex.quote(other)))
            return student, why
    return None


def _as_compared(student: str) -> str:
    """Return an id without case, and a number without the zeros that a spreadsheet drops."""
    number = _folded(student).lstrip("0")
    return number if number.isdecimal() else _folded(student)


def _folded(student: str) -> str:
    return unicodedata.normalize("NFKC", student).casefold()
