"""The report in order: read the class, rename it if asked to, write the page and the table."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from autograde.pages.class_report.course import ReportError, open_course
from autograde.pages.class_report.page import write_page
from autograde.pages.class_report.pseudonyms import KEY_FILE, course_key, pseudonym
from autograde.pages.class_report.register import Register, read_register
from autograde.pages.class_report.table import write_table
from autograde.teacher.course_folder import CannotBegin, choices
from autograde.teacher.spreadsheet import ENCODING
from bilingual import LANGUAGES, Language, Text, language

ASSIGNMENT = Text(en="the assignment, as the gradebook calls it", zh="作业名，与成绩库一致")
OUT = Text(en="the folder for the page and the table", zh="网页和表格所在的目录")
LANGUAGE = Text(en="the language of the page", zh="网页的语言")
PSEUDONYMS = Text(
    en="call students by pseudonyms; the key that leads back to them stays in {file}",
    zh="学生以化名出现；能对应到本人的密钥留在{file}中",
)

NOT_GRADED = Text(
    en="No submission of {name} has been graded yet: run nbgrader autograde {name}.",
    zh="{name}还没有已评分的提交：请先运行nbgrader autograde {name}。",
)
NOT_WRITTEN = Text(en="{path} cannot be written: {error}.", zh="{path}无法写入：{error}。")
WRITTEN = Text(en="page   {page}\ntable  {table}", zh="网页  {page}\n表格  {table}")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `report` to its command."""
    command.add_argument("assignment", metavar="ASSIGNMENT", help=ASSIGNMENT.label())
    command.add_argument("--out", type=Path, default=Path("reports"), help=OUT.label())
    command.add_argument("--language", choices=LANGUAGES, help=LANGUAGE.label())
    about_pseudonyms = PSEUDONYMS.format(file=KEY_FILE).label()
    command.add_argument("--pseudonyms", action="store_true", help=about_pseudonyms)
    command.set_defaults(run=_report)


def report(
    folder: Path, assignment: str, out: Path, language: Language, pseudonyms: bool = False
) -> tuple[Path, Path]:
    """Write the report on an assignment of the course in `folder`; return the page and the table.

    Raises `CannotBegin`.
    """
    api = open_course(folder, assignment)
    register = read_register(api, assignment)
    if not register.in_state("graded"):
        raise ReportError(NOT_GRADED.format(name=assignment))
    try:
        return _write(register, folder, out, language, pseudonyms)
    except OSError as error:
        path, reason = error.filename or out, error.strerror or type(error).__name__
        raise ReportError(NOT_WRITTEN.format(path=path, error=reason)) from error


def _write(
    register: Register, folder: Path, out: Path, language: Language, pseudonyms: bool
) -> tuple[Path, Path]:
    name = register.assignment
    if pseudonyms:  # beside the report with names, never in its place
        register = register.under(partial(pseudonym, course_key(folder)))
        name = f"{name}-pseudonyms"
    out.mkdir(parents=True, exist_ok=True)
    page, table = out / f"{name}.html", out / f"{name}.csv"
    page.write_text(write_page(register, language, datetime.now(UTC)), encoding="utf-8")
    table.write_text(write_table(register, language), encoding=ENCODING, newline="")
    return page, table


def _report(options: argparse.Namespace) -> None:
    chosen_language = options.language or language()
    try:
        pseudonyms = options.pseudonyms or choices(Path.cwd()).pseudonyms
        page, table = report(
            Path.cwd(), options.assignment, options.out, chosen_language, pseudonyms
        )
    except CannotBegin as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print(WRITTEN.format(page=page, table=table))
