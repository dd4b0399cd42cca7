"""What a page shows of each cell, after the run.

Prose in one language; code with its output, one of them folded if the code draws a figure or the
prose asks the reader to predict the output; exercises with their hints, without the check that
only a kernel can run; quizzes with their explanations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograde.kit.cell_role import KEY, CellRole, cell_role
from bilingual import Language
from tools.build.contents import Chapter
from tools.build.unseen import is_predicted
from tools.site.exercises import hints, quiz, where
from tools.site.words import ANSWER, CODE, FOLD, HERE, NO_OUTPUT

FIGURE = '<figure class="course-figure"'


def to_show(notebook: NotebookNode, chapter: Chapter, language: Language) -> Iterator[NotebookNode]:
    """Yield the cells of the page of a chapter, from those of its executed notebook."""
    path = f"notebooks/{chapter.name}/{chapter.name}.ipynb"
    for number, cell in enumerate(notebook.cells):
        role = cell_role(cell)
        if cell.cell_type == "markdown":
            yield new_markdown_cell(cell.source, metadata=_marks(cell))
            if number == 0:
                yield new_markdown_cell(where(HERE, path, language))
        elif role.role == "quiz":
            yield _html_cell(quiz(role.exercise, language))
        else:
            yield _code(cell, role, language)
            if role.role == "answer":
                yield _html_cell(hints(role.exercise, path, language))


def _code(cell: NotebookNode, role: CellRole, language: Language) -> NotebookNode:
    source, outputs = cell.source, cell.outputs
    if role.role == "switch":  # a page has links to its other language
        lines = [line for line in source.split("\n") if "language_switch" not in line]
        source, outputs = "\n".join(lines).strip(), []
    elif role.role == "personal":
        outputs = [new_output("stream", name="stdout", text=NO_OUTPUT.in_language(language))]
    metadata = _marks(cell) | _folded(cell, role, language)
    return new_code_cell(source, outputs=outputs, metadata=metadata)


def _folded(cell: NotebookNode, role: CellRole, language: Language) -> dict[str, Any]:
    """Return the metadata that folds an output to be predicted, or the code of a figure."""
    draws = any(FIGURE in output.get("data", {}).get("text/html", "") for output in cell.outputs)
    if is_predicted(cell):
        tag, words = "hide-output", ANSWER
    elif draws or role.role == "switch":
        tag, words = "hide-input", CODE
    else:
        return {}
    prompts = {"code_prompt_show": words, "code_prompt_hide": FOLD}
    spoken = {name: prompt.in_language(language) for name, prompt in prompts.items()}
    return {"tags": [tag], "mystnb": spoken}


def _marks(cell: NotebookNode) -> dict[str, Any]:
    """Return the metadata that a deck of slides needs: the cell's role, and its mark."""
    return {name: cell.metadata[name] for name in (KEY, "slide") if name in cell.metadata}


def _html_cell(html: Markup) -> NotebookNode:
    output = new_output("display_data", {"text/html": str(html)})
    # myst-nb leaves out a cell without source, outputs and all
    return new_code_cell("...", outputs=[output], metadata={"tags": ["remove-input"]})
