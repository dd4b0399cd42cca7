"""The closing table: what became of every student and of every file, and of `submitted/`."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from rich.console import Console
from rich.table import Table
from rich.text import Text as Words

from autograde.collecting.downloads import ARCHIVE
from autograde.collecting.plan import Notebook, Plan
from autograde.collecting.submitted import Changes
from autograde.collecting.whose import NOT_NOTEBOOK, LeftOut
from autograde.teacher.full_name import full_name
from autograde.teacher.late_words import late_by
from autograde.teacher.printable import printable
from bilingual import Text

LINES = 5  # for what one student handed in that does not count

TITLE = Text(en="{chapter}, collected from {platform}", zh="{chapter}，来自{platform}")
ONE_ARCHIVE = Text(en="{title} in {archive}", zh="{title}（{archive}）")
PLATFORM_NAMES = {
    "moodle": Text(en="Moodle", zh="Moodle"),
    "canvas": Text(en="Canvas", zh="Canvas"),
    "blackboard": Text(en="Blackboard", zh="Blackboard"),
    "folders": Text(en="folders named after students", zh="以学生命名的文件夹"),
    "files": Text(en="files that students named", zh="学生自己命名的文件"),
}
HANDED_IN = Text(en="handed in", zh="已交")
LATE = Text(en="late", zh="迟交")
EXTENDED = Text(en="due {due} by extension", zh="延期至{due}")
LATEST = Text(en="the latest of {count}", zh="{count}份中最后的一份")
LEFT_OUT = Text(en="left out", zh="略过")
MISSING = Text(en="missing", zh="未交")
EARLIER = Text(en="from before", zh="以前收的")
MORE = Text(en="and {count} more", zh="还有{count}个")
SET_ASIDE = Text(en="set aside", zh="移开")
COUNTS = Text(
    en="{present} of {students} students handed in ({late} late, {untimed} without a time, "
    "{several} several files, {changed} new or changed), {earlier} from before, {missing} missing; "
    "{left_out} files left out, {aside} folders set aside.",
    zh="{students}名学生中{present}人已交（迟交{late}人，不知何时交的{untimed}人，交了几份的{several}人，"
    "新收或有变化的{changed}份），以前收的{earlier}人，未交{missing}人；略过{left_out}个文件，移开{aside}个文件夹。",
)

Row = tuple[str, str, str, str, str]  # student, name, state, when, file or reason


def rows(plan: Plan, changes: Changes) -> list[Row]:
    """Return the table's rows: those handed in, then what a teacher should look at."""
    by_state = sorted(plan.notebooks.values(), key=lambda one: (bool(one.late), one.student))
    table = [_of(plan, one) for one in by_state]
    lines = Counter[str | None]()
    for one in _left_out(plan):
        lines[one.student] += 1
        if one.student is None or lines[one.student] <= LINES:
            why = f"{printable(one.file)}: {one.why.label()}"
            table.append((one.student or "", _name(plan, one.student), LEFT_OUT.label(), "", why))
    for student, count in lines.items():
        if student is not None and count > LINES:
            more = MORE.format(count=count - LINES).label()
            table.append((student, _name(plan, student), LEFT_OUT.label(), "", more))
    for move in changes.aside:
        student = printable(move.student)
        why = f"submitted/{student}: {move.why.label()}"
        table.append((student, "", SET_ASIDE.label(), "", why))
    for student in plan.missing:
        state = EARLIER if student in changes.earlier else MISSING
        table.append((student, _name(plan, student), state.label(), "", ""))
    return table


def counts(plan: Plan, changes: Changes) -> Text:
    """Return the line below the table."""
    return COUNTS.format(
        students=len(plan.students.names),
        present=len(plan.notebooks),
        late=sum(bool(one.late) for one in plan.notebooks.values()),
        untimed=sum(one.time is one.late is None for one in plan.notebooks.values()),
        several=sum(bool(one.earlier) for one in plan.notebooks.values()),
        changed=len(changes.new),
        earlier=len(changes.earlier),
        missing=len(plan.missing) - len(changes.earlier),
        left_out=len(_left_out(plan)),
        aside=len(changes.aside),
    )


def print_table(plan: Plan, changes: Changes, console: Console) -> None:
    """Print the table and its counts."""
    title = Text(en=plan.chapter, zh=plan.chapter)
    if plan.platform:
        title = TITLE.format(chapter=plan.chapter, platform=PLATFORM_NAMES[plan.platform])
    archive = _only_archive(plan)
    if archive:
        title = ONE_ARCHIVE.format(title=title, archive=archive)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in range(5):
        table.add_column(overflow="fold", no_wrap=column < 4)
    for *row, file in rows(plan, changes):
        table.add_row(*map(Words, row), Words(file.removeprefix(f"{archive}/")))
    console.print(Words(title.label()), soft_wrap=True)
    console.print(table)
    console.print(Words(str(counts(plan, changes))), soft_wrap=True)


def _only_archive(plan: Plan) -> str:
    """Return the archive that all notebooks lie in, nothing if there are several or none."""
    firsts = {one.upload.name.partition("/")[0] for one in plan.notebooks.values()}
    first = next(iter(firsts), "")
    return printable(first) if len(firsts) == 1 and first.lower().endswith(ARCHIVE) else ""


def _left_out(plan: Plan) -> list[LeftOut]:
    """Return what a teacher should look at: not a picture that lies beside a notebook."""
    of_notebooks = plan.notebooks.keys()
    return [
        one for one in plan.left_out if one.why != NOT_NOTEBOOK or one.student not in of_notebooks
    ]


def _of(plan: Plan, one: Notebook) -> Row:
    state = HANDED_IN
    if one.late:
        span = late_by(one.late.total_seconds())
        state = Text(en=f"{LATE.en} {span.en}", zh=f"{LATE.zh}{span.zh}")
        state = state if one.late > timedelta(seconds=1) else LATE
    when = _short(plan, one.time) if one.time else ""
    file = printable(one.upload.name)
    if one.earlier:
        file = f"{file} ({LATEST.format(count=len(one.earlier) + 1).label()})"
    if one.extended_to:
        file = f"{file} ({EXTENDED.format(due=_short(plan, one.extended_to)).label()})"
    return one.student, _name(plan, one.student), state.label(), when, file


def _short(plan: Plan, moment: datetime) -> str:
    return moment.astimezone(plan.zone).strftime("%m-%d %H:%M")


def _name(plan: Plan, student: str | None) -> str:
    first, last = plan.students.names.get(student or "", ("", ""))
    return printable(full_name(last, first))
