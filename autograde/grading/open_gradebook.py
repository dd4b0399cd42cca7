"""A gradebook that stays open for a class, and keeps a submission as a whole or not at all.

Each gradebook that nbgrader opens, three for a submission, asks for its tables and compiles every
SQL statement again. And nbgrader commits after each cell, twenty times a submission, and each time
asks again for all that it knew.
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
    """nbgrader's own saving of a notebook's points, into a gradebook that is open."""

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
    """Have the database keep what the block commits when the block ends, all of it or none."""
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
    """Keep from the log what nbgrader and its database say beside the errors that they raise."""
    with warnings.catch_warnings():  # nbgrader's of SQLAlchemy: not a teacher's to mend
        warnings.simplefilter("ignore")
        app_log.addFilter(_raised_anyway)
        try:
            yield
        finally:
            app_log.removeFilter(_raised_anyway)


def _raised_anyway(record: logging.LogRecord) -> bool:
    return record.exc_info is None  # an error of the database, which the caller gets as well
