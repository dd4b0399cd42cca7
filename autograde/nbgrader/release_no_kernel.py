"""Records a kernel that does not exist in the gradebook: no student's code runs by accident.

If nbgrader does not find `nbgrader_config.py`, or cannot read it because of an error in it, it goes
on with its own settings: it would run what students wrote in the teacher's own session, in the
kernel that the gradebook has for the chapter. The course's own grading uses no kernel.
"""

from __future__ import annotations

import json
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor

KERNEL = {
    "name": "nbgrader-config-was-not-read",  # `NoSuchKernel` shows the name
    "display_name": "nbgrader_config.py was not read",
    "language": "python",
}


class RecordNoKernel(NbGraderPreprocessor):
    """Writes `KERNEL` into the gradebook, after SaveCells; learners' notebooks keep their own."""

    def preprocess(
        self, notebook: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as it is."""
        ids = resources["nbgrader"]
        with Gradebook(ids["db_url"]) as gradebook:
            try:
                record = gradebook.find_notebook(ids["notebook"], ids["assignment"])
            except MissingEntry:  # --no-db
                return notebook, resources
            record.kernelspec = json.dumps(KERNEL)
            gradebook.db.commit()
        return notebook, resources
