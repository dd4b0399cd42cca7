"""The one function that turns a submission into a graded notebook.

`python -m autograde grade`, `nbgrader autograde` and formgrader's button all call it, in a process
of a pool or of a cluster. Only that process parses what a student wrote, and it has limits of its
own (`grader_limits.py`); the process that writes the gradebook reads only this function's result.
"""

from __future__ import annotations

import functools
import json
import threading
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from autograde.grading.grader_limits import time_limit
from autograde.grading.limits import LATER
from autograde.grading.options import GradingOptions
from autograde.grading.rebuild import rebuild
from autograde.grading.record import Record
from autograde.handed_in.cells import read_cells
from autograde.handed_in.files import NotGradable, Submission
from autograde.handed_in.problem import OTHER_CHAPTER
from bilingual.setting import speak
from confined.deadline import TooSlow, call_within
from confined.failures import GraderError, PermanentError

if TYPE_CHECKING:
    from autograde.grading.notebook import NotebookGrader

FORMAT = {"nbformat": 4, "nbformat_minor": 5}
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
ONE_AT_A_TIME = threading.Lock()  # a Dask worker may have several threads


def grade_submission(
    submission: Submission, record: Record, seed: int, options: GradingOptions
) -> str:
    """Return the graded notebook as text: outputs, verdicts and points in place.

    record: the chapter as it was released. seed: of the inputs that checks draw.

    Raises:
        NotGradable: what was handed in is not a notebook of that chapter, or takes more time or
            memory than a submission may.
        GraderError: this machine cannot grade, after a second try.
        PermanentError: it can grade no submission of that chapter, so there is no second try.
    """
    with ONE_AT_A_TIME:
        if options.language:
            speak(options.language)
        try:
            return _graded_in_time(submission, record, seed, options)
        except PermanentError:
            raise
        except GraderError:
            from autograde.grading.fork_servers import close_fork_servers  # not on Windows

            close_fork_servers()
            return _graded_in_time(submission, record, seed, options)


def _graded_in_time(
    submission: Submission, record: Record, seed: int, options: GradingOptions
) -> str:
    seconds = options.seconds()
    with time_limit(seconds + LATER):
        # outside of `call_within`: on a busy machine the start takes a while
        grader, close = _grader_of_this_process(options)
        try:
            return call_within(seconds, _graded, grader, submission, record, seed)
        except (TooSlow, MemoryError) as error:
            _end(close)  # its worker may be in the middle of a message
            raise NotGradable(f"{type(error).__name__}: it takes too much of the grader") from None
        except PermanentError:  # the grader is intact, and serves the next submission
            raise
        except GraderError:
            _end(close)
            raise


def _graded(grader: NotebookGrader, submission: Submission, record: Record, seed: int) -> str:
    cells = submitted_cells(submission.notebook, record)
    grader.grade(cells, submission.files, seed, record.demonstrations)
    # made here, so nothing to validate; on one line, since the writer formats it for the file
    return json.dumps({**FORMAT, "metadata": METADATA, "cells": cells})


@functools.cache
def _grader_of_this_process(options: GradingOptions) -> tuple[NotebookGrader, Finalize]:
    """Return this process's only grader, which takes seconds to start, and what closes it."""
    import torch  # the writer does not need it

    from autograde.grading.notebook import NotebookGrader

    torch.set_num_threads(1)  # more would only wait: tensors are small, and each core has a grader
    grader = NotebookGrader(options)
    return grader, Finalize(None, grader.close, exitpriority=0)  # a pool's process runs no atexit


def _end(close: Finalize) -> None:
    _grader_of_this_process.cache_clear()
    close()


def submitted_cells(content: bytes, record: Record) -> list[NotebookNode]:
    """Return the rebuilt cells of a submitted file; raises `NotGradable` if anything is wrong."""
    cells, names = read_cells(content), {cell.name for cell in record.cells}
    if names and names.isdisjoint(cell.name for cell in cells):
        raise NotGradable(OTHER_CHAPTER.label())
    return rebuild(cells, record)
