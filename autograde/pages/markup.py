"""Untrusted Markdown and HTML, as HTML that is safe to show.

Mistune turns Markdown into HTML, as in nbconvert, and bleach keeps only harmless elements and
attributes. Nothing that is kept can run, load, be styled or be named: no script, style, class, id,
form, frame, SVG or MathML. Formulas come last: mistune passes their TeX on in `<tex>`, and the last
step replaces it with MathML of our own making.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from urllib.parse import unquote

from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner
from markupsafe import Markup, escape
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograde.pages.formulas import Token, characters, mathml
from autograde.pages.limits import TEXT
from autograde.pages.source_code import escape_turns
from confined.outputs import TURNS

TAGS_MOST = 1_500  # of one text: closing and nesting them takes quadratic time
ELEMENTS_MOST = 100_000  # that the tags may become: see `_is_heavy`
BLANKS_MOST = 100  # in a row
BLANKS = re.compile(rf"[^\S\n]{{{BLANKS_MOST},}}")
INLINE, BLOCK = "tex", "tex-block"
FORMATTING = re.compile(r"<(?:a|b|code|em|i|s|small|strong|u|tex)\b", re.IGNORECASE)
TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt",
    "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd",
    "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}) | {INLINE, BLOCK}  # fmt: skip
PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=\s]+")
PASTED = "attachment:"
TURNING = re.compile(rf"{TURNS.pattern}|&#?\w+;")  # or any character reference
LINK = re.compile(r"https?://|mailto:", re.IGNORECASE)
# a tag, which has no formulas, or a formula
MATH = re.compile(r"(<[^<>]*>)|\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
SCRIPTS = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)

SOURCE = (None, "src")  # the key of an attribute, in html5lib

Attachments = dict[str, dict[str, str]]


def markdown(source: str, attachments: Attachments | None = None) -> Markup:
    """Return Markdown as HTML; a text that is too long for prose, as it was written.

    attachments: pictures pasted into the cell, each shown once; no other pictures are shown.
    """
    if len(source) > TEXT:
        return as_written(source)
    # a regular expression of mistune's looks for the end of the line from each of many blanks
    source = BLANKS.sub(lambda run: run[0][:BLANKS_MOST], source)
    return clean(MarkdownWithMath(_Renderer(escape=False)).render(source), attachments)


def html(source: str) -> Markup:
    """Return a cell's HTML output without what is not safe to show; nothing if it is too much."""
    if len(source) > TEXT or _is_heavy(source):
        return Markup()
    return _cleaned(SCRIPTS.sub("", source), strip=True)


def clean(source: str, attachments: Attachments | None = None) -> Markup:
    """Return the harmless parts of some HTML as HTML, the rest as text."""
    heavy = _is_heavy(source)
    return as_written(source) if heavy else _cleaned(source, attachments, strip=False)


def _cleaned(source: str, attachments: Attachments | None = None, *, strip: bool) -> Markup:
    protocols = {"http", "https", "mailto", "attachment"}  # the last for pictures alone
    filters = [_Formulas, partial(_Pictures, attachments=attachments or {})]
    cleaner = Cleaner(TAGS, _is_harmless, protocols, strip=strip, filters=filters)
    return Markup(TURNING.sub(_without_turn, cleaner.clean(source)))


def _without_turn(match: re.Match[str]) -> str:
    return "" if TURNS.fullmatch(unescape(match[0])) else match[0]


def _is_heavy(source: str) -> bool:
    # HTML reopens unclosed elements in each paragraph: n <b> and n <p> make n² elements
    tags = source.count("<")
    return tags > TAGS_MOST or len(FORMATTING.findall(source)) * tags > ELEMENTS_MOST


def as_written(source: str) -> Markup:
    """Return the beginning of a text as it was written."""
    beginning = escape_turns(source[:TEXT]) + ("…" if len(source) > TEXT else "")
    return Markup("<pre>") + escape(beginning) + Markup("</pre>")


def _is_harmless(tag: str, name: str, value: str) -> bool:
    match tag, name:
        case "a", "href":
            return bool(LINK.match(value))
        case "img", "src":
            return value.startswith(PASTED)
        case "img", "alt":
            return True
        case "th" | "td", "colspan" | "rowspan" | "scope":
            return len(value) < 5
        case _, "lang":
            return value in ("zh", "en")
    return False


class _Renderer(HTMLRenderer):
    """HTML with formulas in elements of their own; what is not harmless is removed afterwards."""

    def inline_math(self, body: str) -> str:
        return f"<{INLINE}>{escape(body)}</{INLINE}>"

    def block_math(self, body: str) -> str:
        return f"<{BLOCK}>{escape(body)}</{BLOCK}>"

    def block_html(self, html: str) -> str:
        """Mistune looks for no formulas here; JupyterLab shows them."""
        return super().block_html(MATH.sub(self._math, html))

    def _math(self, match: re.Match[str]) -> str:
        tag, block, inline = match.groups()
        return tag or (self.block_math(block) if block else self.inline_math(inline))

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return Markup('<img src="{}" alt="{}">').format(url, text)


class _Formulas(Filter):
    """Puts MathML in place of TeX, in a document that has been cleaned."""

    def __iter__(self) -> Iterator[Token]:
        tokens = super().__iter__()
        for token in tokens:
            if token["type"] == "StartTag" and token["name"] in (INLINE, BLOCK):
                yield from _formula(_text(tokens, token["name"]), token["name"] == BLOCK)
            else:
                yield token


class _Pictures(Filter):
    """Puts each pasted picture in place of its name, once."""

    def __init__(self, source: Iterator[Token], attachments: Attachments) -> None:
        super().__init__(source)
        self.left = {unquote(name): bundle for name, bundle in attachments.items()}

    def __iter__(self) -> Iterator[Token]:
        for token in super().__iter__():
            if token.get("name") == "img" and SOURCE in token["data"]:
                name = token["data"].pop(SOURCE).removeprefix(PASTED)
                address = _address(self.left.pop(unquote(name), {}))
                token["data"] = {SOURCE: address, **token["data"]} if address else token["data"]
            yield token


def _address(bundle: dict[str, str]) -> str | None:
    addresses = (f"data:{kind};base64,{data}" for kind, data in bundle.items())
    return next(filter(PICTURE.fullmatch, addresses), None)


def _text(tokens: Iterator[Token], name: str) -> str:
    """Return the text up to the end of this element; elements inside it are not TeX."""
    tex, open_elements = "", 1
    for token in tokens:
        ours = token.get("name") == name
        open_elements += (token["type"] == "StartTag" and ours) - (
            token["type"] == "EndTag" and ours
        )
        if not open_elements:
            break
        if token["type"] in ("Characters", "SpaceCharacters"):
            tex += token["data"]
        elif token["type"] == "Entity":
            tex += unescape(f"&{token['name']};")
    return tex


def _formula(tex: str, display: bool) -> list[Token]:
    tokens = mathml(tex, display=display)
    if tokens:
        return tokens
    code = {"name": "code", "namespace": None, "data": {}}
    return [{"type": "StartTag", **code}, characters(tex), {"type": "EndTag", **code}]
