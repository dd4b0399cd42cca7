"""A course with its smallest chapter released, to hand in and grade."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograde.__main__ import main
from autograde.demo.workbook import Workbook
from autograde.grading import display, grader_limits
from autograde.grading.pool import SCORING, GradingPool
from autograde.teacher.course_folder import course_api

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "00_start"
FILE = f"{CHAPTER}.ipynb"
SETTINGS = """
# whatever the machine of these tests allows, and no pictures: they take half of the time
c.SubmittedNotebook.lowest_tier = 3
c.SubmittedNotebook.pictures = False
"""


def run(course, *command, **kwargs):
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=course,
        capture_output=True,
        text=True,
        encoding="utf-8",
        **kwargs,
    )


def in_process(course, monkeypatch, *command):
    """Return the exit status, or words, of `python -m autograde …`, in this process."""
    monkeypatch.chdir(course)
    monkeypatch.setattr(sys, "argv", ["autograde", *command])
    monkeypatch.setattr(grader_limits, "limit_memory", lambda: None)  # they would be pytest's
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code


def release(course):
    config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8") + SETTINGS
    (course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    shutil.copytree(ROOT / "solutions" / CHAPTER, course / "solutions" / CHAPTER)
    result = course_api(course).generate_assignment(CHAPTER)
    assert result["success"], result["log"]


def grade(course, chapter=CHAPTER, **choices):
    """Return whether all could be graded, and what is printed, as the command `grade` does it.

    Not in a process of its own, so that torch is imported once for all tests.
    """
    printed = Console(file=io.StringIO(), width=120)
    with GradingPool(1, SCORING) as pool:
        whole = display.grade(course, chapter, printed, pool, **choices)
    return whole, printed.file.getvalue()


def workbook(course):
    return Workbook(course / "notebooks" / CHAPTER / FILE, course / "solutions" / CHAPTER / FILE)


def blank_text(course):
    return workbook(course).text()


def solved_text(course):
    book = workbook(course)
    book.solve(*book.exercises)
    return book.text()


def hand_in(course, student, text):
    folder = course / "submitted" / student / CHAPTER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(text, encoding="utf-8")


def scores(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        return {one.student.id: one.score for one in gradebook.assignment_submissions(CHAPTER)}
