"""A gradebook that stays open for a class, and saves a submission as a whole or not at all.

nbgrader opens a gradebook three times for a submission, and each time it reads its tables and
compiles every SQL statement again. And it commits after each cell, twenty times a submission, and
each time loads everything again.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, app_log
from nbgrader.preprocessors import SaveAutoGrades


class SaveIntoOpen(SaveAutoGrades):
    """nbgrader's own saving of a notebook's points, into a gradebook that is already open."""

    gradebook: Gradebook
    notebook_id: str
    assignment_id: str
    student_id: str

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Save each cell's points."""
        for number, cell in enumerate(notebook.cells):
            self.preprocess_cell(cell, resources, number)
        return notebook, resources


@contextmanager
def transaction(gradebook: Gradebook) -> Iterator[None]:
    """Make all commits of the block one transaction, which ends with the block."""
    session = gradebook.db
    with quiet(), gradebook.engine.begin() as connection:
        session.remove()
        session.configure(
            bind=connection, join_transaction_mode="rollback_only", expire_on_commit=False
        )
        try:
            yield
        finally:
            session.remove()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep warnings of nbgrader and its database, and errors that are also raised, from the log."""
    with warnings.catch_warnings():  # SQLAlchemy's, about nbgrader: no teacher can fix them
        warnings.simplefilter("ignore")
        app_log.addFilter(_raised_anyway)
        try:
            yield
        finally:
            app_log.removeFilter(_raised_anyway)


def _raised_anyway(record: logging.LogRecord) -> bool:
    return record.exc_info is None  # drops database errors, which the caller gets as well
