"""What became of each student's work, and when it came, in the words of pages and tables."""

from __future__ import annotations

from datetime import tzinfo

from autograde.register.register import Register, Row
from autograde.teacher.lateness import local
from bilingual import Text, listed

STATES = {
    "graded": Text(en="graded", zh="已评分"),
    "failed": Text(en="could not be graded", zh="无法评分"),
    "ungraded": Text(en="handed in, not graded yet", zh="已提交，尚未评分"),
    "absent": Text(en="nothing handed in", zh="没有提交"),
}

AGAIN = Text(en="handed in again, not graded yet", zh="又交了一份，尚未评分")
AGAIN_LINE = Text(
    en="{chapter}: handed in again and still with the earlier points: {count}. Run "
    "python -m autograde grade {chapter}, then this again: {students}",
    zh="{chapter}：{count}名学生又交了一份，得分仍是之前那份的。"
    "请运行python -m autograde grade {chapter}，再运行本命令：{students}",
)
BLANK = Text(en="blank: as it was released", zh="空白：与发布时一样")


def is_blank(row: Row) -> bool:
    """Return whether nothing was tried, apart from answers that wait for a teacher."""
    findings = [one.finding for one in row.results if not one.needs_teacher]
    return bool(findings) and all(one and one.kind == "unsolved" for one in findings)


def state_of(row: Row) -> Text:
    """Return what became of a student's work."""
    if row.again:
        return AGAIN
    return BLANK if is_blank(row) else STATES[row.state]


def again_line(register: Register) -> Text:
    """Return the line on students who still have earlier work's points, and what to do."""
    students = listed(register.again)
    count, chapter = len(register.again), register.assignment
    return AGAIN_LINE.format(chapter=chapter, count=count, students=students)


def times(row: Row, zone: tzinfo) -> list[object]:
    """Return the submission time, the student's extended deadline, and the zone; "" if unknown."""
    due = row.due if row.extended else None
    moments = [local(moment, zone) if moment else "" for moment in (row.handed_in, due)]
    return [*moments, str(zone)]
