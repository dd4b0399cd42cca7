"""TeX as MathML, which browsers show without a script or a font from elsewhere.

The formula may be a stranger's. latex2mathml's own text is not safe: it lets `\\text{<b>}` and
`\\href` through. So its tree is taken, not its text, and of that only what draws a formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from autograde.grading.limits import FORMULA

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
ELEMENTS = frozenset({
    "math", "mi", "mn", "mo", "ms", "mtext", "mspace", "mrow", "mfrac", "msqrt", "mroot",
    "mstyle", "mpadded", "mphantom", "menclose", "merror", "msub", "msup", "msubsup", "munder",
    "mover", "munderover", "mmultiscripts", "mprescripts", "mtable", "mtr", "mtd",
})  # fmt: skip
ATTRIBUTES = frozenset({
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "separator",
    "form", "accent", "accentunder", "largeop", "movablelimits", "lspace", "rspace", "width",
    "minsize", "maxsize", "linethickness", "columnalign", "columnlines", "rowlines",
    "notation",
})  # fmt: skip

Token = dict[str, Any]  # of html5lib's tree walkers


def mathml(tex: str, *, display: bool) -> list[Token] | None:
    """Return a formula as tokens of a document, None if it is no TeX that can be shown.

    display: on a line of its own.
    """
    if len(tex) > FORMULA:
        return None
    try:
        formula = convert_to_element(tex, display="block" if display else "inline")
        return list(_tokens(formula))
    except Exception:  # a stranger's TeX raises whatever it likes: IndexError, RecursionError, ...
        return None


def _tokens(element: Element) -> Iterator[Token]:
    if element.tag not in ELEMENTS:
        raise ValueError(f"<{element.tag}> is not part of a formula")
    attributes = {
        (None, name): value for name, value in element.attrib.items() if name in ATTRIBUTES
    }
    tag = {"name": element.tag, "namespace": NAMESPACE}
    yield {"type": "StartTag", "data": attributes, **tag}
    if element.text:
        yield characters(unescape(element.text))  # latex2mathml writes α as "&#x003B1;"
    for child in element:
        yield from _tokens(child)
        if child.tail:
            yield characters(unescape(child.tail))
    yield {"type": "EndTag", "data": {}, **tag}


def characters(text: str) -> Token:
    """Return text as a token."""
    return {"type": "Characters", "data": text}
