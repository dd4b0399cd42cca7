"""Markdown and HTML of a stranger, as HTML that is safe to show.

Markdown becomes HTML (mistune, as nbconvert reads notebooks), of which a list of harmless elements
and attributes is kept (bleach). Nothing that is kept can run, load, be styled or be named: no
script, style, class, id, form, frame, SVG or MathML. Formulas come after: mistune hands their TeX
on in `<tex>`, and the last step puts MathML of our own making in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner
from markupsafe import Markup, escape
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograde.grading.limits import TEXT
from autograde.pages.formulas import Token, characters, mathml

TAGS_MOST = 1_500  # of one text: to close and nest them takes a time that grows with the square
ELEMENTS_MOST = 100_000  # that these may become: see `_is_heavy`
BLANKS_MOST = 100  # one after the other
BLANKS = re.compile(rf"[^\S\n]{{{BLANKS_MOST},}}")
INLINE, BLOCK = "tex", "tex-block"
FORMATTING = re.compile(r"<(?:a|b|code|em|i|s|small|strong|u|tex)\b", re.IGNORECASE)
TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt",
    "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd",
    "li", "mark", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul",
}) | {INLINE, BLOCK}  # fmt: skip
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif);base64,[A-Za-z0-9+/=\s]+")
LINK = re.compile(r"https?://|mailto:", re.IGNORECASE)
# a tag, which has no formulas, or a formula
MATH = re.compile(r"(<[^<>]*>)|\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
SCRIPTS = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)

Attachments = dict[str, dict[str, str]]


def markdown(source: str, attachments: Attachments | None = None) -> Markup:
    """Return Markdown as HTML; what is too long for prose, as it was written."""
    if len(source) > TEXT:
        return as_written(source)
    # a regular expression of mistune's tries each of many blanks for the end of a line
    source = BLANKS.sub(lambda run: run[0][:BLANKS_MOST], source)
    return clean(MarkdownWithMath(_Renderer(attachments or {})).render(source))


def html(source: str) -> Markup:
    """Return HTML that a cell put out, without what may not be shown; nothing if it is too much."""
    if len(source) > TEXT or _is_heavy(source):
        return Markup()
    return _cleaned(SCRIPTS.sub("", source), strip=True)


def clean(source: str) -> Markup:
    """Return what is harmless of some HTML as HTML, the rest as text."""
    return as_written(source) if _is_heavy(source) else _cleaned(source, strip=False)


def _cleaned(source: str, *, strip: bool) -> Markup:
    protocols = {"http", "https", "mailto", "data"}  # of data pictures alone: `_is_harmless`
    cleaner = Cleaner(TAGS, _is_harmless, protocols, strip=strip, filters=[_Formulas])
    return Markup(cleaner.clean(source))


def _is_heavy(source: str) -> bool:
    # HTML opens what is left open again in each paragraph: n <b> and n <p> make n² elements
    tags = source.count("<")
    return tags > TAGS_MOST or len(FORMATTING.findall(source)) * tags > ELEMENTS_MOST


def as_written(source: str) -> Markup:
    """Return the beginning of a text as it was written."""
    beginning = source[:TEXT] + ("…" if len(source) > TEXT else "")
    return Markup("<pre>") + escape(beginning) + Markup("</pre>")


def _is_harmless(tag: str, name: str, value: str) -> bool:
    match tag, name:
        case "a", "href":
            return bool(LINK.match(value))
        case "img", "src":
            return bool(PICTURE.fullmatch(value))
        case "img", "alt":
            return True
        case "th" | "td", "colspan" | "rowspan" | "scope":
            return len(value) < 5
        case _, "lang":
            return value in ("zh", "en")
    return False


class _Renderer(HTMLRenderer):
    """HTML with formulas in elements of their own, and pictures that were pasted into the cell."""

    def __init__(self, attachments: Attachments) -> None:
        super().__init__(escape=False)  # what is not harmless is taken out afterwards
        self.attachments = attachments

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
        bundle = self.attachments.get(url.removeprefix("attachment:"), {})
        kind = next((kind for kind in ("image/png", "image/jpeg") if kind in bundle), None)
        source = f"data:{kind};base64,{bundle[kind]}" if kind else url
        return Markup('<img src="{}" alt="{}">').format(source, text)


class _Formulas(Filter):
    """Puts MathML in place of TeX, in a document that has been cleaned."""

    def __iter__(self) -> Iterator[Token]:
        tokens = super().__iter__()
        for token in tokens:
            if token["type"] == "StartTag" and token["name"] in (INLINE, BLOCK):
                yield from _formula(_text(tokens, token["name"]), token["name"] == BLOCK)
            else:
                yield token


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
