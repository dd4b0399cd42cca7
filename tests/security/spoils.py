"""A course with something to steal and to spoil, and what an attack has made of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import psutil
from nbformat import NotebookNode

from tests.security.pieces import CHAPTER

CANARY = "canary-7f3a91"  # in everything that no student may see
STOLEN = "STOLEN"  # what an attack prints when it got what it wanted
SHOWN = {"text/plain", "image/png", "image/jpeg"}
MOST = 20_000_000  # characters of a graded notebook


def make_course(folder: Path) -> Path:
    """Fill `folder` with what a teacher's machine has, and return it."""
    for name in (
        "gradebook.db",
        "nbgrader_config.py",
        "home/.ssh/id",
        f"submitted/other/{CHAPTER}/{CHAPTER}.ipynb",
        f"solutions/{CHAPTER}/{CHAPTER}.ipynb",
        "autograde/exercises/hidden.py",
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {CANARY}\n")
        path.chmod(0o666)  # nothing but confinement protects it
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o777)
    return folder


def fingerprint(course: Path) -> dict[str, str]:
    """Return a hash of every file of the course."""
    return {
        str(path.relative_to(course)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(course.rglob("*"))
        if path.is_file()
    }


def words(cells: Iterable[NotebookNode]) -> str:
    """Return all that the outputs say."""
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    return "\n".join(
        str(part)
        for output in outputs
        for part in (output.get("text"), output.get("data"), output.get("traceback"))
    )


def kinds(cells: Iterable[NotebookNode]) -> set[str]:
    """Return the kinds of content that the outputs show."""
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    return {kind for output in outputs for kind in output.get("data", {})}


def score(cells: Iterable[NotebookNode], name: str) -> float:
    """Return the points of a graded cell, as nbgrader's scorer reads them."""
    (cell,) = [
        cell
        for cell in cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == name and cell.cell_type == "code"
    ]
    results = [output for output in cell.outputs if output.output_type == "execute_result"]
    assert not [one for one in cell.outputs if one.output_type in ("error", "stream")]
    return float(results[0].data["text/plain"])


def running(variable: str, value: str) -> set[int]:
    """Return the processes that were started with this in their environment, and their forks."""
    processes = set()
    for process in psutil.process_iter():
        try:
            if process.environ().get(variable) == value and process.status() != "zombie":
                processes.add(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue  # another user's, or gone
    return processes
