"""A submission becomes a graded notebook: one function, wherever a submission is graded.

`python -m autograde grade`, `nbgrader autograde` and formgrader's button all have a process of a
pool call it, alone or on a cluster. That process alone parses what a student wrote, and has limits
of its own (`grader_limits.py`); the one that writes the gradebook reads what comes out of here.
"""

from __future__ import annotations

import functools
import json
import threading
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from autograde.grading.cells import read_cells
from autograde.grading.files import NotGradable, Submission
from autograde.grading.grader_limits import time_limit
from autograde.grading.limits import LATER
from autograde.grading.options import GradingOptions
from autograde.grading.rebuild import rebuild
from autograde.grading.record import Record
from autograde.teacher.problem import OTHER_CHAPTER
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
        # on a busy machine its start takes a while
        grader, close = _grader_of_this_process(options)
        try:
            return call_within(seconds, _graded, grader, submission, record, seed)
        except (TooSlow, MemoryError) as error:
            _end(close)  # its worker may be in the middle of a message
            raise NotGradable(f"{type(error).__name__}: it takes too much of the grader") from None
        except PermanentError:  # the grader has finished, and serves the next one
            raise
        except GraderError:
            _end(close)
            raise


def _graded(grader: NotebookGrader, submission: Submission, record: Record, seed: int) -> str:
    cells = submitted_cells(submission.notebook, record)
    grader.grade(cells, submission.files, seed, record.demonstrations)
    # made here, so nothing to validate; in one line, since the writer lays it out for the file
    return json.dumps({**FORMAT, "metadata": METADATA, "cells": cells})


@functools.cache
def _grader_of_this_process(options: GradingOptions) -> tuple[NotebookGrader, Finalize]:
    """Return the one grader of a pool's process, which takes seconds to start, and its end."""
    import torch  # the writer does without

    from autograde.grading.notebook import NotebookGrader

    torch.set_num_threads(1)  # more of them wait: tensors are small, and each core has a grader
    grader = NotebookGrader(options)
    return grader, Finalize(None, grader.close, exitpriority=0)  # such a process runs no atexit


def _end(close: Finalize) -> None:
    _grader_of_this_process.cache_clear()
    close()


def submitted_cells(content: bytes, record: Record) -> list[NotebookNode]:
    """Return the rebuilt cells of a submitted file; `NotGradable` whatever is wrong with it."""
    cells, names = read_cells(content), {cell.name for cell in record.cells}
    if names and names.isdisjoint(cell.name for cell in cells):
        raise NotGradable(OTHER_CHAPTER.label())
    return rebuild(cells, record)
