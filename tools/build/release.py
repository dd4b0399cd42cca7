"""What learners get from a source notebook: nbgrader's own generate_assignment, on one notebook."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config, PyFileConfigLoader

from bilingual import Language
from bilingual.files import write_whole
from tools.build.contents import ROOT


def release(name: str, source: NotebookNode, language: Language) -> NotebookNode:
    """Return what nbgrader makes of the source notebook of a chapter, not executed.

    RuntimeError, with nbgrader's log, if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        write_notebook(course / "solutions" / name / f"{name}.ipynb", source)
        config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
        here = {"root": str(course)}
        config.merge(Config(CourseDirectory=here, KeepLanguage={"language": language}))
        unsaved = {"GenerateAssignment": {"no_database": True}}  # a gradebook would start alembic
        unsaved |= {step: {"enabled": False} for step in ("SaveCells", "RecordNoKernel")}
        config.merge(Config(unsaved))
        result = NbGraderAPI(config=config, log_level=logging.WARNING).generate_assignment(name)
        if not result["success"]:
            raise RuntimeError(f"nbgrader generate_assignment failed for {name}:\n{result['log']}")
        return nbformat.read(course / "notebooks" / name / f"{name}.ipynb", as_version=4)


def write_notebook(path: Path, notebook: NotebookNode) -> None:
    """Write a notebook, whole or not at all."""
    write_whole(path, f"{nbformat.writes(notebook)}\n".encode())
