"""Student ids in a class list: what is not an id, and what a spreadsheet has changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from autograde.collecting.class_list import PLAIN, is_plain_id
from autograde.teacher.escaped import escaped
from bilingual import Text

ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)  # 2.0260001E+11

NO_ID = Text(en="there is no student id.", zh="没有学号。")
ODD_ID = Text(en="a student id is {plain}, not “{id}”.", zh="学号{plain}，不能是“{id}”。")
ROUNDED_ID = Text(
    en="a spreadsheet has rounded the student id to {id}: format that column as text.",
    zh="表格软件把学号四舍五入成了{id}：请把这一列的格式设为文本，再重新填写。",
)
TWICE = Text(
    en="{id} is on line {first} as well.",
    zh="{id}在第{first}行已经有了。",
)
NEARLY_SAME = Text(
    en="{id} and {other} differ in leading zeros alone. Did a spreadsheet drop them? Format that "
    "column as text and fill it in again. If the gradebook has the wrong one: "
    "nbgrader db student remove {other}",
    zh="{id}与{other}只差开头的0：是不是表格软件把0去掉了？请把这一列的格式设为文本，再重新填写。"
    "如果错的是成绩库里的那个，请运行nbgrader db student remove {other}",
)


def wrong_id(student: str, lines: Mapping[str, int]) -> Text | None:
    """Return what is wrong with a student id; `lines` has those before it."""
    if not student:
        return NO_ID
    if ROUNDED.fullmatch(student):
        return ROUNDED_ID.format(id=student)
    if not is_plain_id(student):
        return ODD_ID.format(plain=PLAIN, id=escaped(student))
    if student in lines:
        return TWICE.format(id=student, first=lines[student])
    return None


def nearly_same(students: Iterable[str], enrolled: Collection[str]) -> tuple[str, Text] | None:
    """Return the first student whose id is another's but for leading zeros, and what to say of it.

    enrolled: those in the gradebook; whoever is there already is not asked about again.
    """
    others = {_without_zeros(one): one for one in enrolled}
    for student in students:
        other = others.setdefault(_without_zeros(student), student)
        if other != student and student not in enrolled:
            return student, NEARLY_SAME.format(id=student, other=escaped(other))
    return None


def _without_zeros(student: str) -> str:
    return unicodedata.normalize("NFKC", student).lstrip("0")
