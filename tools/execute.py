"""Runs a notebook from top to bottom and keeps what a reader should see, the same every time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from nbclient import NotebookClient
from nbformat import NotebookNode

WIDGET = "application/vnd.jupyter.widget-view+json"  # names a model that is gone, by a random id
SECONDS = 300  # for one cell: far more than any needs, so that a busy machine does not fail


def execute(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook with outputs; `nbclient.exceptions.CellExecutionError` if a cell fails.

    No timing, no widget state (it is blank or invalid for many readers), messages in both
    languages; the progress of whoever builds stays untouched.
    """
    with tempfile.TemporaryDirectory() as folder, _environment(folder):
        NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,  # else where a stream is cut depends on the load
            extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns of loopback
            resources={"metadata": {"path": folder}},
        ).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
    return notebook


@contextmanager
def _environment(folder: str) -> Iterator[None]:
    fixed = {"POSENC_LANGUAGE": "both", "POSENC_DATA_DIR": folder, "POSENC_DEVICE": "cpu"}
    before = {name: os.environ.get(name) for name in fixed}
    os.environ.update(fixed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
