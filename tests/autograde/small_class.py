"""A class of ten and its gradebook, made without a kernel, by nbgrader's API.

One assignment, `77_kit`: the exercise `double` (2 points) and then `a_why`, by hand (3 points).
"""

import functools
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Base, Gradebook
from sqlalchemy import create_engine

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import KEY
from autograde.kit.scoring import evaluate
from autograde.kit.verdict_record import VerdictRecord

KIT = "77_kit"
CONFIG = 'c = get_config()\nc.CourseDirectory.release_directory = "notebooks"\n'
SCRIPT = "<script>document.title = 'taken'</script>"
HOSTILE = "<script>boom"  # a student's id: a folder's name has no slash
FORMULA = '=HYPERLINK("https://example.org")'
DUE = "2026-09-14 15:00:00"

# id: last name, first name
NAMES = {
    "ada": ("Ada Lovelace", ""),
    "ben": ("本", "小"),
    "cai": ("蔡", "伦"),
    "dot": ("Dot", "D"),
    "eve": ("Eve", "E"),
    "fay": ("Fay", "F"),
    "gus": ("Gus", "G"),
    "hal": ("Hal", "H"),
    "ivy": ("Ivy", "I"),
    HOSTILE: (SCRIPT, FORMULA),
}


def stub(x):
    raise NotImplementedError


def verdict(answer):
    """Return the output that a check leaves for this answer."""
    return check_output(VerdictRecord.of(evaluate(exercise("double"), answer)).to_json())


def check_output(payload):
    """Return an output that holds this payload, whoever wrote it."""
    data = {"text/plain": "the report"}
    return new_output("display_data", data=data, metadata={KEY: payload})


def error(name, message):
    return new_output("error", ename=name, evalue=message, traceback=[])


def forged():
    """Return a verdict that a submission made up, full of markup."""
    reason = {"en": SCRIPT, "zh": SCRIPT}
    facts = {"unsolved": False, "failed": [SCRIPT, "values"]}
    facts["cause"] = {"kind": "misconception", "name": SCRIPT}
    return check_output({"exercise": "double", **facts, "reason": reason})


def outputs():
    """Return what each graded student's check left, and the points that nbgrader gave for it."""
    squares = exercise("double").misconceptions[0].answer
    return {
        "ada": ([verdict(lambda x: 2 * x)], 2.0),
        "ben": ([verdict(squares)], 0.5),
        "cai": ([verdict(squares)], 0.5),
        "dot": ([verdict(stub)], 0.0),
        "eve": ([verdict(lambda x: x[:1])], 0.0),
        "fay": ([error("NameError", f"{SCRIPT} is not defined by Fay")], 0.0),
        HOSTILE: ([forged()], 0.5),
    }


def graded(name, outputs=()):
    """Return a cell that nbgrader grades."""
    by_hand = name == "a_why"
    metadata = {"nbgrader": {"grade_id": name, "grade": True, "solution": by_hand}}
    if by_hand:
        return new_markdown_cell("Because.", metadata=metadata)
    return new_code_cell('check("double", double)', metadata=metadata, outputs=list(outputs))


def notebook(folder, step, student, outputs=(), chapter=KIT):
    path = folder / step / student / chapter / f"{chapter}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=[graded("double", outputs), graded("a_why")]), path)
    return path


def make_course(folder: Path, graded_too: bool = True) -> Path:
    """Make the course in `folder`; without `graded_too`, its gradebook has no submission."""
    folder.mkdir()
    for path, content in _course_files(graded_too).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@functools.cache
def _course_files(graded_too: bool) -> dict[Path, bytes]:
    """Return the course, made once: nbgrader takes as long for it as most tests for all else."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _fill_course(folder, graded_too)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder): path.read_bytes() for path in files}


def _fill_course(folder: Path, graded_too: bool) -> None:
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook(folder, "notebooks", ".")
    engine = create_engine(address(folder))
    Base.metadata.create_all(engine)  # Gradebook does it too, and starts alembic to do so
    engine.dispose()
    with gradebook(folder) as book:
        book.add_assignment(KIT, duedate=DUE)
        book.add_notebook(KIT, KIT)
        book.add_grade_cell("double", KIT, KIT, max_score=2, cell_type="code")
        book.add_grade_cell("a_why", KIT, KIT, max_score=3, cell_type="markdown")
        book.add_solution_cell("a_why", KIT, KIT)
        for student, (last, first) in NAMES.items():
            book.add_student(student, last_name=last, first_name=first)
        if graded_too:
            fill(book, folder)


def address(folder: Path) -> str:
    return f"sqlite:///{folder / 'gradebook.db'}"


def gradebook(folder: Path) -> Gradebook:
    return Gradebook(address(folder))


def fill(book: Gradebook, folder: Path) -> None:
    for student, (cell_outputs, score) in outputs().items():
        notebook(folder, "submitted", student)
        notebook(folder, "autograded", student, cell_outputs)
        when = "2026-09-14 17:30:00" if student == "cai" else "2026-09-14 12:00:00"
        hand_in(book, student, when)
        grade = book.find_grade("double", KIT, KIT, student)
        grade.auto_score, grade.needs_manual_grade = score, False
        by_hand = book.find_grade("a_why", KIT, KIT, student)
        by_hand.needs_manual_grade = student in ("ben", "cai")
        if student == "ada":
            by_hand.manual_score = 2.5
        if student == "dot":  # as it was released
            book.find_comment("a_why", KIT, KIT, student).auto_comment = "No response."
    book.find_submission_notebook(KIT, KIT, "cai").late_submission_penalty = 0.25
    # gus handed in half of a file, hal after the class was graded, ivy nothing
    hand_in(book, "gus", "2026-09-14 12:00:00")
    notebook(folder, "submitted", "gus").write_text('{"cells": [', encoding="utf-8")
    notebook(folder, "submitted", "hal")
    book.db.commit()


def hand_in(book: Gradebook, student: str, when: str, chapter: str = KIT) -> None:
    with book.db.no_autoflush:  # nbgrader's own order of things makes SQLAlchemy warn
        book.add_submission(chapter, student, timestamp=when)
