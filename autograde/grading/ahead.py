"""Judges submissions in other processes before nbgrader comes to them; nbgrader's own run waits.

nbgrader takes one submission after the other, reads, judges and saves it: one writer of the
gradebook, and nothing that runs side by side. So the slow part is begun earlier, elsewhere, and
when nbgrader comes to that submission its outputs are there.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import threading
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import nbformat
from nbformat import NotebookNode

from autograde.grading.options import JudgeOptions
from confined.launch import GraderError

if TYPE_CHECKING:
    from autograde.grading.notebook import NotebookJudge

Files = dict[str, bytes]
Outputs = list[list[NotebookNode]]  # of each code cell

ONE_AT_A_TIME = threading.Lock()  # a Dask worker may have several threads


@functools.cache
def judge_of_this_process(options: JudgeOptions) -> NotebookJudge:
    """Return the one judge of a pool's process: it takes seconds to start."""
    from autograde.grading.notebook import NotebookJudge  # brings torch; the grader does without

    return NotebookJudge(options)


def judged(
    cells: list[NotebookNode], files: Files, seed: int | None, options: JudgeOptions
) -> Outputs:
    """Return the outputs of the code cells; what a pool's process does.

    When the judge itself fails it is started anew and tries once more; then `GraderError`.
    """
    with ONE_AT_A_TIME:
        judge = judge_of_this_process(options)
        try:
            judge.judge(cells, files, seed)
        except GraderError:
            judge_of_this_process.cache_clear()
            judge.close()
            judge_of_this_process(options).judge(cells, files, seed)
    return [cell.outputs for cell in cells if cell.cell_type == "code"]


@dataclass
class Ahead:
    """Stands where a `NotebookJudge` stands, and has begun before it is asked."""

    executor: Executor
    options: JudgeOptions
    begun: dict[str, Future[Outputs]] = field(default_factory=dict)

    def begin(self, cells: list[NotebookNode], files: Files, seed: int | None = None) -> str:
        """Start judging a submission that nbgrader will come to; return the key to `forget` it."""
        key = _key(cells, files, seed)
        if key not in self.begun:
            self.begun[key] = self.executor.submit(judged, cells, files, seed, self.options)
        return key

    def forget(self, key: str) -> None:
        """Drop a submission that nbgrader has passed, if it never came to ask."""
        unasked = self.begun.pop(key, None)
        if unasked:
            unasked.cancel()

    def judge(self, cells: list[NotebookNode], files: Files, seed: int | None = None) -> None:
        """Write the outputs into the code cells; wait for them if need be."""
        try:
            outputs = self.begun.pop(self.begin(cells, files, seed)).result()
        except BrokenExecutor:  # a process of the pool died, over this submission or another one
            outputs = self.executor.submit(judged, cells, files, seed, self.options).result()
        code = [cell for cell in cells if cell.cell_type == "code"]
        for count, (cell, shown) in enumerate(zip(code, outputs, strict=True), start=1):
            cell.outputs = [nbformat.from_dict(output) for output in shown]
            cell.execution_count = count


def _key(cells: list[NotebookNode], files: Files, seed: int | None) -> str:
    parts = [[cell.cell_type, cell.source, cell.metadata.get("nbgrader")] for cell in cells]
    digest = hashlib.sha256(json.dumps([seed, parts], sort_keys=True).encode())
    for name, content in sorted(files.items()):
        digest.update(os.fsencode(name) + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()
