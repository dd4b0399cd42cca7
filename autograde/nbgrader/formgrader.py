"""Formgrader's view of an answer, which is shown in the teacher's own Jupyter session.

nbgrader renders it with nbconvert's HTMLExporter and takes a student's Markdown as it is: a script
in it would act as the teacher. nbgrader_config.py puts this filter in place of nbconvert's.
"""

from __future__ import annotations

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from autograde.pages.markup import markdown


@pass_context
def markdown2html(context: Context, source: str) -> Markup:
    """Return a cell's Markdown as HTML that is safe to show, with the pictures pasted into it."""
    return markdown(source, context.get("cell", {}).get("attachments"))
