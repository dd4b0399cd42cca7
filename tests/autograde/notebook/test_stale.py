"""Whether a function that is checked is older than its cell."""

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
