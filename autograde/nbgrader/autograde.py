"""nbgrader's autograde step with the judge in it; nbgrader_config.py switches it on.

nbgrader reads a submission, sanitises it, executes it, and saves the scores of the outputs. Three
of its parts are replaced: how a submission is read (`SubmittedNotebook`), who its cells are
(`Rebuild`, for the steps that sanitise), and how they are run (`Judge`, for `Execute`). The
gradebook, feedback, manual grading and export stay nbgrader's own.

nbgrader writes the sanitised notebook to a file and reads that again. Here both are one step: the
first writes an empty notebook, so that none lies unjudged among what is graded.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any as AnyValue

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import (
    CheckCellMetadata,
    Execute,
    NbGraderPreprocessor,
    OverwriteKernelspec,
)
from traitlets import Any, Bool, Dict, Instance, Integer, Unicode, default

from autograde.grading.files import beside, remove_links
from autograde.grading.options import JudgeOptions
from autograde.grading.rebuild import NotGradable, rebuild, without_format_warnings
from autograde.grading.record import read_record
from confined.limits import Limits

if TYPE_CHECKING:
    from autograde.grading.notebook import NotebookJudge

BYTES = 50 << 20  # of a submitted notebook, outputs and pasted pictures included

Step = tuple[NotebookNode, dict[str, AnyValue]]


class SubmittedNotebook(NotebookExporter):
    """Reads submissions of sensible size, and keeps the judge for as long as a class is graded."""

    limits = Dict(help="what a submission may use: see confined/limits.py").tag(config=True)
    shown = Bool(True, help="run cells again for the feedback page's pictures").tag(config=True)
    seed = Integer(None, allow_none=True, help="of the inputs; none: a new one each").tag(
        config=True
    )
    lowest_tier = Integer(1, help="the weakest confinement that will do").tag(config=True)
    optimistic_validation = True  # once at the end, not after each step
    judge = Any()
    submitted = Unicode(help="the file that is graded, once nbgrader has named it")

    @default("judge")
    def _started(self) -> NotebookJudge:
        from autograde.grading.notebook import NotebookJudge  # brings torch; most steps do without

        judge = NotebookJudge(self.options())
        weakref.finalize(self, judge.close)
        return judge

    def options(self) -> JudgeOptions:
        """Return how the course wants to be judged."""
        return JudgeOptions(Limits(**self.limits), self.shown, self.lowest_tier)

    def from_filename(
        self, filename: str, resources: dict[str, AnyValue] | None = None, **kwargs: AnyValue
    ) -> Step:
        """Return the notebook in a file; `NotGradable` if it is far too large or too deep."""
        size = os.path.getsize(filename)
        if size > BYTES:
            raise NotGradable(f"{filename} has {size} bytes, a notebook at most {BYTES}")
        if not self._preprocessors:  # SANITISED
            self.submitted = filename
            empty = nbformat.writes(new_notebook())
            return empty, {**(resources or {}), "output_extension": self.file_extension}
        try:
            with without_format_warnings():
                return super().from_filename(filename, resources, **kwargs)
        except RecursionError as error:
            raise NotGradable(f"{filename} is nested too deeply") from error

    def from_file(self, file_stream: AnyValue, *args: AnyValue, **kwargs: AnyValue) -> Step:
        """Return what was handed in, where the file holds the empty notebook of the first step."""
        if not self.submitted:
            return super().from_file(file_stream, *args, **kwargs)
        with open(self.submitted, encoding="utf-8") as handed_in:
            return super().from_file(handed_in, *args, **kwargs)


class Rebuild(NbGraderPreprocessor):
    """Gives the cells of a submission the identity that the gradebook has of them."""

    def preprocess(self, notebook: NotebookNode, resources: dict[str, AnyValue]) -> Step:
        """Return the notebook made of the student's words and the record's facts."""
        course = resources["nbgrader"]
        with Gradebook(course["db_url"]) as gradebook:
            record = read_record(gradebook, course["notebook"], course["assignment"])
        notebook.cells = rebuild(notebook, record)
        notebook.metadata = NotebookNode(language_info={"name": "python"})
        notebook.nbformat, notebook.nbformat_minor = 4, 5
        return notebook, resources


class Judge(NbGraderPreprocessor):
    """Runs the cells in confined processes and judges the answers; stands in place of Execute."""

    parent = Instance(SubmittedNotebook)

    def preprocess(self, notebook: NotebookNode, resources: dict[str, AnyValue]) -> Step:
        """Return the notebook with its outputs and scores."""
        files = beside(Path(resources["metadata"]["path"]))
        self.parent.judge.judge(notebook.cells, files, self.parent.seed)
        return notebook, resources


# What follows Rebuild in nbgrader's own lists makes sure of metadata, checksums and locked words by
# the same record, cell by cell: done already.
SANITISED: list[type] = []
JUDGED = [
    Rebuild,
    OverwriteKernelspec,
    *(
        Judge if step is Execute else step
        for step in Autograde.autograde_preprocessors.default_args[0]
        if step is not CheckCellMetadata
    ),
]


def without_links(assignment: str, student: str, notebooks: list[str]) -> None:
    """Remove what is no plain file from a submission: nbgrader's pre_convert_hook."""
    for folder in {Path(notebook).parent for notebook in notebooks}:
        remove_links(folder)
