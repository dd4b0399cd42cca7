"""Formgrader's view of an answer, which is shown in the teacher's own Jupyter session.

nbgrader renders it with nbconvert's HTMLExporter and takes a student's Markdown as it is: a script
in it would act as the teacher. nbgrader_config.py puts these filters in place of nbconvert's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from nbconvert.filters import Highlight2HTML

from autograde.pages.markup import markdown
from autograde.pages.source_code import tractable

LANGUAGE = "ipython3"


@pass_context
def markdown2html(context: Context, source: str) -> Markup:
    """Return a cell's Markdown as HTML that is safe to show, with the pictures pasted into it."""
    return markdown(source, context.get("cell", {}).get("attachments"))


def highlight_code(
    source: str, language: str | None = None, metadata: Mapping[str, Any] | None = None
) -> str:
    """Return a cell's source, coloured as nbconvert does it; of what is too long the beginning."""
    return Highlight2HTML(LANGUAGE)(tractable(source), language, metadata)
