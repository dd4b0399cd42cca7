"""Who is in the class and what each of them hands in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from autograde.demo import edits
from autograde.demo.workbook import Workbook
from autograde.kit.catalogue import chapter_exercises
from autograde.kit.misconception_source import written_alone
from bilingual import Text

DUE = "2026-09-14T23:00:00+08:00"
ON_TIME = "2026-09-14 12:15:00 UTC"  # as nbgrader writes them: a plus would break its file names
TOO_LATE = "2026-09-14 17:30:00 UTC"


@dataclass(frozen=True)
class Student:
    """One student: `edit` changes the released notebook, then `damage` the text of its file."""

    id: str
    hands_in: Text
    edit: Callable[[Workbook], None]
    damage: Callable[[str], str] = str
    when: str = ON_TIME


def class_of(chapter: str) -> list[Student]:
    """Return the class: every kind of submission, and one for each of an exercise's mistakes."""
    most = max(len(written_alone(exercise)) for exercise in chapter_exercises(chapter))
    return [
        Student("right", Text(en="everything right", zh="全部正确"), edits.right),
        Student("half", Text(en="the first half, right", zh="前一半，正确"), edits.half),
        Student("blank", Text(en="the notebook as released", zh="原样交回"), edits.nothing),
        *(
            Student(
                f"mistaken_{number + 1}",
                Text(en=f"mistake {number + 1} of each exercise", zh=f"每题的第{number + 1}种误解"),
                partial(edits.mistaken, number),
            )
            for number in range(most)
        ),
        Student(
            "late",
            Text(en="everything right, late", zh="全部正确，迟交"),
            edits.right,
            when=TOO_LATE,
        ),
        Student(
            "chatty",
            Text(en="everything right, prints and warns", zh="全部正确，到处打印和告警"),
            edits.chatty,
        ),
        Student(
            "copied_cell",
            Text(en="copied cells, metadata and all", zh="复制了单元格，元数据也在内"),
            edits.copied,
        ),
        Student(
            "syntax_error",
            Text(en="a syntax error in one answer", zh="有一题语法错误"),
            partial(edits.spoilt, 0, edits.SYNTAX_ERROR),
        ),
        Student(
            "failing_import",
            Text(en="one answer imports what is missing", zh="有一题导入了没有安装的模块"),
            partial(edits.spoilt, 1, edits.FAILING_IMPORT),
        ),
        Student(
            "endless_answer",
            Text(en="one answer never returns", zh="有一题的函数停不下来"),
            partial(edits.spoilt, 2, edits.ENDLESS_ANSWER),
        ),
        Student(
            "endless_cell",
            Text(en="an endless loop in a cell", zh="有一个单元格停不下来"),
            partial(edits.spoilt, 3, edits.ENDLESS_CELL),
        ),
        Student(
            "broken_file",
            Text(en="half of a file", zh="只有半个文件"),
            edits.right,
            damage=edits.cut_off,
        ),
    ]
