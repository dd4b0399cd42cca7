"""Callbacks after each message of a kernel, and the fix that sliders need.

JupyterLab 4.4 and ipykernel 7 handle a slider's message in a separate thread, a subshell, while a
cell may be running. After each message IPython triggers `post_execute`; matplotlib's inline backend
then shows and *closes* every pyplot figure, including those of the running cell, which come out
broken (jupyterlab#19719, ipympl#610).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps

from IPython import get_ipython

EVENT = "post_execute"


def after_each_message(act: Callable[[], None]) -> None:
    """Call `act` after each cell and each message of a widget; outside a kernel, do nothing."""
    if (shell := get_ipython()) is not None:
        shell.events.register(EVENT, act)


def forget(act: Callable[[], None]) -> None:
    """Stop calling `act`."""
    if (shell := get_ipython()) is not None and act in shell.events.callbacks[EVENT]:
        shell.events.unregister(EVENT, act)


def called_after_messages() -> list[Callable[[], None]]:
    """Return all functions called after each message; [] outside a kernel."""
    shell = get_ipython()
    return [] if shell is None else list(shell.events.callbacks[EVENT])


def spare_figures_of_running_cell() -> None:
    """Make the inline backend, if loaded, show and close figures on the main thread only."""
    shell = get_ipython()
    inline = sys.modules.get("matplotlib_inline.backend_inline")
    if shell is None or inline is None or hasattr(inline.flush_figures, "__wrapped__"):
        return
    flush, inline.flush_figures = inline.flush_figures, on_main_thread(inline.flush_figures)
    if flush in shell.events.callbacks[EVENT]:  # `%matplotlib inline` later registers ours
        shell.events.unregister(EVENT, flush)
        shell.events.register(EVENT, inline.flush_figures)


def on_main_thread(act: Callable[[], None]) -> Callable[[], None]:
    """Return `act`, made to do nothing on other threads."""

    @wraps(act)
    def only_there() -> None:
        if threading.current_thread() is threading.main_thread():
            act()

    return only_there
