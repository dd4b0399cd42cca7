"""A made-up class: its list, its submissions as a platform packs them, checks of the results.

Of every twelve students, three have everything right, three half of it, and three return twice the
right result; one hands in the notebook as released, one half a file, one nothing. Ids begin with
zeros, names are hanzi.
"""

from __future__ import annotations

import csv
import shutil
import zipfile
from pathlib import Path

from autograde.demo.edits import cut_off, half, nothing, right
from autograde.demo.workbook import Workbook
from experiments.commands import ROOT

FAMILY, GIVEN = "王李张刘陈杨赵黄周吴徐孙", ("伟", "芳", "子涵", "秀英", "小雨", "磊", "静")
DOUBLED = """

right_{name} = {name}


def {name}(*args, **kwargs):
    return 2 * right_{name}(*args, **kwargs)
"""
BROKEN, MISSING = 10, 11  # of twelve


def make_course(folder: Path, chapter: str, size: int) -> None:
    """Make a course with a class list in `folder`."""
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "solutions" / chapter, folder / "solutions" / chapter)
    with (folder / "students.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("id", "first_name", "last_name", "email"))
        for number in range(size):
            first, last = GIVEN[number % len(GIVEN)], FAMILY[number % len(FAMILY)]
            table.writerow((student_id(number), first, last, f"{student_id(number)}@example.org"))


def student_id(number: int) -> str:
    """Return the id of a student, in the form that schools use."""
    return f"00{2026_0001 + number}"


def hand_in(folder: Path, chapter: str, size: int) -> None:
    """Pack the submissions as a platform does: one zip, a folder for each student."""
    archive = folder / "downloaded" / chapter / "archive" / "class.zip"
    archive.parent.mkdir(parents=True)
    texts = _submissions(folder, chapter)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(size):
            if number % 12 != MISSING:
                packed.writestr(f"{student_id(number)}/{chapter}.ipynb", texts[number % 12])


def doubled(book: Workbook) -> None:
    """Solve everything, but return twice the right result."""
    for name in book.exercises:
        book.write(name, book.solution(name) + DOUBLED.format(name=book.names[name]))


def _submissions(folder: Path, chapter: str) -> list[str]:
    """Return what the first eleven of every twelve students hand in."""
    rooms = [folder / room / chapter / f"{chapter}.ipynb" for room in ("notebooks", "solutions")]
    books = []
    for edit in [right, half, doubled] * 3 + [nothing, right]:
        books.append(Workbook(*rooms))
        edit(books[-1])
    texts = [book.text() for book in books]
    texts[BROKEN] = cut_off(texts[BROKEN])
    return texts


def require_whole(folder: Path, chapter: str, size: int) -> None:
    """Raise RuntimeError unless the exported grades and the feedback pages match the class."""
    expected = {student_id(number): number % 12 for number in range(size)}
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == chapter]
    states = {row["student_id"]: row["state"] for row in rows}
    pages = {page.parts[-3] for page in folder.glob(f"feedback/*/{chapter}/{chapter}.html")}
    graded = {student for student, kind in expected.items() if kind not in (BROKEN, MISSING)}
    groups = {(kind, states.get(student)) for student, kind in expected.items()}
    if len(rows) != size or states.keys() != expected.keys() or pages != graded:
        raise RuntimeError(f"{len(rows)} rows, {len(pages)} pages for a class of {size}")
    if len(groups) != min(size, 12):
        raise RuntimeError(f"submissions of one kind have several states: {sorted(groups)}")
