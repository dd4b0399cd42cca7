"""`python -m autograde …`: what a teacher types beside nbgrader's own commands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from autograde.class_report.command import add_report
from autograde.demo.command import demo
from autograde.demo.folder import DemoError
from autograde.judging.command import add_grade
from autograde.judging.doctor import add_doctor
from bilingual import Text

ABOUT = Text(
    en="What a teacher types beside nbgrader's own commands.",
    zh="nbgrader自带命令之外，教师用的命令。",
)
DEMO = Text(
    en="show a class being graded, in a folder of its own",
    zh="在单独的目录里演示给一个班评分",
)
CHAPTER = Text(en="the chapter the class hands in", zh="全班提交的章节")
FOLDER = Text(en="where the demo class lies", zh="演示班级所在的目录")


def main() -> None:
    """Read the command line and do what it says; run from the course folder."""
    parser = argparse.ArgumentParser(prog="python -m autograde", description=ABOUT.label())
    commands = parser.add_subparsers(required=True, metavar="command")
    demonstrate = commands.add_parser("demo", help=DEMO.label(), description=DEMO.label())
    demonstrate.add_argument("--chapter", default="02_sinusoidal", help=CHAPTER.label())
    demonstrate.add_argument("--folder", type=Path, default=Path("demo"), help=FOLDER.label())
    demonstrate.set_defaults(run=_demo)
    add_grade(commands)
    add_report(commands)
    add_doctor(commands)
    options = parser.parse_args()
    options.run(options)


def _demo(options: argparse.Namespace) -> None:
    try:
        demo(options.folder, Path.cwd(), options.chapter, Console())
    except DemoError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
