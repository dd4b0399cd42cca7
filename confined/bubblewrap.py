"""bubblewrap around the fork server, if it is installed: a wall that is not of our making.

`view.py` limits what a worker sees of the disk. In bubblewrap the fork server itself never sees
more, and has no network; a fault in our view then exposes nothing else. The fork server starts
without bubblewrap if it is not installed, if this machine refuses it, or if no view can be made in
it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from confined.view import readable

NOT_INSTALLED = "bubblewrap is not installed"
TRIAL = "from confined.confine import own_mounts; own_mounts()"  # the view inside needs that


def wrapped(command: Sequence[str], hidden: Sequence[str]) -> tuple[list[str], str]:
    """Return the command that runs `command` in bubblewrap, and ""; or `command`, and why not.

    hidden: packages of this course that it may not read.
    """
    program = shutil.which("bwrap")
    if program is None:
        return list(command), NOT_INSTALLED
    within = [program, *_options(hidden), "--"]
    trial = [*within, sys.executable, "-I", "-c", TRIAL]
    tried = subprocess.run(trial, capture_output=True, text=True, check=False)
    if tried.returncode:
        *_, why = ["", *tried.stderr.split("\n")[:-1]]
        return list(command), why or f"it ended with {tried.returncode}"
    return [*within, *command], ""


def _options(hidden: Sequence[str]) -> Iterator[str]:
    yield from ("--unshare-net", "--unshare-ipc", "--unshare-uts")
    if os.geteuid() == 0:  # another user gets all rights with the user namespace of a worker
        yield from ("--cap-add", "ALL")  # to give each worker a user and a view of its own
    yield from ("--dev", "/dev", "--bind", "/proc", "/proc", "--tmpfs", "/tmp")
    yield from ("--dir", str(Path.home()))
    for path in [*readable(hidden), Path(__file__).parent]:
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        else:
            yield from ("--ro-bind", str(path), str(path))
    fonts = _font_cache()
    yield from ("--bind-try", fonts, fonts)


def _font_cache() -> str:
    # matplotlib's list of fonts takes seconds to make, and is used only if it is writable
    caches = os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")
    return os.environ.get("MPLCONFIGDIR", str(Path(caches, "matplotlib")))
