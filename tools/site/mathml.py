"""Formulas as MathML, which today's browsers draw without a script, a font file or a network."""

from __future__ import annotations

import re
from typing import Any

from docutils.nodes import Element, SkipNode
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

from autograde.pages.formulas import REWRITTEN

# Bars are absolute values and norms here; browsers space them as relations.
BAR = re.compile(r"<mo(?=[^>]*>&#x(?:0007C|02016);)(?![^>]*form=)")
TIGHT = '<mo lspace="0em" rspace="0em"'
# The bar of \overline is a letter that browsers do not stretch; a border spans what is below it.
OVERLINE = re.compile(r"<mover>((?:(?!<mover>).)*)<mo[^>]*>&#x02015;</mo></mover>")
COVERED = r'<mrow style="border-top:0.05em solid;padding-top:0.12em">\1</mrow>'


def formula(tex: str, *, display: bool) -> str:
    """Return TeX as MathML; ExtensionError for a command that has no MathML."""
    for pattern, replacement in REWRITTEN:
        tex = pattern.sub(replacement, tex)
    drawn = convert(tex, display="block" if display else "inline")
    if "\\" in drawn:
        raise ExtensionError(f"no MathML for a command in {tex!r}")
    return BAR.sub(TIGHT, OVERLINE.sub(COVERED, drawn))


def visit_inline(writer: HTML5Translator, node: Element) -> None:
    """Write a formula of a line of text."""
    writer.body.append(formula(node.astext(), display=False))
    raise SkipNode


def visit_block(writer: HTML5Translator, node: Element) -> None:
    """Write a formula on a line of its own, which scrolls if it is too wide."""
    drawn = formula(node.astext(), display=True)
    writer.body.append(f'<div class="course-formula" tabindex="0" role="math">{drawn}</div>\n')
    raise SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the renderer "mathml" to `html_math_renderer`."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
