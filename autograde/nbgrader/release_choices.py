"""A step of generate_assignment that applies a teacher's choices in course.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Dict, List, Unicode

from autograde.kit.catalogue import exercise
from autograde.kit.cell_role import cell_role
from autograde.kit.task import worth
from autograde.teacher.course_folder import cells_by_name, has_gradebook, notebook_of
from bilingual import Text, listed

NOT_TAUGHT = Text(
    en="{chapter} is not among the chapters of course.toml",
    zh="course.toml的章节里没有{chapter}",
)
SUBMITTED = Text(
    en="{chapter} has submissions: its exercises can no longer be left out or added ({names}). "
    "Undo the change to them in course.toml under [exercises]; to make an exercise count for "
    "nothing, set it to 0 there. The released version has not changed.",
    zh="{chapter}已有提交：不能再去掉或增加练习（{names}）。请撤回course.toml的[exercises]里对它们的"
    "改动；不想让某道题计分，就在那里把它设为0。已发布的没有改动。",
)
# totals in a chapter's opening; tests/chapters checks that they have this form
POINTS_IN_ALL = {"en": r"(?<!\d){number}(?=\s+points)", "zh": r"(?<!\d){number}(?=分(?!钟))"}
EXERCISES_IN_ALL = {"en": r"(?<!\d){number}(?=\s+exercises)", "zh": r"(?<!\d){number}(?=道练习)"}
ASKED = ("task", "answer", "check")  # roles of the cells of an exercise


class KeepChoices(NbGraderPreprocessor):
    """Leaves out exercises, and updates the points of the others in every cell that states them."""

    chapters = List(Unicode(), allow_none=True, default_value=None).tag(config=True)
    left_out = List(Unicode()).tag(config=True)
    points = Dict().tag(config=True)
    deadlines = Dict(help="ISO 8601, with the time zone").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        """Refuse what cannot be released now, before nbgrader removes what was released."""
        super().__init__(**kwargs)
        converter = getattr(self.parent, "parent", None)
        if converter is not None:
            self._require_taught(converter.coursedir.assignment_id)
            self._require_the_same_cells(converter.coursedir)

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook with the teacher's choices."""
        chapter = resources["nbgrader"]["assignment"]
        if chapter in self.deadlines:
            with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
                gradebook.update_or_create_assignment(chapter, duedate=self.deadlines[chapter])
        before = _worths(notebook.cells)
        notebook.cells = [cell for cell in notebook.cells if not self._is_left_out(cell)]
        for cell in notebook.cells:
            _revalue(cell, self.points)
        _revalue_opening(notebook.cells, before, _worths(notebook.cells))
        return notebook, resources

    def _require_taught(self, chapter: str) -> None:
        if self.chapters is not None and chapter not in self.chapters:
            self._refuse(NOT_TAUGHT.format(chapter=chapter))

    def _require_the_same_cells(self, folders: CourseDirectory) -> None:
        """Once there are submissions, refuse to add or leave out cells."""
        if not has_gradebook(folders):  # nbgrader would make one, and start alembic to do so
            return
        chapter = folders.assignment_id
        source = cells_by_name(notebook_of(folders, folders.source_directory, ".", chapter))
        with Gradebook(folders.db_url, folders.course_id) as gradebook:
            try:
                notebook = gradebook.find_notebook(chapter, chapter)
            except MissingEntry:
                return
            recorded = {cell.name for cell in notebook.source_cells}
            if not notebook.submissions or source is None:
                return
        names = {name for name, cell in source.items() if not self._is_left_out(cell)}
        exercises = {name.removesuffix("-answer") for name in names ^ recorded}
        if exercises:
            self._refuse(SUBMITTED.format(chapter=chapter, names=listed(sorted(exercises))))

    def _refuse(self, reason: Text) -> None:
        self.log.error(str(reason))  # nbgrader shows what it logs, and ends without a traceback
        raise NbGraderException(str(reason))

    def _is_left_out(self, cell: Mapping[str, Any]) -> bool:
        """Return whether a cell is the task, answer or check of an exercise that is left out."""
        role = cell_role(cell)
        return role is not None and role.role in ASKED and role.exercise in self.left_out


def _revalue(cell: NotebookNode, points: Mapping[str, float]) -> None:
    """Write an exercise's points in this course into its cells that state them: tasks, check."""
    role = cell_role(cell)
    if role is None or role.role not in ASKED or role.exercise not in points:
        return
    here = points[role.exercise]
    if role.role == "check":
        cell.metadata.nbgrader.points = here
        cell.source = _with_argument(cell.source, f"points={here:g}")
    elif role.role == "task":
        before, after = worth(exercise(role.exercise).points), worth(here)
        old, new = before.in_language(role.lang), after.in_language(role.lang)
        cell.source = cell.source.replace(f" · {old}\n", f" · {new}\n", 1)


def _worths(cells: Iterable[NotebookNode]) -> list[float]:
    """Return the points of each exercise that has a check, not of those that a teacher grades."""
    checks = [cell for cell in cells if (role := cell_role(cell)) and role.role == "check"]
    return [cell.metadata.nbgrader.points for cell in checks]


def _revalue_opening(
    cells: Iterable[NotebookNode], before: list[float], after: list[float]
) -> None:
    """Update total points and number of exercises in the prose before the first exercise."""
    for cell in cells:
        role = cell_role(cell)
        if role and role.role in ASKED:
            return
        if role and role.role == "prose":
            for forms, number in ((POINTS_IN_ALL, sum), (EXERCISES_IN_ALL, len)):
                form = forms[role.lang].format(number=f"{number(before):g}")
                cell.source = re.sub(form, f"{number(after):g}", cell.source, count=1)


def _with_argument(source: str, argument: str) -> str:
    """Return code that ends in a call, with one more argument in that call."""
    call = source.rstrip().removesuffix(")").rstrip().removesuffix(",")
    return f"{call}, {argument})"
