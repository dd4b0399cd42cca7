"""Hides the outputs that the prose lets the reader predict.

A cell with such an output is tagged `predict`: here, if it prints right after a question, or by its
chapter. The committed notebook keeps the output, folded, for nbval. A notebook that is handed to a
learner has neither that output nor any execution count, and no check or quiz looks as if it ran.
The paragraph after the cell gives the output away, so it is folded in every notebook.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

from autograde.kit.cell_role import CellRole, cell_role
from bilingual import Text

TAG = "predict"
QUESTION = re.compile(r"\?[\s*\"')]*\Z")  # at the end of English prose
GUESS = Text(en="Guess first, then read on", zh="先猜，再往下读")
PICTURE = re.compile(
    r"((?:\*(?:Picture: |图：).*?\*\n\n)?)(.+)", re.DOTALL
)  # a caption, and the rest
PRINTS, DRAWS = re.compile(r"\bprint\("), re.compile(r"\b(picture|explore|watch)\(")


def tag_answers(cells: list[NotebookNode]) -> None:
    """Tag each cell of code that prints the answer to the question right before it.

    A cell that draws is left to its chapter: the reader is to look at the picture.
    """
    for english, _, cell in zip(cells, cells[1:], cells[2:], strict=False):
        question = english.metadata.get("lang") == "en" and QUESTION.search(english.source)
        answer = PRINTS.search(cell.source) and not DRAWS.search(cell.source)
        if question and cell.cell_type == "code" and answer and not is_predicted(cell):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), TAG]


def fold_answers(cells: list[NotebookNode]) -> None:
    """Fold the first paragraph of the prose after each output that the reader is to predict.

    A picture's caption stays in sight, and so do a new heading and every later paragraph, which
    begin another subject.
    """
    for code, *twins in zip(cells, cells[1:], cells[2:], strict=False):
        for cell in twins if is_predicted(code) else []:
            role = cell_role(cell)
            if role and role.role == "prose" and not cell.source.startswith("#"):
                cell.source = _with_fold(cell.source, GUESS.in_language(role.lang))


def _with_fold(prose: str, summary: str) -> str:
    picture, answer = PICTURE.fullmatch(prose).groups()
    answer, gap, rest = answer.partition("\n\n")
    # without blank lines the inside is HTML, not Markdown
    fold = f"<details><summary>{summary}</summary>\n\n{answer}\n\n</details>"
    return f"{picture}{fold}{gap}{rest}"


def fold(notebook: NotebookNode) -> None:
    """Have JupyterLab fold the outputs that the reader is to predict."""
    for cell in notebook.cells:
        if is_predicted(cell):
            cell.metadata["jupyter"] = {"outputs_hidden": True}


def as_new(notebook: NotebookNode) -> None:
    """Make the notebook one that nobody has run: no counts, no answers, no points."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
        if is_predicted(cell) or (cell_role(cell) or CellRole("code")).role in ("check", "quiz"):
            cell.outputs = []
            cell.metadata.pop("jupyter", None)


def is_predicted(cell: NotebookNode) -> bool:
    """Return whether the prose asks what this cell will show."""
    return TAG in cell.metadata.get("tags", [])
