"""`python -m autograde …`: commands for teachers, in addition to nbgrader's own."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from autograde.kit.catalogue import UnknownName
from autograde.teacher.errors import CannotBegin, first_line
from autograde.teacher.setting_table import CourseError
from autograde.teacher.settings import read_course
from bilingual import Text, language
from bilingual.command import require_language
from bilingual.setting import speak

ABOUT = Text(
    en="Commands for teachers, in addition to nbgrader's own.",
    zh="供教师使用的命令，与nbgrader自带的命令配合使用。",
)
NO_GRADEBOOK = Text(
    en="The gradebook cannot be used: {why}.",
    zh="成绩库无法使用：{why}。",
)
COMMANDS = {
    "demo": (
        "autograde.demo.command",
        Text(
            en="show a class being graded, in a folder of its own",
            zh="在单独的目录里演示给一个班评分",
        ),
    ),
    "students": (
        "autograde.enrolling.command",
        Text(
            en="put a class list into the gradebook",
            zh="把班级名单录入成绩库",
        ),
    ),
    "collect": (
        "autograde.collecting.command",
        Text(
            en="collect a platform's download: who handed in what, and who did not",
            zh="收下平台的下载：谁交了什么，谁没有交",
        ),
    ),
    "grade": (
        "autograde.grading.command",
        Text(
            en="grade a class: nbgrader's autograde, several submissions at a time",
            zh="给一个班评分：即nbgrader的autograde，多份提交同时进行",
        ),
    ),
    "by-hand": (
        "autograde.by_hand.command",
        Text(
            en="grade written answers by hand, on a page in the browser",
            zh="在浏览器的页面上，人工评书面回答",
        ),
    ),
    "report": (
        "autograde.pages.class_report.command",
        Text(
            en="show what a class earned and which misconceptions it holds",
            zh="查看全班的得分和误解",
        ),
    ),
    "grades": (
        "autograde.grade_files.command",
        Text(
            en="write the file that Moodle's, Canvas's or 学习通's gradebook imports",
            zh="写出Moodle、Canvas或学习通成绩簿可导入的文件",
        ),
    ),
    "give-back": (
        "autograde.giving_back.command",
        Text(
            en="pack the feedback pages as Moodle or Canvas takes them back",
            zh="把反馈网页打包成Moodle或Canvas能批量发还的文件",
        ),
    ),
    "doctor": (
        "autograde.doctor.command",
        Text(
            en="what this machine has and lacks, what to do about it, and how safely it grades",
            zh="本机环境如何、缺什么、怎么补、评分有多安全",
        ),
    ),
}


def main() -> None:
    """Read the command line and do what it says; run from the course folder."""
    try:
        try:
            _run_command()
        finally:
            sys.stdout.flush()  # now, not as Python ends: then nobody can catch what it raises
    except BrokenPipeError:  # whoever read the output has gone: `python -m autograde … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:  # a command that has something to say of it has said it
        sys.exit(128 + signal.SIGINT)


def _run_command() -> None:
    require_language()
    _speak_as_the_course()
    parser = argparse.ArgumentParser(prog="python -m autograde", description=ABOUT.label())
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, (module, about) in COMMANDS.items():
        command = commands.add_parser(name, help=about.label(), description=about.label())
        if name in sys.argv[1:]:  # the others would be seconds of imports
            import_module(module).add_arguments(command)
    options = parser.parse_args()
    try:
        options.run(options)
    except CannotBegin as error:
        sys.exit(str(error))
    except _gradebook_errors() as error:
        sys.exit(str(NO_GRADEBOOK.format(why=first_line(error))))


def _gradebook_errors() -> type[Exception]:
    """Return what a gradebook raises that cannot be read or written; asked once something is."""
    from sqlalchemy.exc import SQLAlchemyError

    return SQLAlchemyError


def _speak_as_the_course() -> None:
    """Say everything in the language of course.toml, unless this reader has chosen one."""
    try:
        released = read_course(Path.cwd()).language
    except (CourseError, UnknownName):  # the command says what is wrong with it
        return
    if language() == "both" != released:
        speak(released)


if __name__ == "__main__":
    main()
