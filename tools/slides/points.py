"""The parts of a cell's prose that its slide shows: what a lecturer points at, asks, or claims.

A slide shows the displayed formulas, lists, tables and code of its cell, and the sentences of its
paragraphs that ask something or hold bold words. The rest is for the speaker. markdown-it parses
the prose, as it does for the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

READER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
WHOLE = {"math_block", "bullet_list_open", "ordered_list_open", "table_open", "fence"}
BOLD = "**"
ABBREVIATION = r"(?<!\bal\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bFig\.)"
END = re.compile(rf"(?<=[.?!]){ABBREVIATION}[”\"’)*]*\s+(?=[^a-z\s])|(?<=[。？！])[”’」）*]*\s*")
ASKS = re.compile(r"[?？][”\"’」）)*]*$")
FINAL = re.compile(r"[.?!。？！]+[”\"’」）)]*$")
BREAKS = {"softbreak": "\n", "hardbreak": "\n"}
WRITTEN = {**BREAKS, "em_open": "*", "em_close": "*", "link_open": "", "link_close": ""}
PLAIN = {"text", *BREAKS}


@dataclass(frozen=True)
class Prose:
    """The heading of a cell ("" if it has none), and the points of its slide as Markdown."""

    heading: str
    points: tuple[str, ...]


def prose(source: str) -> Prose:
    """Return the heading and the points of a cell's prose."""
    tokens, lines = READER.parse(source), source.split("\n")
    inside = {id(b): a.type for a, b in pairwise(tokens)}
    headings = [t.content for t in tokens if inside.get(id(t)) == "heading_open"]
    points = []
    for token in tokens:
        if token.level == 0 and token.type in WHOLE:
            points.append("\n".join(lines[slice(*token.map)]).rstrip())
        elif token.level == 1 and inside.get(id(token)) == "paragraph_open":
            points.append("\n".join(filter(_is_point, sentences(token))))
    return Prose(headings[0] if headings else "", tuple(filter(None, points)))


def _is_point(sentence: str) -> bool:
    return BOLD in sentence or ASKS.search(sentence) is not None


def sentences(paragraph: Token) -> Iterator[str]:
    """Yield the sentences of a paragraph as they were written."""
    spans = list(_spans(paragraph))
    text = "".join(source for source, _ in spans)
    begin = 0
    for end in END.finditer("".join(outline for _, outline in spans)):
        yield text[begin : end.end()].strip()
        begin = end.end()
    yield text[begin:].strip()


def _spans(paragraph: Token) -> Iterator[tuple[str, str]]:
    """Yield the text of each inline token, and an equally long outline in which sentences may end.

    No sentence ends within code, a formula or bold words.
    """
    bold: str | None = None
    for token in paragraph.children:
        source = WRITTEN.get(token.type, token.markup + token.content + token.markup)
        if token.type == "strong_open":
            bold = ""
        elif token.type == "strong_close":
            final = FINAL.search(bold)
            tail = final[0] if final else ""
            yield f"**{bold}**", "X" * (2 + len(bold) - len(tail)) + f"{tail}**"
            bold = None
        elif bold is not None:
            bold += source
        else:
            yield source, source if token.type in PLAIN else "X" * len(source)
