"""A kernel in which the cells of several notebooks take turns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from bilingual import Language

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1200  # for one cell: far more than any needs, so that a busy machine does not fail
LISTEN = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
from tools.build.listener import Listener
_listener = Listener()"""


class Kernel:
    """A kernel in which the cells of several notebooks take turns."""

    def __init__(self, client: NotebookClient, folder: str) -> None:
        """Use the kernel of `client`; `folder` holds the records of all readers."""
        self._client, self._folder = client, folder

    def run(self, source: str) -> list[NotebookNode]:
        """Run code that is in no notebook; return its outputs."""
        return self.outputs(new_code_cell(source), store_history=False)

    def begin(self, language: Language, data: str, before: str) -> None:
        """Begin a cell for a reader of `language`, whose records are in the folder `data`."""
        folder = os.path.join(self._folder, data)
        self.run(f"_listener.begin({language!r}, {folder!r})\n{before}")

    def heard(self) -> bool:
        """Return whether the cell that ran last rendered a `Text`."""
        return self.run("print(_listener.heard)")[0].text.strip() == "True"

    def outputs(self, cell: NotebookNode, *, store_history: bool = True) -> list[NotebookNode]:
        """Run a cell of a notebook; return its outputs."""
        self._client.reset_execution_trackers()  # no cell may update the output of another
        self._client.nb.cells = [cell]
        self._client.execute_cell(cell, 0, store_history=store_history)
        return cell.outputs


@contextmanager
def kernel(prepare: str = "") -> Iterator[Kernel]:
    """Start a kernel and yield it; prepare: code that it runs first."""
    fixed = {"POSENC_LANGUAGE": "both", "POSENC_DEVICE": "cpu"}
    fixed["OMP_NUM_THREADS"] = "1"  # a kernel runs on each core: two threads wait for each other
    with TemporaryDirectory() as folder, patch.dict(os.environ, fixed, POSENC_DATA_DIR=folder):
        client = NotebookClient(
            new_notebook(),
            timeout=SECONDS,
            iopub_timeout=SECONDS,  # else outputs that are 4 s late are silently dropped
            raise_on_iopub_timeout=True,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,  # else streams are split by the load
            extra_arguments=["--IPKernelApp.log_level=ERROR"],  # it warns of loopback
            resources={"metadata": {"path": folder}},
        )
        with client.setup_kernel():
            running = Kernel(client, folder)
            running.run(f"{LISTEN}\n{prepare}")
            yield running
