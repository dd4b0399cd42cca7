"""Attacks as submissions: what lies in the folder that a student hands in.

An attack is a module with any of these: `ANSWER`, the source of the answer cell; `attack(book)`,
which edits the released notebook; `file(text)`, which gives the bytes of the file; and
`beside(folder, course)`, which puts files next to it. `NEEDS` is the weakest tier of confinement
that stands against it (3 if not given), `PLAIN` why plain nbgrader is not shown this attack.
"""

from __future__ import annotations

import importlib
import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import nbformat
from nbformat.v4 import new_code_cell

from autograde.demo.workbook import Workbook
from autograde.grading.demonstrations import demonstrations
from autograde.grading.record import Record, RecordedCell
from tests.security.pieces import CHAPTER, EXERCISE, WORTHLESS

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "notebooks" / CHAPTER / f"{CHAPTER}.ipynb"
SOLVED = ROOT / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
BOOK = Workbook(RELEASED, SOLVED)  # to copy it takes an eighth of the time that reading takes
FIRST = "import torch\nfrom autograde import check\n\ncourse = {course!r}"
LOOK_AROUND = "import os\n\nprint(os.listdir(), os.listdir('/tmp'), os.listdir('/dev/shm'))"


@dataclass(frozen=True)
class Attack:
    """One file of `attacks/`."""

    name: str
    module: ModuleType

    @property
    def title(self) -> str:
        """Return the line on what it tries."""
        return self.module.__doc__.strip()

    @property
    def needs(self) -> int:
        """Return the weakest tier that stands against it."""
        return getattr(self.module, "NEEDS", 3)

    @property
    def not_plain(self) -> str:
        """Return why plain nbgrader is not shown it, or nothing."""
        return getattr(self.module, "PLAIN", "")

    def hand_in(self, folder: Path, course: Path) -> None:
        """Write the submission into `folder`; it knows where the teacher's course is."""
        folder.mkdir(parents=True)
        book = new_book(course)
        book.write(EXERCISE, self._answer())
        if hasattr(self.module, "attack"):
            self.module.attack(book)
        text = json.dumps(book.notebook)
        content = self.module.file(text) if hasattr(self.module, "file") else text.encode()
        (folder / f"{CHAPTER}.ipynb").write_bytes(content)
        if hasattr(self.module, "beside"):
            self.module.beside(folder, course)

    def _answer(self) -> str:
        answer = getattr(self.module, "ANSWER", "")
        return answer if f"def {EXERCISE}(" in answer else answer + WORTHLESS


def attacks() -> list[Attack]:
    """Return all of them, by name."""
    files = sorted((Path(__file__).parent / "attacks").glob("*.py"))
    return [
        Attack(path.stem, importlib.import_module(f"tests.security.attacks.{path.stem}"))
        for path in files
    ]


def new_book(course: Path) -> Workbook:
    """Return the graded part of the released notebook; its first cell says where the course is."""
    book = deepcopy(BOOK)
    graded = [cell for cell in book.notebook.cells if "nbgrader" in cell.metadata]
    book.notebook.cells = [new_code_cell(FIRST.format(course=str(course)), id="course"), *graded]
    return book


def honest_text(course: Path) -> str:
    """Return the notebook of a student who solves everything, and looks what others have left."""
    book = new_book(course)
    book.write(EXERCISE, f"{book.solution(EXERCISE)}\n\n\n{LOOK_AROUND}")
    return book.text()


def record() -> Record:
    """Return what a gradebook knows of the chapter."""
    cells = nbformat.read(RELEASED, as_version=4).cells
    return Record(
        tuple(
            RecordedCell(
                name=metadata.grade_id,
                cell_type=cell.cell_type,
                source=cell.source,
                checksum=metadata.get("checksum", ""),
                grade=metadata.grade,
                solution=metadata.solution,
                task=metadata.get("task", False),
                locked=metadata.locked,
                points=metadata.get("points"),
            )
            for cell in cells
            if (metadata := cell.metadata.get("nbgrader"))
        ),
        demonstrations(RELEASED),
    )
