"""The report: read the class, apply pseudonyms if required, write the page and the table."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograde.grading.command import NO_FORK
from autograde.likeness.pairs import Comparison, compare
from autograde.pages.class_report.alike_table import write_alike_table
from autograde.pages.class_report.page import write_page
from autograde.pages.class_report.pseudonyms import KEY_FILE, course_key, pseudonym
from autograde.pages.class_report.table import write_table
from autograde.register.read_register import read_register
from autograde.register.register import Register
from autograde.register.states import again_line
from autograde.teacher.course_folder import choices, open_course, reader_language
from autograde.teacher.errors import CannotBegin, not_written
from autograde.teacher.penalties import renew, renew_and_print
from autograde.teacher.spreadsheet import ENCODING
from bilingual import LANGUAGES, Language, Text
from bilingual.files import write_whole

ASSIGNMENT = Text(en="the assignment, as the gradebook calls it", zh="作业名，与成绩库一致")
OUT = Text(en="the folder for the page and the table", zh="网页和表格所在的目录")
LANGUAGE = Text(en="the language of the page", zh="网页的语言")
PSEUDONYMS = Text(
    en="call students by pseudonyms; the key that leads back to them stays in {file}",
    zh="学生以化名出现；能对应到本人的密钥留在{file}中",
)
ALIKE = Text(
    en="also show whose answers are alike beyond what their exercise suggests",
    zh="同时列出相似程度超出题目本身的答案",
)

NOT_GRADED = Text(
    en="No submission of {name} has been graded yet: run python -m autograde grade {name}.",
    zh="{name}还没有已评分的提交：请先运行python -m autograde grade {name}。",
)
ALL_FAILED = Text(
    en="No submission of {name} could be graded: {reasons}.",
    zh="{name}的提交都无法评分：{reasons}。",
)
REASON = Text(en="{why} ({count} of them)", zh="{why}（{count}份）")
WRITTEN = Text(en="page   {page}\ntable  {table}", zh="网页  {page}\n表格  {table}")
ALIKE_WRITTEN = Text(en="alike  {table}", zh="相似  {table}")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `report` to its command."""
    command.add_argument("assignment", metavar="ASSIGNMENT", help=ASSIGNMENT.label())
    command.add_argument("--out", type=Path, default=Path("reports"), help=OUT.label())
    command.add_argument("--language", choices=LANGUAGES, help=LANGUAGE.label())
    about_pseudonyms = PSEUDONYMS.format(file=KEY_FILE).label()
    command.add_argument("--pseudonyms", action="store_true", help=about_pseudonyms)
    command.add_argument("--alike", action="store_true", help=ALIKE.label())
    command.set_defaults(run=_report)


def report(
    folder: Path,
    assignment: str,
    out: Path,
    language: Language,
    pseudonyms: bool = False,
    alike: bool = False,
) -> list[Path]:
    """Write the report on an assignment of the course in `folder`; return the page and the tables.

    Prints which students handed in again since they were graded.

    alike: whether to list pairs whose answers are alike. Raises `CannotBegin`.
    """
    api = open_course(folder, assignment)
    if pseudonyms:
        renew(api, assignment)  # what `renew_and_print` prints names students
    else:
        renew_and_print(api, assignment)
    register = read_register(api, assignment)
    if not register.in_state("graded"):
        raise CannotBegin(_nothing_graded(register))
    comparison = _compare(api, register) if alike else None
    try:
        return _write(register, comparison, folder, out, language, pseudonyms)
    except OSError as error:
        raise not_written(error.filename or out, error) from error


def _nothing_graded(register: Register) -> Text:
    """Return why there is nothing to report on; without ids, which pseudonyms would hide."""
    counts = Counter(row.problem for row in register.in_state("failed") if row.problem)
    if not counts:
        return NOT_GRADED.format(name=register.assignment)
    reasons = [REASON.format(why=why, count=count) for why, count in counts.most_common()]
    joined = Text(en="; ".join(one.en for one in reasons), zh="；".join(one.zh for one in reasons))
    return ALL_FAILED.format(name=register.assignment, reasons=joined)


def _compare(api: NbGraderAPI, register: Register) -> Comparison:
    if not hasattr(os, "fork"):
        raise CannotBegin(NO_FORK)
    from autograde.grading.pool import GradingPool  # cannot be imported on Windows

    graded = [row.student for row in register.in_state("graded")]
    with GradingPool(1, preloaded=()) as pool:
        return compare(api, register.assignment, graded, pool)


def _write(
    register: Register,
    alike: Comparison | None,
    folder: Path,
    out: Path,
    language: Language,
    pseudonyms: bool,
) -> list[Path]:
    name = register.assignment
    if pseudonyms:  # beside the report with names, never in its place
        rename = partial(pseudonym, course_key(folder))
        register = register.under(rename)
        alike = alike and alike.under(rename)
        name = f"{name}-pseudonyms"
    out.mkdir(parents=True, exist_ok=True)
    page, table, alike_table = (out / f"{name}{end}" for end in (".html", ".csv", "-alike.csv"))
    files = {
        page: write_page(register, language, datetime.now(UTC), alike).encode("utf-8"),
        table: write_table(register, language).encode(ENCODING),
    }
    if alike is not None:
        files[alike_table] = write_alike_table(alike).encode(ENCODING)
    for path, data in files.items():
        try:
            write_whole(path, data)
        except OSError as error:  # the error may name the unfinished file instead
            raise not_written(path, error) from error
    if register.again:
        print(again_line(register))
    return list(files)


def _report(options: argparse.Namespace) -> None:
    settings = choices(Path.cwd())
    page, table, *alike_table = report(
        Path.cwd(),
        options.assignment,
        options.out,
        options.language or reader_language(settings),
        options.pseudonyms or settings.pseudonyms,
        options.alike,
    )
    print(WRITTEN.format(page=page, table=table))
    for path in alike_table:
        print(ALIKE_WRITTEN.format(table=path))
