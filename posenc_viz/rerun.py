"""Closes the widgets of a cell's earlier run when the cell is run again.

The page has dropped them by then, but ipywidgets keeps every widget, and with it the figure behind
it, until it is closed.
"""

from __future__ import annotations

from typing import Protocol

import ipywidgets as widgets
from IPython import get_ipython

from posenc_viz.kernel import called_after_messages, forget

Run = tuple[str | None, str | None]


class RunWidgets(Protocol):
    """Widgets shown by one run of a cell; they follow the reader's language."""

    root: widgets.Widget
    run: Run

    def follow_language(self) -> None:
        """Redraw if the reader has changed the language."""


def running_cell() -> Run:
    """Return the ids of the running cell (None if the front end sends none) and of this run."""
    shell = get_ipython()
    message = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return message.get("metadata", {}).get("cellId"), message.get("header", {}).get("msg_id")


def close_earlier(board: RunWidgets) -> None:
    """Close widgets of the same type from earlier runs of its cell."""
    cell, run = board.run
    owners = [getattr(act, "__self__", None) for act in called_after_messages()]
    for earlier in [one for one in owners if isinstance(one, type(board))]:
        if cell is not None and earlier.run[0] == cell and earlier.run[1] != run:
            forget(earlier.follow_language)
            close_widgets(earlier.root)


def close_widgets(widget: widgets.Widget) -> None:
    """Close a widget and its parts: children, layout, style."""
    parts = (getattr(widget, name, None) for name in ("layout", "style"))
    for part in (*getattr(widget, "children", ()), *parts):
        if isinstance(part, widgets.Widget):
            close_widgets(part)
    widget.unobserve_all()
    widget.close()
