"""Small course notebooks, made as nbgrader makes them."""

from pathlib import Path

import nbformat
from ipykernel.ipkernel import IPythonKernel
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

STUB = "def answer():\n    ...  # your code"


def prose(name: str, text: str) -> NotebookNode:
    return new_markdown_cell(text, id=name)


def answer(exercise: str, stub: str = STUB, kind: str = "code") -> NotebookNode:
    graded = {
        "grade": kind == "markdown",  # by hand: nbgrader allows no other written answer
        "points": 1,
        "solution": True,
        "locked": False,
        "task": False,
        "schema_version": 3,
        "cell_type": kind,
        "grade_id": f"{exercise}-answer",
    }
    new = new_code_cell if kind == "code" else new_markdown_cell
    return new(stub, id=f"{exercise}-answer", metadata={"nbgrader": graded})


def check(exercise: str, source: str | None = None) -> NotebookNode:
    graded = {
        "grade": True,
        "solution": False,
        "locked": True,
        "task": False,
        "schema_version": 3,
        "cell_type": "code",
        "points": 2,
        "grade_id": exercise,
    }
    source = source or f'check("{exercise}", answer)'
    return new_code_cell(source, id=exercise, metadata={"nbgrader": graded, "editable": False})


def notebook(*cells: NotebookNode) -> NotebookNode:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    names = {"kernelspec": kernel, "language_info": IPythonKernel.language_info}
    return new_notebook(cells=list(cells), metadata=names)


def lesson(text: str = "first text", stub: str = STUB) -> NotebookNode:
    """A chapter with prose, a code cell and two exercises."""
    return notebook(
        prose("title", "# Rotation"),
        prose("text", text),
        new_code_cell("theta = 0.1", id="figure"),
        answer("rotate", stub),
        check("rotate"),
        answer("explain", "Write here.", kind="markdown"),
        prose("end", "Done."),
    )


def save(path: Path, chapter: NotebookNode) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(chapter, path)
    return path.read_bytes()


def load(path: Path) -> NotebookNode:
    chapter = nbformat.read(path, as_version=4)
    nbformat.validate(chapter)
    return chapter


def cell(chapter: NotebookNode, name: str) -> NotebookNode:
    (match,) = [cell for cell in chapter.cells if cell.id == name]
    return match


def sources(chapter: NotebookNode) -> list[str]:
    return [cell.source for cell in chapter.cells]
