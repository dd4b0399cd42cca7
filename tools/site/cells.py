"""Which cells of a learner's notebook a page shows, and how.

Prose in one language; code with what it puts out; exercises with their hints, without the check
that only a kernel can run; quizzes with their explanations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograde.nbgrader.release_language import ANSWER_HERE, CODE_HERE, SWITCH, in_both
from bilingual import Language
from tools.contents import Chapter
from tools.site.exercises import hints, quiz, where
from tools.site.words import HERE, NO_OUTPUT

PROSE = re.compile(r'<div lang="(?:en|zh)">\n\n(.*)\n\n</div>', re.DOTALL)
QUIZ = re.compile(r'quiz\("(\w+)"\)')
PERSONAL = ("environment(", "progress(")  # what they say differs from reader to reader
NAVIGATION = "---\n"  # the links that close a chapter: the theme has its own


def path_of(chapter: Chapter) -> str:
    """Return where the notebook lies in the repository."""
    return f"notebooks/{chapter.name}/{chapter.name}.ipynb"


def to_run(notebook: NotebookNode, language: Language) -> list[NotebookNode]:
    """Return the cells of one language that run or are read; no checks, no teacher's answers."""
    kept = []
    for cell in notebook.cells:
        graded = "check" in cell.metadata or "thinking" in cell.metadata
        if graded or cell.metadata.get("lang", language) != language:
            continue
        if cell.cell_type == "code":
            cell.source = cell.source.replace(SWITCH, f'language_switch(only="{language}")')
            for stub in (CODE_HERE, ANSWER_HERE):
                cell.source = cell.source.replace(in_both(stub), stub.in_language(language))
        kept.append(cell)
    return kept


def to_show(
    cells: list[NotebookNode], chapter: Chapter, language: Language
) -> Iterator[NotebookNode]:
    """Yield the cells of the page, after the run."""
    path = path_of(chapter)
    for number, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            source = PROSE.fullmatch(cell.source)[1]
            if not source.startswith(NAVIGATION):
                yield new_markdown_cell(_without_hint_call(source))
            if number == 0:
                yield new_markdown_cell(where(HERE, path, language), metadata={})
            continue
        asked = QUIZ.fullmatch(cell.source)
        if asked:
            yield _shown(quiz(asked[1], language))
            continue
        yield _code(cell, language)
        if "exercise" in cell.metadata:
            yield _shown(hints(cell.metadata["exercise"], path, language))


def _without_hint_call(source: str) -> str:
    """Leave out the paragraph that says how to call `hint`: the hints stand below."""
    return "\n\n".join(part for part in source.split("\n\n") if '`hint("' not in part)


def _code(cell: NotebookNode, language: Language) -> NotebookNode:
    lines = cell.source.split("\n")
    switched = any(line.startswith("language_switch(") for line in lines)
    if switched:
        lines = [line for line in lines if "language_switch" not in line]
    outputs = [] if switched else cell.outputs
    if cell.source.startswith(PERSONAL):
        outputs = [new_output("stream", name="stdout", text=NO_OUTPUT.in_language(language))]
    return new_code_cell("\n".join(lines).strip(), outputs=outputs)


def _shown(html: Markup) -> NotebookNode:
    output = new_output("display_data", {"text/html": str(html)})
    # myst-nb leaves out a cell without source, outputs and all
    return new_code_cell("...", outputs=[output], metadata={"tags": ["remove-input"]})
