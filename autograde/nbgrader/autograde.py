"""nbgrader's autograde, with the course's grading in it; nbgrader_config.py switches it on.

nbgrader reads a submission, writes it sanitised into `autograded/`, reads that again, executes it,
and saves the scores of the outputs. Here the exporter that reads a submission returns the graded
notebook at once, from the function that `python -m autograde grade` calls too. nbgrader's own steps
then save that notebook. The gradebook, feedback, manual grading and export stay nbgrader's own.
"""

from __future__ import annotations

import weakref
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from pathlib import Path
from typing import Any as AnyValue

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput, SaveAutoGrades
from traitlets import Any, default

from autograde.grading.options import SubmittedNotebook, new_seed
from autograde.grading.record import read_record
from autograde.grading.submission import grade_submission
from autograde.handed_in.files import no_access, read_submission
from autograde.handed_in.left_out import leave_out
from autograde.handed_in.paths import is_legible
from autograde.handed_in.prepare import prepare
from autograde.handed_in.timestamp import handed_in_at, set_odd_timestamp_aside
from autograde.nbgrader.late import KeepTimes, require_times

Resources = dict[str, AnyValue]

# the steps that save a graded notebook, in this order; `grading/save.py` does the same
STEPS = (LimitOutput, SaveAutoGrades, KeepTimes, AssignLatePenalties)


class GradedNotebook(SubmittedNotebook, NotebookExporter):
    """Returns the graded notebook when nbgrader reads a submitted one."""

    optimistic_validation = True  # once at the end, not after each step
    executor = Any(help="the process that grades, kept for as long as a class is graded")

    @default("executor")
    def _started(self) -> Executor:
        # cannot be imported on Windows
        from autograde.grading.pool import SCORING, SCORING_AND_PICTURES, GradingPool

        pool = GradingPool(1, SCORING_AND_PICTURES if self.pictures else SCORING)
        weakref.finalize(self, pool.shutdown)
        return pool

    def __init__(self, **kwargs: AnyValue) -> None:
        """Refuse impossible times, and check each submission before nbgrader reads it."""
        super().__init__(**kwargs)
        if isinstance(self.parent, Autograde):
            require_times(self.parent)
            for folder in self.parent.assignments:  # one odd time would end the grading of a class
                with suppress(OSError):  # refused in `from_filename`, for this student alone
                    set_odd_timestamp_aside(Path(folder))

    def from_filename(
        self, filename: str, resources: Resources | None = None, **kwargs: AnyValue
    ) -> tuple[str, Resources]:
        """Return the graded notebook of a submitted file, as text; other files as they are.

        Raises `NotGradable` for a file that holds no notebook of the chapter.
        """
        ids = (resources or {}).get("nbgrader", {})
        if not self._is_submission(filename, ids):
            return super().from_filename(filename, resources, **kwargs)
        folder, folders = Path(filename).parent, self.parent.coursedir
        keep_what_counts(ids["assignment"], ids["student"], [filename])  # the hook may have failed
        source = Path(folders.format_path(folders.source_directory, ".", ids["assignment"]))
        with Gradebook(ids["db_url"]) as gradebook:
            record = read_record(gradebook, ids["notebook"], ids["assignment"], source)
            # nbgrader keeps the time of an earlier submission if this one has no time
            entry = gradebook.find_submission(ids["assignment"], ids["student"])
            entry.timestamp = handed_in_at(folder)
            gradebook.db.commit()
        submission = read_submission(Path(filename), source)
        seed = new_seed(self.seed)
        arguments = (grade_submission, submission, record, seed, self.options())
        try:
            text = self.executor.submit(*arguments).result()
        except BrokenExecutor:  # the process died: once more, in a new one
            text = self.executor.submit(*arguments).result()
        return text, {**resources, "output_extension": self.file_extension}

    def _is_submission(self, filename: str, ids: dict[str, str]) -> bool:
        if not ids:
            return False
        folders = self.parent.coursedir
        folder = folders.format_path(folders.submitted_directory, ids["student"], ids["assignment"])
        return Path(filename).parent.resolve() == Path(folder).resolve()


def keep_what_counts(assignment: str, student: str, notebooks: list[str]) -> None:
    """Leave in the folders only what grading takes; this is nbgrader's pre_convert_hook.

    Removes from `notebooks`, nbgrader's own list, the names that are not printable: nbgrader would
    log them. Raises NotGradable if a folder cannot be changed, as another user's. nbgrader only
    logs that, so `GradedNotebook` calls this once more.
    """
    folders = {Path(notebook).parent for notebook in notebooks}
    notebooks[:] = [one for one in notebooks if is_legible(Path(one).name)]
    for folder in folders:
        prepare(folder)
        try:
            leave_out(folder)
        except OSError as error:
            raise no_access(error) from error
