"""A submission becomes a graded notebook: one function, wherever a submission is graded.

`python -m autograde grade`, `nbgrader autograde` and formgrader's button all have a process of a
pool call it, alone or on a cluster. That process alone parses what a student wrote, and has limits
of its own (`process_limits.py`); the one that writes the gradebook reads what comes out of here.
"""

from __future__ import annotations

import functools
import threading
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from autograde.grading.files import NotGradable, Submission
from autograde.grading.options import GradingOptions
from autograde.grading.process_limits import time_limit
from autograde.grading.rebuild import rebuild, without_format_warnings
from autograde.grading.record import Record
from bilingual.setting import speak
from confined.launch import GraderError

if TYPE_CHECKING:
    from autograde.grading.notebook import NotebookGrader

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
READING_SECONDS = 60.0  # of CPU, for all that is not done by the confined worker
ONE_AT_A_TIME = threading.Lock()  # a Dask worker may have several threads


def grade_submission(
    submission: Submission, record: Record, seed: int, options: GradingOptions
) -> str:
    """Return the graded notebook as text: outputs, verdicts and points in place.

    record: the chapter as it was released. seed: of the inputs that checks draw.

    Raises:
        NotGradable: what was handed in is no notebook of that chapter.
        GraderError: this machine cannot grade, after a second try.
    """
    with ONE_AT_A_TIME:
        if options.language:
            speak(options.language)
        grader = _grader_of_this_process(options)
        with time_limit(READING_SECONDS + options.limits.submission_seconds):
            cells = submitted_cells(submission.notebook, record)
            try:
                grader.grade(cells, submission.files, seed, record.demonstrations)
                return _text(cells)
            except GraderError:
                _grader_of_this_process.cache_clear()
                grader.close()
        _grader_of_this_process(options).grade(cells, submission.files, seed, record.demonstrations)
        return _text(cells)


@functools.cache
def _grader_of_this_process(options: GradingOptions) -> NotebookGrader:
    """Return the one grader of a pool's process: it takes seconds to start."""
    from autograde.grading.notebook import NotebookGrader  # brings torch; the writer does without

    grader = NotebookGrader(options)
    Finalize(None, grader.close, exitpriority=0)  # a pool's process ends without atexit
    return grader


def submitted_cells(content: bytes, record: Record) -> list[NotebookNode]:
    """Return the rebuilt cells of a submitted file; `NotGradable` whatever is wrong with it."""
    try:
        with without_format_warnings():
            submitted = nbformat.reads(content.decode("utf-8"), as_version=4)
    except Exception as error:  # of any kind: students hand in anything
        raise NotGradable(f"{type(error).__name__}: {error}"[:500]) from None
    return rebuild(submitted, record)


def _text(cells: list[NotebookNode]) -> str:
    return nbformat.writes(new_notebook(cells=cells, metadata=METADATA))
