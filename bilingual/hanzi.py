"""Joins the lines of Chinese prose: Markdown would show a line break between hanzi as a blank."""

from __future__ import annotations

import re

HANZI = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…—"  # with full-width punctuation
BREAK = re.compile(
    rf"(?<=[{HANZI}])\n[ ]*(?=[{HANZI}\w§$`(\[]|\*+\w)(?!\d+[.)] )"  # hanzi, then not a list item
    rf"|(?<=[\w$`)\]])\n[ ]*(?=[{HANZI}])"  # Latin or a formula, then hanzi
    rf"|(?<=\w\*)\n[ ]*(?=[{HANZI}])"  # emphasis that ends in a letter, so that it still ends there
)
# whole lines that must stay lines: fenced code, displayed formulas, headings, tables
KEPT = re.compile(r"(^```.*?^```$|^\$\$.*?\$\$$|^#[^\n]*\n|^\|[^\n]*\n)", re.MULTILINE | re.DOTALL)


def join_lines(prose: str) -> str:
    """Return `prose` with the line breaks beside hanzi taken out, paragraphs and code kept."""
    parts = KEPT.split(prose)
    return "".join(part if i % 2 else BREAK.sub("", part) for i, part in enumerate(parts))
