"""The second run, with the reference: pictures and prints for the feedback page; not scored.

A demonstration that uses no name from a student's cell shows every student the same. It runs once,
in a process without any student's code, and its outputs go into every notebook.
"""

from __future__ import annotations

from collections.abc import Mapping

from nbformat import NotebookNode

from autograde.grading.demonstrations import Names, not_needed, same_for_all
from autograde.grading.fork_servers import HIDDEN_FROM_PICTURES, fork_server
from autograde.grading.output_budget import OutputBudget
from autograde.grading.session import Session
from confined.limits import Limits
from confined.outputs import Output


class Pictures:
    """Runs notebooks for their outputs; `close` ends the process that it has started."""

    def __init__(self, limits: Limits) -> None:
        """Start the process that workers are forked from."""
        self.zygote = fork_server(HIDDEN_FROM_PICTURES).zygote(limits)
        self.outputs: dict[tuple[str, ...], dict[str, list[Output]]] = {}  # of each chapter graded

    def show(
        self,
        cells: list[NotebookNode],
        files: dict[str, bytes],
        names: Mapping[str, Names] | None,
        demonstrations: Mapping[str, Names],
    ) -> None:
        """Set the outputs of the code cells, in place. names: of each cell of the notebook."""
        outputs, budget = self._outputs(tuple(demonstrations)), OutputBudget()
        same = same_for_all(names, demonstrations) & outputs.keys()
        stored = not_needed(names, same)
        with Session(self.zygote, files) as session:
            for cell in cells:
                code = cell.source
                cell.outputs = budget.fit(outputs[code] if code in stored else session.run(code))

    def _outputs(self, demonstrations: tuple[str, ...]) -> dict[str, list[Output]]:
        if demonstrations not in self.outputs:
            with Session(self.zygote, {}) as session:
                runs = ((source, session.run(source)) for source in demonstrations)
                self.outputs[demonstrations] = {
                    source: outputs  # a cell that fails without an answer runs with each student's
                    for source, outputs in runs
                    if not any(output["output_type"] == "error" for output in outputs)
                }
        return self.outputs[demonstrations]

    def close(self) -> None:
        """End the process."""
        self.zygote.close()
