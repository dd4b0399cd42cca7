"""The answers to the exercises of a chapter: of the class, of the course, and of others."""

from __future__ import annotations

import tomllib
from pathlib import Path

from nbgrader.apps import NbGraderAPI

from autograde.kit.catalogue import exercise, exercise_ids
from autograde.kit.cell_role import ANSWER_HERE
from autograde.kit.misconception_source import answer_source, written_alone
from autograde.teacher.course_folder import cells_by_name, notebook_of
from bilingual import LANGUAGES

BANK = Path("tests/bank")  # answers by readers of the course, in its repository

Answers = dict[str, str]  # sources by name


def student_answers(api: NbGraderAPI, chapter: str, student: str) -> Answers:
    """Return what a student wrote to the exercises that the course checks."""
    return _answers(api, api.coursedir.autograded_directory, student, chapter)


def written_answers(api: NbGraderAPI, chapter: str, student: str) -> Answers:
    """Return a student's answers to the questions that a teacher grades, without blank ones."""
    folders = api.coursedir
    released = _prose(notebook_of(folders, folders.release_directory, ".", chapter))
    answers = _prose(notebook_of(folders, folders.autograded_directory, student, chapter))
    stubs = [ANSWER_HERE.in_language(one, separator=" · ") for one in LANGUAGES]  # of all editions
    return {
        name: source
        for name, source in answers.items()
        if unspaced(source) not in {"", *map(unspaced, [*stubs, released.get(name, "")])}
    }


def unspaced(source: str) -> str:
    """Return the visible characters of an answer: no whitespace, zero-width or direction mark."""
    return "".join(each for each in source if each.isprintable() and each != " ")


def _prose(path: Path) -> Answers:
    cells = (cells_by_name(path) or {}).items()
    roles = ((name, cell, cell["metadata"]["nbgrader"]) for name, cell in cells)
    return {
        name: "".join(cell["source"])
        for name, cell, role in roles
        if role.get("grade") and role.get("solution")
    }


def handouts(api: NbGraderAPI, chapter: str) -> list[Answers]:
    """Return the code that everyone is given, and the course's own solutions."""
    steps = (api.coursedir.release_directory, api.coursedir.source_directory)
    return [_answers(api, step, ".", chapter) for step in steps]


def answers_elsewhere(folder: Path, name: str) -> Answers:
    """Return known answers to an exercise, numbered: its misconceptions, and the bank's answers."""
    sources = [answer_source(one.answer, name) for one in written_alone(exercise(name))]
    bank = folder / BANK / f"{name}.toml"
    if bank.is_file():
        answers = tomllib.loads(bank.read_text(encoding="utf-8"))["answer"]
        sources += [answer["code"] for answer in answers]
    return {str(number): source for number, source in enumerate(sources)}


def _answers(api: NbGraderAPI, step: str, student: str, chapter: str) -> Answers:
    cells = cells_by_name(notebook_of(api.coursedir, step, student, chapter)) or {}
    answers = {name: cells.get(f"{name}-answer") for name in exercise_ids()}
    return {name: "".join(cell["source"]) for name, cell in answers.items() if cell}
