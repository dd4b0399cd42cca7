"""Sliders beside a running cell: figures are shown and closed by the main thread alone."""

import sys
from threading import Thread
from types import SimpleNamespace

import pytest
from IPython.core.events import EventManager, available_events

from posenc_viz import Explorer, kernel
from posenc_viz.board import Board
from posenc_viz.kernel import (
    after_each_message,
    called_after_messages,
    spare_figures_of_running_cell,
)
from tests.posenc_viz.samples import heat_map


@pytest.fixture
def shell(monkeypatch):
    """Return a shell with an inline backend that notes each flush."""
    flushed = []

    def flush_figures():
        flushed.append(True)

    shell = SimpleNamespace(flushed=flushed)
    shell.events = EventManager(shell, available_events)
    shell.inline = SimpleNamespace(flush_figures=flush_figures)
    shell.events.register("post_execute", flush_figures)
    monkeypatch.setattr(kernel, "get_ipython", lambda: shell)
    monkeypatch.setitem(sys.modules, "matplotlib_inline.backend_inline", shell.inline)
    return shell


def in_subshell(act, *arguments):
    thread = Thread(target=act, args=arguments)
    thread.start()
    thread.join()


def test_a_slider_s_thread_no_longer_flushes_the_main_thread_does(shell):
    in_subshell(shell.events.trigger, "post_execute")
    assert len(shell.flushed) == 1  # the fault
    for _ in range(2):
        spare_figures_of_running_cell()
    in_subshell(shell.events.trigger, "post_execute")
    assert len(shell.flushed) == 1
    shell.events.trigger("post_execute")
    assert len(shell.flushed) == 2


def test_loading_the_inline_backend_again_changes_nothing(shell):
    spare_figures_of_running_cell()
    shell.events.register("post_execute", shell.inline.flush_figures)
    shell.events.trigger("post_execute")
    assert len(shell.flushed) == 1


def test_a_backend_loaded_after_the_board_is_patched_by_the_first_move(shell):
    board = Board(Explorer(heat_map, seed=(0, 7)))
    in_subshell(setattr, board.widgets["seed"], "value", 3)
    in_subshell(shell.events.trigger, "post_execute")
    assert not shell.flushed


@pytest.mark.parametrize("missing", ["kernel", "backend"])
def test_without_a_kernel_or_a_backend_nothing_happens(shell, monkeypatch, missing):
    flush, before = shell.inline.flush_figures, called_after_messages()
    if missing == "kernel":
        monkeypatch.setattr(kernel, "get_ipython", lambda: None)
        after_each_message(lambda: None)
    else:
        monkeypatch.delitem(sys.modules, "matplotlib_inline.backend_inline")
    spare_figures_of_running_cell()
    assert shell.inline.flush_figures is flush
    assert shell.events.callbacks["post_execute"] == before


def test_after_each_message_is_after_each_message(shell):
    calls = []
    after_each_message(lambda: calls.append("here"))
    shell.events.trigger("post_execute")
    assert calls == ["here"]


def test_a_board_is_redrawn_only_when_the_language_has_changed(language):
    board = Board(Explorer(heat_map, seed=(0, 7)))
    both = board.explorer.png
    board.explorer.show = None
    board.follow_language()
    assert board.notice.value == ""  # `show` was not called: it would have failed
    board.explorer.show = heat_map
    language("en")
    board.follow_language()
    assert board.explorer.png != both
    assert board.reset.description == "Reset"
