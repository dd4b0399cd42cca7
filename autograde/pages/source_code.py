"""A student's code as coloured HTML, in time linear in its length."""

from __future__ import annotations

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograde.pages.limits import TEXT
from confined.outputs import TURNS


def code(source: str) -> Markup:
    """Return a cell's source, coloured."""
    return Markup(highlight(tractable(source), PythonLexer(), HtmlFormatter(nowrap=True)))


def tractable(source: str) -> str:
    """Return the beginning of a source without blanks at the ends of lines.

    At each line of blanks, a regular expression of Pygments would read to the end of all blanks.
    """
    return "\n".join(map(str.rstrip, escape_turns(source[:TEXT])[:TEXT].split("\n")))


def escape_turns(source: str) -> str:
    """Return a source with direction marks escaped: it is shown in the order that Python reads."""
    return TURNS.sub(lambda turn: ascii(turn[0])[1:-1], source)
