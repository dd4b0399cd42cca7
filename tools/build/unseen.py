"""What is asked before it is shown: the output of a cell that the prose lets the reader predict.

A chapter tags such a cell `predict`. In the committed notebook its output is there, for nbval, and
folded. A notebook that is handed to a learner has neither that output nor any execution count.
"""

from __future__ import annotations

from nbformat import NotebookNode

TAG = "predict"


def fold(notebook: NotebookNode) -> None:
    """Have JupyterLab fold the outputs that the reader is to predict."""
    for cell in notebook.cells:
        if is_predicted(cell):
            cell.metadata["jupyter"] = {"outputs_hidden": True}


def as_new(notebook: NotebookNode) -> None:
    """Make the notebook one that nobody has run: no counts, nothing that is to be predicted."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
        if is_predicted(cell):
            cell.outputs = []
            cell.metadata.pop("jupyter", None)


def is_predicted(cell: NotebookNode) -> bool:
    """Return whether the prose asks what this cell will show."""
    return TAG in cell.metadata.get("tags", [])
