"""Runs cells with IPython and collects what they show, as a notebook keeps it."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import sysconfig
import types
import warnings
from collections.abc import Iterator
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from confined.deadline import TooSlow, call_within
from confined.outputs import PICTURE, PICTURES, Output

# package folders of the teacher's machine, cut from outputs: readers have others
PACKAGES = (sysconfig.get_path("purelib") + os.sep, sysconfig.get_path("stdlib") + os.sep)
TOO_SLOW = {"en": "no end after {0:g} s", "zh": "{0:g}秒后仍未结束"}
IN_BOTH = " · ".join(TOO_SLOW.values())


class Outputs(list[Output]):
    """The outputs of a cell in their order; beyond `most` characters nothing is kept.

    A display counts as one at least. Its metadata is not kept: no reader sees it.
    """

    def __init__(self, most: int) -> None:
        """Start empty; `PICTURE` characters of a picture count as one."""
        super().__init__()
        self.most = self.room = most

    def clear(self) -> None:
        """Forget all, as if nothing had been shown."""
        super().clear()
        self.room = self.most

    def write(self, name: str, text: str) -> None:
        """Add what was printed to the stream `name`."""
        text = self._fitting(text)
        if self and self[-1].get("name") == name:
            self[-1]["text"] += text
        elif text:
            self.append({"output_type": "stream", "name": name, "text": text})

    def show(self, kind: str, data: dict[str, Any], **more: Any) -> None:
        """Add a display or the value of the last expression."""
        sizes = (
            -(-len(str(content)) // (PICTURE if form in PICTURES else 1))
            for form, content in data.items()
        )
        size = max(sum(sizes), 1)
        if size <= self.room:
            self.room -= size
            self.append({"output_type": kind, "data": data, "metadata": {}, **more})

    def fail(self, name: str, value: str, traceback: list[str]) -> None:
        """Add the error that ended the cell."""
        lines = [self._fitting(line) for line in traceback]
        self.append(
            {"output_type": "error", "ename": name, "evalue": value[:2000], "traceback": lines}
        )

    def _fitting(self, text: str) -> str:
        text = text[: self.room]
        for folder in PACKAGES:
            text = text.replace(folder, "")
        self.room -= len(text)
        return text


class Stream(io.TextIOBase):
    """sys.stdout or sys.stderr of a cell."""

    def __init__(self, outputs: Outputs, name: str) -> None:
        """Write to `outputs` as the stream `name`."""
        self.outputs, self.called = outputs, name

    def write(self, text: str) -> int:
        """Keep the text."""
        self.outputs.write(self.called, str(text))
        return len(text)

    def writable(self) -> bool:
        """Return True."""
        return True


class Publisher(DisplayPublisher):
    """What `display` and matplotlib's inline backend call."""

    outputs: Outputs

    def publish(
        self, data: dict[str, Any], metadata: dict[str, Any] | None = None, **more: Any
    ) -> None:
        """Keep a display."""
        self.outputs.show("display_data", _plain(data))

    def clear_output(self, wait: bool = False) -> None:
        """Forget what the cell has shown."""
        self.outputs.clear()


class Hook(DisplayHook):
    """What shows the value of a cell's last expression."""

    outputs: Outputs

    def write_output_prompt(self) -> None:
        """Write nothing: a notebook has its own prompt."""

    def write_format_data(
        self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None
    ) -> None:
        """Keep the value."""
        count = self.shell.execution_count
        self.outputs.show("execute_result", _plain(format_dict), execution_count=count)


class Shell(InteractiveShell):
    """IPython without a terminal, a history, or a user's settings; errors are kept as outputs."""

    outputs: Outputs
    display_pub_class = Type(Publisher)
    displayhook_class = Type(Hook)

    def enable_gui(self, gui: str | None = None) -> None:
        """Do nothing: figures are shown inline, without an event loop."""

    def system(self, cmd: str) -> None:
        """Run a line that begins with `!`; there is no terminal for it."""
        run = subprocess.run(cmd, shell=True, capture_output=True, text=True, errors="replace")
        print(run.stdout + run.stderr, end="")
        self.user_ns["_exit_code"] = run.returncode

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Show the current error; not `TooSlow`, which is raised again while IPython formats it."""
        if not isinstance(sys.exc_info()[1], TooSlow):
            super().showtraceback(*args, **kwargs)

    def ask_exit(self) -> None:
        """End the cell: what `exit()` and `quit()` call."""
        raise SystemExit

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.outputs.fail(etype.__name__, str(evalue), list(stb))


def new_shell() -> Shell:
    """Return the shell of this process, with a module `__main__` of its own."""
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    module = types.ModuleType("__main__")
    shell = Shell.instance(config=settings, user_module=module)
    sys.modules["__main__"] = module
    sys.path.insert(0, "")  # for a helper file beside the notebook
    shell.run_line_magic("matplotlib", "inline")
    return shell


def run_cell(shell: Shell, source: str, seconds: float, room: int) -> list[Output]:
    """Return the outputs of a cell."""
    outputs = Outputs(room)
    shell.outputs = shell.display_pub.outputs = shell.displayhook.outputs = outputs
    with streams(outputs):
        warnings.filterwarnings("ignore", "To exit: use 'exit'")  # beside the SystemExit shown
        try:
            result = call_within(seconds, shell.run_cell, source, store_history=False)
            error = result.error_before_exec or result.error_in_exec
        except (TooSlow, SystemExit) as raised:
            error = raised
    if isinstance(error, TooSlow):
        outputs[:] = [output for output in outputs if output["output_type"] != "error"]
        message = TOO_SLOW.get(os.environ.get("POSENC_LANGUAGE", ""), IN_BOTH).format(seconds)
        outputs.fail("TooSlow", message, [f"TooSlow: {message}"])
    shell.execution_count += 1
    return list(outputs)


@contextlib.contextmanager
def streams(outputs: Outputs) -> Iterator[None]:
    """Collect in `outputs` what the block prints; its changes to warnings' filters are undone."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream(outputs, "stdout"), Stream(outputs, "stderr")
    try:
        with warnings.catch_warnings():
            yield
    finally:
        sys.stdout, sys.stderr = before


def _plain(value: Any) -> Any:
    # nbformat keeps JSON and text; bytes of a picture are base64 by now, or become it here
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        import base64

        return base64.b64encode(value).decode("ascii")
    return str(value)
