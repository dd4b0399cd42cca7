"""nbgrader's generate step, told what a teacher has chosen in course.toml."""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Dict, List, Unicode

from bilingual import Text

NOT_TAUGHT = Text(
    en="{chapter} is not among the chapters of course.toml",
    zh="course.toml的章节里没有{chapter}",
)
TASK = re.compile(r"^### (?:Exercise: |练习：).+\n\n`(\w+)` · ", re.MULTILINE)
POINTS = re.compile(r"· (?:[\d.]+ points?|[\d.]+分)$", re.MULTILINE)


class KeepChoices(NbGraderPreprocessor):
    """Leaves out exercises, and says what the others are worth, in every cell that says so."""

    chapters = List(Unicode(), allow_none=True, default_value=None).tag(config=True)
    left_out = List(Unicode()).tag(config=True)
    points = Dict().tag(config=True)
    deadlines = Dict(help="ISO 8601, with the time zone").tag(config=True)

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as it is taught; ValueError if its chapter is not."""
        chapter = resources["nbgrader"]["assignment"]
        if self.chapters is not None and chapter not in self.chapters:
            raise ValueError(str(NOT_TAUGHT.format(chapter=chapter)))
        if chapter in self.deadlines:
            with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
                gradebook.update_or_create_assignment(chapter, duedate=self.deadlines[chapter])
        kept = []
        for cell in notebook.cells:
            name = _exercise(cell)
            if name in self.left_out:
                continue
            if name in self.points:
                _revalue(cell, name, self.points[name])
            kept.append(cell)
        notebook.cells = kept
        return notebook, resources


def _exercise(cell: NotebookNode) -> str | None:
    """Return the exercise that a cell belongs to: its task, its answer, its check."""
    task = TASK.search(cell.source) if cell.cell_type == "markdown" else None
    return task[1] if task else cell.metadata.get("exercise") or cell.metadata.get("check")


def _revalue(cell: NotebookNode, name: str, points: float) -> None:
    if "check" in cell.metadata:
        cell.metadata.nbgrader.points = points
        cell.source = cell.source.replace(")", f", points={points:g})", 1)
    elif cell.cell_type == "markdown":
        unit = f"{points:g}分" if cell.metadata.get("lang") == "zh" else f"{points:g} points"
        cell.source = POINTS.sub(f"· {unit}", cell.source, count=1)
