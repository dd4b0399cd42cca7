"""Slides as a page of reveal.js, by nbconvert's SlidesExporter; formulas are MathML.

A page needs no network: reveal.js, from the package sphinx-revealjs, lies beside it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import sphinx_revealjs
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from nbconvert.exporters import SlidesExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook, new_raw_cell

from bilingual import Language
from bilingual.files import write_whole
from bilingual.hanzi import join_lines
from tools.site.mathml import formula
from tools.slides.deck import Slide

HERE = Path(__file__).parent
SITE = HERE.parent / "site"
REVEAL = Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
ASSETS = "assets"  # beside the decks of a language
FILES = (
    *(REVEAL / name for name in ("LICENSE", "dist/reset.css", "dist/reveal.css", "dist/reveal.js")),
    *(REVEAL / "plugin" / "notes" / "notes.js", SITE / "static" / "figures.js"),
    *(HERE / "static" / name for name in ("deck.css", "deck.js")),
)
# a formula and the punctuation after it: a browser would break the line between them
ENDS = re.compile(
    r'(<math [^>]*display="inline">(?:(?!</math>).)*</math>)([，。；：、？！）”])', re.DOTALL
)
WHOLE = r'<span class="whole">\1\2</span>'


class _Renderer(IPythonRenderer):
    def inline_math(self, body: str) -> str:
        return formula(body, display=False)

    def block_math(self, body: str) -> str:
        return formula(body, display=True)


class DeckExporter(SlidesExporter):
    """nbconvert's slides with our own page template, which loads nothing from elsewhere."""

    def __init__(self, language: Language) -> None:
        """Look for the template `deck` beside this file."""
        super().__init__(
            template_name="deck",
            extra_template_basedirs=[str(HERE / "template")],
            language_code=language,
            reveal_url_prefix=ASSETS,
        )

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """Return Markdown as HTML; nbconvert's own leaves formulas to a script."""
        renderer = _Renderer(escape=False, exclude_anchor_links=True)
        return ENDS.sub(WHOLE, MarkdownWithMath(renderer=renderer).render(source))


def write_deck(slides: Iterable[Slide], path: Path, language: Language) -> None:
    """Write the page of a deck; its figures and the folder of `write_assets` lie beside it."""
    notebook = new_notebook(cells=[cell for slide in slides for cell in _cells(slide)])
    for cell in notebook.cells:
        if language == "zh" and cell.cell_type == "markdown":
            cell.source = join_lines(cell.source)
    html, _ = DeckExporter(language).from_notebook_node(
        notebook, {"metadata": {"name": path.stem, "path": ""}}
    )
    write_whole(path, html.encode())


def write_assets(folder: Path) -> None:
    """Write the files that all decks of a language load, into a folder beside them."""
    (folder / ASSETS).mkdir(parents=True, exist_ok=True)
    for file in FILES:
        shutil.copyfile(file, folder / ASSETS / file.name)


def _cells(slide: Slide) -> list[NotebookNode]:
    """Return a slide as cells, notes before fragments: inside one, they would show too late."""
    first = new_markdown_cell("\n\n".join(slide.content), metadata=_type("slide", kind=slide.kind))
    notes = new_markdown_cell("\n\n".join(slide.notes), metadata=_type("notes"))
    rest = [
        new_raw_cell(part) if isinstance(part, Markup) else new_markdown_cell(part)
        for part in slide.revealed
    ]
    if rest:
        rest[0].metadata.update(_type("fragment"))
    return [first, notes, *rest]


def _type(slide_type: str, **more: str) -> dict[str, dict[str, str]]:
    return {"slideshow": {"slide_type": slide_type}, "deck": more}
