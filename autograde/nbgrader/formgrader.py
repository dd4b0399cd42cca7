"""Formgrader's view of an answer, which is shown in the teacher's own Jupyter session.

nbgrader renders it with nbconvert's HTMLExporter and takes a student's Markdown as it is: a script
in it would act as the teacher. nbgrader_config.py puts these filters in place of nbconvert's. The
teacher's whole Jupyter server waits for a page: once it takes longer than any chapter, cells are
shown as they were written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import thread_time
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters import Highlight2HTML

from autograde.pages.limits import PAGE_SECONDS
from autograde.pages.markup import as_written, markdown
from autograde.pages.source_code import tractable
from confined.deadline import TooSlow, call_within_cpu

LANGUAGE = "ipython3"
UNTIL = "shown_as_written_from"  # a moment of `thread_time`, among a page's resources


@pass_context
def markdown2html(context: Context, source: str) -> str:
    """Return a cell's Markdown as HTML that is safe to show, with the pictures pasted into it."""
    attachments = context.get("cell", {}).get("attachments")
    return _in_time(context, partial(markdown, attachments=attachments), source)


@pass_context
def highlight_code(
    context: Context,
    source: str,
    language: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> str:
    """Return a cell's source, coloured as by nbconvert; only the beginning if it is too long."""
    colour = Highlight2HTML(LANGUAGE)
    rest = {"language": language, "metadata": metadata}
    return _in_time(context, partial(colour, **rest), tractable(source))


def strip_files_prefix(text: str) -> str:
    """Return the text as it is: nbconvert's filter, for old links, takes quadratic time."""
    return text


def _in_time(context: Context, rendered: Callable[[str], str], source: str) -> str:
    until = context["resources"].setdefault(UNTIL, thread_time() + PAGE_SECONDS)
    try:
        return call_within_cpu(until - thread_time(), rendered, source)
    except TooSlow:
        return as_written(source)
