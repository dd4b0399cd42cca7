"""The closing table: what became of every student and of every file, and of `submitted/`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.text import Text as RichText

from autograde.collecting.advice import advice
from autograde.collecting.downloads import ARCHIVE
from autograde.collecting.plan import InTime, Notebook, Plan
from autograde.collecting.platforms import SOURCES
from autograde.collecting.submitted import Changes
from autograde.collecting.whose import NOT_NOTEBOOK, LeftOut
from autograde.handed_in.escaped import escaped
from autograde.teacher.full_name import full_name
from autograde.teacher.late_words import WITHIN_GRACE, late_by
from autograde.teacher.lateness import UNKNOWN_DELAY
from bilingual import Text, language

LINES = 5  # for files of one student that do not count
WIDEST = 32  # of a column, in terminal cells; a longer cell shifts only its own row

TITLE = Text(en="{chapter}, collected from {platform}", zh="{chapter}，来自{platform}")
ONE_ARCHIVE = Text(en="{title} in {archive}", zh="{title}（{archive}）")
HANDED_IN = Text(en="handed in", zh="已交")
HANDED_IN_NOT_GRADABLE = Text(en="handed in, cannot be graded", zh="已交，无法评分")
LATE = Text(en="late", zh="迟交")
EXTENDED = Text(en="due {due} by extension", zh="延期至{due}")
RENAMED = Text(en="renamed, but with the chapter's cells", zh="改了文件名，单元格是本章的")
IN_GB18030 = Text(en="read as GB18030", zh="按GB18030读出")
LATEST = Text(en="the latest of {count}", zh="{count}份中最后的一份")
NOT_GRADABLE = Text(
    en="cannot be graded ({why}): ask for it again", zh="无法评分（{why}），请让学生重交"
)
IN_TIME = Text(
    en="takes the place of one that was in time: {path}", zh="取代了按时交的一份：{path}"
)
IN_TIME_NOT_GRADABLE = Text(
    en="takes the place of one that was in time but cannot be graded ({why}): {path}",
    zh="取代了按时交的一份，不过那份无法评分（{why}）：{path}",
)
FROM_FILE = Text(en="time as in timestamp.txt", zh="时间取自timestamp.txt")
LEFT_OUT = Text(en="left out", zh="略过")
MISSING = Text(en="missing", zh="未交")
EARLIER = Text(en="from before", zh="以前收的")
EARLIER_UNTIMED = Text(en="without a time, so never late", zh="没有时间，不算迟交")
MORE = Text(en="and {count} more", zh="还有{count}个")
SET_ASIDE = Text(en="set aside", zh="移开")
COUNTS = Text(
    en="Handed in: {present} of {students}{not_gradable} ({late} late, {untimed} without "
    "a time, {several} with several files, {changed} new or changed), {earlier} from before"
    "{never_late}, {missing} missing. Files left out: {left_out}; folders set aside: {aside}.",
    zh="{students}名学生中{present}人已交{not_gradable}（迟交{late}人，不知何时交的{untimed}人，"
    "交了几份的{several}人，新收或有变化的{changed}份），以前收的{earlier}人{never_late}，未交{missing}人；"
    "略过{left_out}个文件，移开{aside}个文件夹。",
)
OF_THEM_NOT_GRADABLE = Text(
    en=", but {count} of these files cannot be graded", zh="，其中{count}人的文件无法评分"
)
NEVER_LATE = Text(
    en=" ({count} without a time, so never late)", zh="（{count}人没有时间，不算迟交）"
)

Row = tuple[str, str, str, str, str]  # student, name, state, when, remark


def rows(plan: Plan, changes: Changes) -> list[Row]:
    """Return the table's rows; those to look at come last, in sight when the command ends."""
    notebooks = [plan.notebooks[student] for student in sorted(plan.notebooks)]
    aside = {move.student: move.in_time for move in changes.aside if move.in_time}
    row = {one.student: _row(plan, one, aside.get(one.student, one.in_time)) for one in notebooks}
    table = [row[one.student] for one in notebooks if _is_ordinary(plan, one)]
    for student in plan.missing:
        state = EARLIER if student in changes.earlier else MISSING
        never_late = student in changes.never_late and plan.due and plan.late_policy
        remark = EARLIER_UNTIMED.label() if never_late else ""
        table.append((student, _name(plan, student), state.label(), "", remark))
    table += [row[one.student] for one in notebooks if not _is_ordinary(plan, one)]
    lines = Counter[str | None]()
    for file in _left_out(plan):
        student = file.student
        lines[student] += 1
        if student is None or lines[student] <= LINES:
            why = f"{escaped(file.file)}: {file.why.label()}"
            table.append((student or "", _name(plan, student), LEFT_OUT.label(), "", why))
    for student, count in lines.items():
        if student is not None and count > LINES:
            more = MORE.format(count=count - LINES).label()
            table.append((student, _name(plan, student), LEFT_OUT.label(), "", more))
    for move in changes.aside:
        student = escaped(move.student)
        why = f"submitted/{student}: {move.why.label()}"
        table.append((student, "", SET_ASIDE.label(), "", why))
    return table


def counts(plan: Plan, changes: Changes) -> Text:
    """Return the line below the table."""
    return COUNTS.format(
        students=len(plan.students.names),
        present=len(plan.notebooks),
        not_gradable=_if_any(
            OF_THEM_NOT_GRADABLE, sum(bool(one.problem) for one in plan.notebooks.values())
        ),
        never_late=_if_any(
            NEVER_LATE, len(changes.never_late) if plan.due and plan.late_policy else 0
        ),
        late=sum(plan.is_late(one.delay) for one in plan.notebooks.values()),
        untimed=len(plan.untimed),
        several=sum(bool(one.earlier) for one in plan.notebooks.values()),
        changed=len(changes.new),
        earlier=len(changes.earlier),
        missing=len(plan.missing) - len(changes.earlier),
        left_out=len(_left_out(plan)),
        aside=len(changes.aside),
    )


def _if_any(sentence: Text, count: int) -> Text | str:
    return sentence.format(count=count) if count else ""


def print_table(plan: Plan, changes: Changes, console: Console) -> None:
    """Print the table, its counts and what there is to do."""
    title = Text(en=plan.chapter, zh=plan.chapter)
    if plan.platform:
        title = TITLE.format(chapter=plan.chapter, platform=SOURCES[plan.platform])
    archive = _only_archive(plan)
    if archive:
        title = ONE_ARCHIVE.format(title=title, archive=archive)
    console.print(RichText(title.label()), soft_wrap=True)
    _print_rows(rows(plan, changes), f"{archive}/", console)
    for text in (counts(plan, changes), *advice(plan, changes)):
        console.print(RichText(str(text)), soft_wrap=True)


def _print_rows(table: Sequence[Row], archive: str, console: Console) -> None:
    """Print four columns and a remark; on a terminal, below them if the line has no room."""
    *columns, _ = zip(*table, strict=True)
    widths = [min(WIDEST, max(map(cell_len, column))) for column in columns]
    for *row, remark in table:
        cells = zip(row, widths, strict=True)
        line = "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in cells)
        remark = remark.removeprefix(archive)
        whole = f"{line}  {remark}".rstrip()
        if cell_len(whole) <= console.width or not console.is_terminal:
            console.print(RichText(whole), soft_wrap=True)
        else:
            console.print(RichText(line.rstrip()), soft_wrap=True)
            console.print(Padding(RichText(remark, overflow="fold"), (0, 0, 0, 4), expand=False))


def _only_archive(plan: Plan) -> str:
    """Return the archive that all notebooks lie in, an empty text if there is no single one."""
    firsts = {one.upload.name.partition("/")[0] for one in plan.notebooks.values()}
    first = next(iter(firsts), "")
    return escaped(first) if len(firsts) == 1 and first.lower().endswith(ARCHIVE) else ""


def _left_out(plan: Plan) -> list[LeftOut]:
    """Return the left-out files to look at, without pictures and the like beside a notebook."""
    of_notebooks = plan.notebooks.keys()
    return [
        file
        for file in plan.left_out
        if file.why != NOT_NOTEBOOK or file.student not in of_notebooks
    ]


def _row(plan: Plan, notebook: Notebook, in_time: InTime | None) -> Row:
    """Return a notebook's row; in_time: the notebook in time that it replaces, being late."""
    state, remarks = HANDED_IN_NOT_GRADABLE if notebook.problem else HANDED_IN, []
    if notebook.earlier:
        remarks.append(LATEST.format(count=len(notebook.earlier) + 1))
    if in_time:
        sentence = IN_TIME_NOT_GRADABLE if in_time.problem else IN_TIME
        path = escaped(in_time.path)
        remarks.append(sentence.format(path=path, why=in_time.problem))
    if notebook.problem:
        remarks.append(NOT_GRADABLE.format(why=notebook.problem))
    elif notebook.is_gb18030:
        remarks.append(IN_GB18030)
    if notebook.is_renamed:
        remarks.append(RENAMED)
    if notebook.is_from_file:
        remarks.append(FROM_FILE)
    if notebook.extended_to:
        remarks.append(EXTENDED.format(due=_short(plan, notebook.extended_to)))
    span = late_by(notebook.delay.total_seconds()) if notebook.delay else None
    if span and not plan.is_late(notebook.delay):
        remarks.append(WITHIN_GRACE.format(late=span))
    elif span:
        by_how_much = Text(en=f"{LATE.en} {span.en}", zh=f"{LATE.zh}{span.zh}")
        state = LATE if notebook.delay == UNKNOWN_DELAY else by_how_much
    when = _short(plan, notebook.time) if notebook.time else ""
    needs_file = notebook.earlier or notebook.is_renamed or notebook.problem
    file = [escaped(notebook.upload.name)] if needs_file or plan.platform == "files" else []
    separator = "; " if language() == "en" else "；"
    remark = separator.join([*file, *(text.label() for text in remarks)])
    return notebook.student, _name(plan, notebook.student), state.label(), when, remark


def _is_ordinary(plan: Plan, notebook: Notebook) -> bool:
    unusual = notebook.earlier or notebook.is_renamed or notebook.is_from_future or notebook.problem
    return not (unusual or plan.is_late(notebook.delay))


def _short(plan: Plan, moment: datetime) -> str:
    return moment.astimezone(plan.zone).strftime("%m-%d %H:%M")


def _name(plan: Plan, student: str | None) -> str:
    first, last = plan.students.names.get(student or "", ("", ""))
    return escaped(full_name(last, first))
