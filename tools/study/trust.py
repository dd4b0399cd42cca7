"""Jupyter's trust in a notebook: without it, JupyterLab strips the scripts from stored outputs.

The course's own notebooks are trusted as its code is (whoever starts the course runs that too). A
learner's notebook stays trusted if it was, so a file from a stranger never becomes so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nbformat import NotebookNode
from nbformat.sign import NotebookNotary


def is_trusted(notebook: NotebookNode) -> bool:
    """Return whether the user has run this very notebook, or has it from the course."""
    with _notary() as notary:
        return notary.check_signature(notebook)


def trust(notebook: NotebookNode) -> None:
    """Record the notebook in Jupyter's data folder of this user as trusted."""
    with _notary() as notary:
        notary.sign(notebook)


@contextmanager
def _notary() -> Iterator[NotebookNotary]:
    notary = NotebookNotary()
    try:
        yield notary
    finally:
        notary.store.close()
