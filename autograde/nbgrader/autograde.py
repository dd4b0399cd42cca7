"""nbgrader's autograde, with the course's grading in it; nbgrader_config.py switches it on.

nbgrader reads a submission, writes it sanitised into `autograded/`, reads that again, executes it,
and saves the scores of the outputs. Here the exporter that reads a submission gives the graded
notebook at once, from the function that `python -m autograde grade` calls too. What nbgrader then
reads back is saved by its own steps. The gradebook, feedback, manual grading and export stay
nbgrader's own.
"""

from __future__ import annotations

import secrets
import weakref
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from pathlib import Path
from typing import Any as AnyValue

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from traitlets import Any, Bool, Dict, Enum, Integer, default

from autograde.grading.access import give_access
from autograde.grading.files import no_access, read_submission, remove_links
from autograde.grading.left_out import leave_out
from autograde.grading.options import GradingOptions
from autograde.grading.paths import is_legible
from autograde.grading.record import read_record
from autograde.grading.submission import grade_submission
from autograde.grading.timestamp import handed_in_at, set_odd_timestamp_aside
from autograde.nbgrader.late import require_times
from bilingual import LANGUAGES
from confined.limits import Limits

Resources = dict[str, AnyValue]


class SubmittedNotebook(NotebookExporter):
    """Gives the graded notebook where nbgrader reads a submitted one."""

    limits = Dict(help="what a submission may use: see confined/limits.py").tag(config=True)
    pictures = Bool(True, help="run cells again for the feedback page's pictures").tag(config=True)
    seed = Integer(None, allow_none=True, help="of the inputs; None: a new one each").tag(
        config=True
    )
    lowest_tier = Integer(1, help="the weakest confinement that will do").tag(config=True)
    language = Enum(LANGUAGES, None, allow_none=True, help="zh, en or both").tag(config=True)
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
        """Refuse times that cannot be, and look at each submission before nbgrader does."""
        super().__init__(**kwargs)
        if isinstance(self.parent, Autograde):
            require_times(self.parent)
            self.parent.run_pre_convert_hook = self._run_hook

    def _run_hook(self) -> None:
        """Let what the hook raises end this submission: nbgrader's own would only log it.

        And let no moment of an earlier submission stay where this one says none; nbgrader goes on
        to log the name of each notebook that it does not know.
        """
        course = self.parent.coursedir
        notebooks = self.parent.notebooks
        self.parent.pre_convert_hook(course.assignment_id, course.student_id, notebooks)
        self.parent.notebooks = [one for one in notebooks if is_legible(Path(one).name)]
        with Gradebook(course.db_url, course.course_id) as gradebook:
            for folder in {Path(notebook).parent for notebook in notebooks}:
                with suppress(MissingEntry):  # the first: nbgrader enters it next
                    earlier = gradebook.find_submission(folder.name, folder.parent.name)
                    earlier.timestamp = handed_in_at(folder)
            gradebook.db.commit()

    def options(self) -> GradingOptions:
        """Return how the course wants to be graded."""
        limits = Limits(**self.limits)
        return GradingOptions(limits, self.pictures, self.lowest_tier, self.language)

    def from_filename(
        self, filename: str, resources: Resources | None = None, **kwargs: AnyValue
    ) -> tuple[str, Resources]:
        """Return the graded notebook of a submitted file, as text; other files as they are.

        Raises `NotGradable` for a file that holds no notebook of the chapter.
        """
        place = (resources or {}).get("nbgrader", {})
        if not self._is_submission(filename, place):
            return super().from_filename(filename, resources, **kwargs)
        course = self.parent.coursedir
        source = Path(course.format_path(course.source_directory, ".", place["assignment"]))
        with Gradebook(place["db_url"]) as gradebook:
            record = read_record(gradebook, place["notebook"], place["assignment"], source)
        submission = read_submission(Path(filename), source)
        seed = secrets.randbits(31) if self.seed is None else self.seed
        arguments = (grade_submission, submission, record, seed, self.options())
        try:
            text = self.executor.submit(*arguments).result()
        except BrokenExecutor:  # the process died: once more, in a new one
            text = self.executor.submit(*arguments).result()
        return text, {**resources, "output_extension": self.file_extension}

    def _is_submission(self, filename: str, place: dict[str, str]) -> bool:
        if not place:
            return False
        course = self.parent.coursedir
        folder = course.format_path(
            course.submitted_directory, place["student"], place["assignment"]
        )
        return Path(filename).parent.resolve() == Path(folder).resolve()


def keep_what_counts(assignment: str, student: str, notebooks: list[str]) -> None:
    """Leave nbgrader only what grading takes to read and copy: nbgrader's pre_convert_hook.

    Raises NotGradable where that cannot be, in a folder of another user's.
    """
    for folder in {Path(notebook).parent for notebook in notebooks}:
        try:
            give_access(folder)
            remove_links(folder)
            set_odd_timestamp_aside(folder)
            leave_out(folder)
        except OSError as error:
            raise no_access(error) from error
