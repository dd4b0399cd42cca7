"""The decks of all chapters as their texts plan them, without running any code."""

from nbformat.v4 import new_output

from autograde.kit.cell_role import cell_role
from autograde.nbgrader.release_language import KeepLanguage
from tools.build.assemble import assemble_page
from tools.slides.deck import slides


def planned(chapter, language, text="output\n"):
    """Return the slides of a chapter; `text` stands for what its code puts out."""
    page = assemble_page(chapter)
    KeepLanguage(language=language).preprocess(page, {})
    for cell in page.cells:
        if cell_role(cell).role == "code":
            cell.outputs = [new_output("stream", text=text)]
    return slides(page, chapter, language)
