"""Students who handed in again since `grade` last ran, by its records in `grading/`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograde.grading.journal import fingerprint, graded_last
from autograde.register.results import SubmissionResult
from autograde.teacher.course_folder import notebook_of


def handed_in_again(
    folders: CourseDirectory, chapter: str, results: Iterable[SubmissionResult]
) -> set[str]:
    """Return the students whose submission is no longer the one that has these results.

    Work graded by nbgrader's own commands is not compared: they leave no record.
    """
    folder = Path(folders.root) / "grading"
    # Windows, which cannot open a path without following links, cannot grade either
    graded = graded_last(Path(folders.root), chapter) if hasattr(os, "O_NOFOLLOW") else {}
    students: set[str] = set()
    for result in results:
        notebook = notebook_of(folders, folders.submitted_directory, result.student, chapter)
        log = folder / "logs" / chapter / f"{result.student}.log"  # if it could not be graded
        with suppress(OSError):  # a file is missing or cannot be read
            time = notebook.stat().st_mtime
            if result.problem:
                is_other = time > log.stat().st_mtime
            else:
                is_other = graded.get(result.student) not in (None, fingerprint(notebook.parent))
            if is_other:
                students.add(result.student)
    return students
