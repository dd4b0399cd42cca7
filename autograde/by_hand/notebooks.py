"""The graded notebooks of a class, each read once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograde.teacher.course_folder import cells_by_name, notebook_of

Cells = dict[str, dict[str, Any]]  # by nbgrader's grade id


class GradedNotebooks:
    """A class's graded notebooks of a chapter; one is read again once its file has changed.

    Every page needs all of them, and saving compares answers while the gradebook is locked.
    """

    def __init__(self, folders: CourseDirectory, chapter: str) -> None:
        """Read nothing yet."""
        self.chapter = chapter
        self._folders = folders
        self._cells: dict[Path, tuple[tuple[int, ...], Cells]] = {}

    def cells(self, student: str) -> Cells:
        """Return a student's graded cells without outputs; {} if the notebook is not whole."""
        folders = self._folders
        path = notebook_of(folders, folders.autograded_directory, student, self.chapter)
        try:
            status = path.stat()  # before it is read: a change meanwhile is seen next time
        except FileNotFoundError:
            return {}
        # a grader puts a new file in its place, perhaps within one tick of the clock
        stamp = status.st_ino, status.st_mtime_ns, status.st_size
        if path not in self._cells or self._cells[path][0] != stamp:
            self._cells[path] = stamp, _without_outputs(cells_by_name(path) or {})
        return self._cells[path][1]


def _without_outputs(cells: Cells) -> Cells:
    """Return the cells without their outputs: those of a whole class would not fit in memory."""
    return {
        name: {field: value for field, value in cell.items() if field != "outputs"}
        for name, cell in cells.items()
    }
