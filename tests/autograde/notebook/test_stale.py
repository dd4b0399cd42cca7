"""Whether a function that is checked is older than its cell."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograde.notebook import stale

WAITS = "import asyncio\nawait asyncio.sleep(0)"  # IPython runs it


def test_an_older_function_is_said_to_be_older(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    for source in ("def f(x):\n    return 1", "def f(x):\n    return (1"):
        shell.run_cell(source, store_history=True)
    (sentence,) = stale.stale(shell.user_ns["f"])
    assert "The last time you ran the cell of f it was not Python (line 2" in sentence.en
    shell.run_cell("def f(x):\n    return 2", store_history=True)
    assert stale.stale(shell.user_ns["f"]) == []
    shell.run_cell(f"def f(x):\n    return 3\n{WAITS}", store_history=True)
    assert stale.stale(shell.user_ns["f"]) == []
    assert stale.stale(lambda x: x) == []


def test_a_cell_that_ends_before_its_def_leaves_an_older_function(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(stale, "get_ipython", lambda: shell)
    shell.run_cell("def f(x):\n    return 1", store_history=True)
    shell.run_cell("import no_such_module\ndef f(x):\n    return 2", store_history=True)
    (sentence,) = stale.stale(shell.user_ns["f"])
    assert "is not the f defined in the cell you ran last" in sentence.en


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
    assert stale.stale(shell.user_ns["f"]) == []
