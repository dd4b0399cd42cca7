"""nbgrader's autograde step, made to survive a copied cell."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor


class PlainDuplicates(NbGraderPreprocessor):
    """Turns copies of an nbgrader cell into plain cells.

    JupyterLab copies a cell with its metadata. nbgrader 0.9.6 then stops grading the whole class
    and blames old metadata (its issue 1083). Its own DeduplicateIds keeps the last cell of an id,
    and so does this: what runs last is what the student ended with. The copies are run, not graded.
    """

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook with every grade_id at most once."""
        seen = set()
        for cell in reversed(notebook.cells):
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if grade_id in seen:
                self.log.warning("Cell '%s' exists more than once: the last is graded", grade_id)
                for name in ("nbgrader", "deletable", "editable"):
                    cell.metadata.pop(name, None)
            elif grade_id is not None:
                seen.add(grade_id)
        return notebook, resources
