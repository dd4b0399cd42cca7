"""A cell run again: the board of its earlier run is closed, all others live on."""

import gc
import weakref
from types import SimpleNamespace

import ipywidgets as widgets
import pytest
from IPython.core.events import EventManager, available_events

from posenc_viz import Explorer, board, kernel, rerun
from posenc_viz.board import Board
from tests.posenc_viz.samples import heat_map


@pytest.fixture
def shell(monkeypatch):
    """Return a shell that shows a board in a cell, in a run of it."""
    shell = SimpleNamespace(parent={})
    shell.events = EventManager(shell, available_events)
    shell.get_parent = lambda: shell.parent
    monkeypatch.setattr(kernel, "get_ipython", lambda: shell)
    monkeypatch.setattr(rerun, "get_ipython", lambda: shell)
    monkeypatch.setattr(board, "display", lambda bundle, raw: None)

    def show(cell, run):
        shell.parent = {"metadata": {"cellId": cell} if cell else {}, "header": {"msg_id": run}}
        new_board = Board(Explorer(heat_map, seed=(0, 7)))
        new_board.display()
        return new_board

    shell.show = show
    shell.following = lambda: [act.__self__ for act in shell.events.callbacks["post_execute"]]
    return shell


def test_the_board_of_an_earlier_run_is_closed_and_forgotten(shell):
    first = shell.show("a", "run 1")
    slider, gone = first.widgets["seed"], weakref.ref(first.explorer)
    second = shell.show("a", "run 2")
    assert shell.following() == [second]
    assert slider.comm is None
    assert first.root.comm is None
    assert second.widgets["seed"].comm is not None
    del first, slider
    gc.collect()
    assert gone() is None  # the figure and its background with it


def test_two_boards_of_one_run_and_those_of_other_cells_stay_open(shell):
    boards = [shell.show("a", "run 1"), shell.show("a", "run 1"), shell.show("b", "run 2")]
    assert shell.following() == boards


def test_where_the_front_end_names_no_cell_nothing_is_closed(shell):
    boards = [shell.show(None, "run 1"), shell.show(None, "run 2")]
    assert shell.following() == boards


def test_a_closed_board_is_closed_with_all_its_parts():
    button = widgets.Button()
    box = widgets.VBox([widgets.HBox([button])])
    parts = [box, box.layout, button, button.layout, button.style]
    rerun.close_widgets(box)
    assert [part.comm for part in parts] == [None] * len(parts)


def test_outside_a_kernel_there_is_no_running_cell(monkeypatch):
    monkeypatch.setattr(rerun, "get_ipython", lambda: None)
    assert rerun.running_cell() == (None, None)
