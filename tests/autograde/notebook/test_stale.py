"""Whether a function that is checked is older than its cell."""

from types import SimpleNamespace

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograde.notebook import stale

WAITS = "import asyncio\nawait asyncio.sleep(0)"  # IPython runs it


def test_an_older_function_is_said_to_be_older(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    for source in ("def f(x):\n    return 1", "def f(x):\n    return (1"):
        shell.run_cell(source, store_history=True)
    (sentence,) = stale.stale_warnings(shell.user_ns["f"])
    assert "The last time you ran the cell of f it was not Python (line 2" in sentence.en
    shell.run_cell("def f(x):\n    return 2", store_history=True)
    assert stale.stale_warnings(shell.user_ns["f"]) == []
    shell.run_cell(f"def f(x):\n    return 3\n{WAITS}", store_history=True)
    assert stale.stale_warnings(shell.user_ns["f"]) == []
    assert stale.stale_warnings(lambda x: x) == []


def test_a_cell_that_ends_before_its_def_leaves_an_older_function(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    shell.run_cell("def f(x):\n    return 1", store_history=True)
    shell.run_cell("import no_such_module\ndef f(x):\n    return 2", store_history=True)
    (sentence,) = stale.stale_warnings(shell.user_ns["f"])
    assert "is not the f defined in the cell you ran last" in sentence.en


@pytest.fixture
def notebook(monkeypatch):
    """Return a shell that knows the ids of its cells, and a function that runs one."""
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    shell.events.register("post_run_cell", stale.record_run)

    def run(cell, source):
        shell.run_cell(source, store_history=True, cell_id=cell)

    return SimpleNamespace(run=run, f=lambda: shell.user_ns["f"])


@pytest.mark.parametrize("without", ["x = 1", "def g(x):\n    return 2", "# def f(x):\nx = 1"])
def test_a_cell_that_no_longer_defines_the_function_leaves_an_older_one(notebook, without):
    notebook.run("answer", "def f(x):\n    return 1")
    notebook.run("check", "f(1)")
    assert stale.stale_warnings(notebook.f()) == []
    notebook.run("answer", without)
    (sentence,) = stale.stale_warnings(notebook.f())
    assert "has run since and no longer defines it" in sentence.en
    notebook.run("another", "def f(x):\n    return 1")
    assert stale.stale_warnings(notebook.f()) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(x):\n    return (1", "its cell is not Python (line 2: '(' was never closed)"),
        ("raise KeyboardInterrupt\ndef f(x):\n    return 1", "Does a loop in it never end?"),
        ("1 / 0\ndef f(x):\n    return 1", "its cell ended in ZeroDivisionError before the def"),
    ],
)
def test_a_function_that_its_cell_never_came_to_is_said_to_be_missing(notebook, source, words):
    notebook.run("answer", source)
    assert words in stale.missing("f").en
    notebook.run("answer", "def f(x):\n    return 1\ndel f")
    assert stale.missing("f") is None  # the cell is not to blame
    assert stale.missing("g") is None


@pytest.mark.parametrize(
    "cell",
    [
        "import functools\n@functools.cache\ndef f(x):  # wrapped\n    return 2",
        "def f(x):\n    return 2\n1 / 0",
        "class Other:\n    def f(self):\n        return 3",
        "from os.path import join as f",
        "%%capture\ndef f(x):\n    return 2",
        "if True:\n    def f(x):\n        return 2",
    ],
)
def test_a_function_that_its_newest_cell_defines_is_not_older(monkeypatch, cell):
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    for source in ("def f(x):\n    return 1", cell, "f(1)"):
        shell.run_cell(source, store_history=True)
    assert stale.stale_warnings(shell.user_ns["f"]) == []
