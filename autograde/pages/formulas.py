"""TeX as MathML, which browsers show without a script or a font from elsewhere.

The formula is untrusted. latex2mathml's own text is not safe: it lets `\\text{<b>}` and `\\href`
through. So its tree is used, not its text, and only elements and attributes that draw a formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from autograde.pages.limits import FORMULA

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

REWRITTEN = (  # what latex2mathml does not convert
    (re.compile(r"(\\[bB]igg?[lr]?)\\lfloor"), r"\1⌊"),
    (re.compile(r"(\\[bB]igg?[lr]?)\\rfloor"), r"\1⌋"),
    (re.compile(r"\\_"), "_"),
    (re.compile(r"\\arg\b"), r"\\operatorname{arg}"),
)
# The bar of \overline and \underline is a letter that browsers do not stretch. On a row of these
# classes our pages draw a border instead; formgrader, which lacks our style, shows the letter.
LINE, LINED = "&#x02015;", {"mover": "over", "munder": "under"}
BARS = ("&#x0007C;", "&#x02016;")  # of absolute values and norms; browsers space them as relations
TIGHT = {"lspace": "0em", "rspace": "0em"}

Token = dict[str, Any]  # of html5lib's tree walkers


def mathml(tex: str, *, display: bool) -> list[Token] | None:
    """Return a formula as html5lib tokens, None if it is not TeX that can be shown.

    display: on a line of its own.
    """
    if len(tex) > FORMULA:
        return None
    for pattern, replacement in REWRITTEN:
        tex = pattern.sub(replacement, tex)
    try:
        formula = convert_to_element(tex, display="block" if display else "inline")
        return list(_tokens(formula))
    except Exception:  # a stranger's TeX raises whatever it likes: IndexError, RecursionError, ...
        return None


def _tokens(element: Element, style: str = "") -> Iterator[Token]:
    if element.tag not in ELEMENTS:
        raise ValueError(f"<{element.tag}> is not part of a formula")
    if "\\" in (element.text or ""):
        raise ValueError(f"{element.text} is not a command that has MathML")
    attributes = {name: value for name, value in element.attrib.items() if name in ATTRIBUTES}
    if element.text in BARS and "form" not in attributes:
        attributes |= TIGHT
    if style:  # our own class: TeX cannot choose one
        attributes["class"] = style
    children, lined = list(element), ""
    if element.tag in LINED and children[1].text == LINE:
        lined = LINED[element.tag]
        covered = Element("mrow")
        covered.append(children[0])
        children[0] = covered
    tag = {"name": element.tag, "namespace": NAMESPACE}
    yield {"type": "StartTag", "data": {(None, one): v for one, v in attributes.items()}, **tag}
    if element.text:
        yield characters(unescape(element.text))  # latex2mathml writes α as "&#x003B1;"
    for index, child in enumerate(children):
        yield from _tokens(child, "" if index else lined)
        if child.tail:
            yield characters(unescape(child.tail))
    yield {"type": "EndTag", "data": {}, **tag}


def characters(text: str) -> Token:
    """Return text as a token."""
    return {"type": "Characters", "data": text}
