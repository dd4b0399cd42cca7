"""The closing table: what became of every student and of every file, and of `submitted/`."""

from __future__ import annotations

from datetime import datetime, timedelta

from rich.console import Console
from rich.table import Table
from rich.text import Text as Words

from autograde.collecting.plan import Notebook, Plan
from autograde.collecting.submitted import Changes
from autograde.collecting.whose import NOT_NOTEBOOK
from bilingual import Text

TITLE = Text(en="{chapter}, collected from {platform}", zh="{chapter}，来自{platform}")
PLATFORM_NAMES = {
    "moodle": Text(en="Moodle", zh="Moodle"),
    "canvas": Text(en="Canvas", zh="Canvas"),
    "blackboard": Text(en="Blackboard", zh="Blackboard"),
    "folders": Text(en="folders named after students", zh="以学生命名的文件夹"),
    "files": Text(en="files that students named", zh="学生自己命名的文件"),
}
HANDED_IN = Text(en="handed in", zh="已交")
LATE = Text(en="late", zh="迟交")
LATE_BY = Text(en="late by {hours:.1f} h", zh="迟交{hours:.1f}小时")
LATEST = Text(en="{state}, the latest of {count}", zh="{state}，{count}份中最后的一份")
LEFT_OUT = Text(en="left out", zh="略过")
MISSING = Text(en="missing", zh="未交")
EARLIER = Text(en="from before, not in this download", zh="以前收的，这次下载里没有")
SET_ASIDE = Text(en="set aside", zh="移开")
IN_SUBMITTED = Text(en="submitted/{student}: {why}", zh="submitted/{student}：{why}")
COUNTS = Text(
    en="{present} of {students} students handed in ({late} late, {several} several files, "
    "{changed} new or changed), {earlier} from before, {missing} missing; {left_out} files left "
    "out, {aside} folders set aside.",
    zh="{students}名学生中{present}人已交（迟交{late}人，交了几份的{several}人，新收或有变化的{changed}份），"
    "以前收的{earlier}人，未交{missing}人；略过{left_out}个文件，移开{aside}个文件夹。",
)

Row = tuple[str, str, str, str, str]  # student, name, state, when, file or reason


def rows(plan: Plan, changes: Changes) -> list[Row]:
    """Return the table's rows: those handed in, then what a teacher should look at."""
    late = lambda one: one.late or timedelta(0)  # noqa: E731
    by_state = sorted(
        plan.notebooks.values(), key=lambda one: (late(one) > timedelta(0), one.student)
    )
    table = [_taken(plan, one) for one in by_state]
    for one in plan.left_out:
        beside = one.why == NOT_NOTEBOOK and one.student in plan.notebooks
        if not beside:  # a picture beside a notebook is nothing to look at
            why = f"{_plain(one.file)}: {one.why.label()}"
            table.append((one.student or "", _name(plan, one.student), LEFT_OUT.label(), "", why))
    for move in changes.aside:
        why = IN_SUBMITTED.format(student=_plain(move.student), why=move.why.label())
        table.append((_plain(move.student), "", SET_ASIDE.label(), "", why.label()))
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
        several=sum(bool(one.earlier) for one in plan.notebooks.values()),
        changed=len(changes.new),
        earlier=len(changes.earlier),
        missing=len(plan.missing) - len(changes.earlier),
        left_out=len(plan.left_out),
        aside=len(changes.aside),
    )


def print_table(plan: Plan, changes: Changes, console: Console) -> None:
    """Print the table and its counts."""
    platform = PLATFORM_NAMES[plan.platform].label()
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in range(5):
        table.add_column(overflow="fold", no_wrap=column < 4)
    for row in rows(plan, changes):
        table.add_row(*map(Words, row))
    title = TITLE.format(chapter=plan.chapter, platform=platform).label()
    for part in (Words(title), table, Words(str(counts(plan, changes)))):
        console.print(part, highlight=False)


def _taken(plan: Plan, one: Notebook) -> Row:
    state = HANDED_IN
    if one.late:
        hours = one.late.total_seconds() / 3600
        state = LATE_BY.format(hours=hours) if one.late > timedelta(seconds=1) else LATE
    if one.earlier:
        state = LATEST.format(state=state.label(), count=len(one.earlier) + 1)
    when = _shown(one.time) if one.time else ""
    return one.student, _name(plan, one.student), state.label(), when, _plain(one.upload.name)


def _name(plan: Plan, student: str | None) -> str:
    first, last = plan.students.names.get(student or "", ("", ""))
    return _plain(f"{last} {first}".strip())


def _shown(time: datetime) -> str:
    return time.astimezone().strftime("%m-%d %H:%M")


def _plain(text: str) -> str:
    """Return a name as a terminal may show it: what is not printable, as its code."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
