"""The page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache, partial
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape
from nbformat import NotebookNode

from autograde.pages.feedback import words
from autograde.pages.feedback.sanitised_outputs import Output, SanitisedOutput, sanitise
from autograde.pages.feedback.sections import GradedSection, sections
from autograde.pages.limits import PAGE_SECONDS
from autograde.pages.marking import Marking, points
from autograde.pages.markup import as_written, markdown
from autograde.pages.source_code import code
from autograde.pages.templates import templates
from bilingual import Language
from confined.deadline import TooSlow, call_within_cpu

SHARED = 1_000  # texts in the cache: the prose of a chapter is the same in every submission


class PageWriter:
    """Writes the pages of a class."""

    def __init__(self, language: Language, hints: int) -> None:
        """Write in `language`; hints: how many to show for an exercise that went wrong."""
        self.language = language
        marking = Marking(language)
        self.languages = marking.languages
        self.prose = lru_cache(maxsize=SHARED)(markdown)
        names = {
            "reason": marking.course,  # marks up `code` and *emphasis* alone
            "course": lambda text: marking.prose(text, self.prose),
            "prose": self.cell_prose,
            "remark": markdown,
            "code": code,
            "outputs": outputs,
            "points": points,
            "words": words,
            "hints": hints,
        }
        plain = {
            "prose": lambda cell: as_written(cell.source),
            "remark": as_written,
            "code": escape,
            "outputs": partial(outputs, marked_up=False),
        }
        self.pages = templates("autograde.pages.feedback", marking, names)
        self.plain_pages = templates("autograde.pages.feedback", marking, names | plain)

    def write(self, notebook: NotebookNode, nbgrader: dict[str, Any]) -> str:
        """Return the page on a graded notebook; nbgrader: its resources, as nbconvert passes them.

        A page that takes longer than any chapter shows all as it was written, and says so.
        """
        try:
            return call_within_cpu(PAGE_SECONDS, self._page, self.pages, notebook, nbgrader)
        except TooSlow:
            return self._page(self.plain_pages, notebook, nbgrader, as_written=True)

    def _page(
        self,
        pages: Environment,
        notebook: NotebookNode,
        nbgrader: dict[str, Any],
        *,
        as_written: bool = False,
    ) -> str:
        style = pages.get_template("page.css").render()
        parts = sections(notebook, self.language, nbgrader.get("questions", {}))
        return pages.get_template("page.html").render(
            languages=self.languages,
            style=Markup(style),
            style_hash=_hash(style),
            notebook=nbgrader["notebook"],
            student=nbgrader["student"],
            score=nbgrader["score"],
            most=nbgrader["max_score"],
            penalty=nbgrader["late_penalty"],
            late=nbgrader.get("late", ()),
            graded=[part for part in parts if isinstance(part, GradedSection)],
            sections=parts,
            as_written=as_written,
            is_graded=lambda part: isinstance(part, GradedSection),
        )

    def cell_prose(self, cell: NotebookNode) -> Markup:
        """Return a text cell as HTML."""
        attached = cell.get("attachments")
        return markdown(cell.source, attached) if attached else self.prose(cell.source)


def outputs(cell: NotebookNode, *, marked_up: bool = True) -> list[SanitisedOutput]:
    """Return the cell's outputs as they are shown."""
    cell_outputs: list[Output] = cell.get("outputs", [])
    harmless = (sanitise(output, marked_up=marked_up) for output in cell_outputs)
    return [output for output in harmless if output]


def _hash(style: str) -> str:
    digest = hashlib.sha256(style.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
