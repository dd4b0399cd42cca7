"""While answers are checked, `input` is refused, and the kernel does not end."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from IPython import get_ipython

from autograde.kit.expect import Wrong


@contextmanager
def unattended() -> Iterator[None]:
    """Refuse, in the block, calls that would wait for a reader or end the kernel.

    A kernel's `input` waits through any time limit and holds all other cells up; its `exit` and
    `quit` return at once, and all that the reader has computed is lost after the cell.
    """
    shell, asks = get_ipython(), builtins.input
    builtins.input = _no_reader
    if shell is not None:
        shell.ask_exit = _stays
    try:
        yield
    finally:
        builtins.input = asks
        if shell is not None:
            vars(shell).pop("ask_exit", None)  # the class's own is back


def _no_reader(prompt: object = "") -> NoReturn:
    raise Wrong(
        "it calls input(): nobody answers while a check runs; what it needs is in its arguments",
        "它调用了input()：检查时没有人会输入；要用的东西都在参数里",
    )


def _stays() -> NoReturn:
    raise Wrong(
        "it calls exit(), which ends the notebook's kernel: leave a function with `return`",
        "它调用了exit()，这会结束笔记本的内核：离开函数请用`return`",
    )
