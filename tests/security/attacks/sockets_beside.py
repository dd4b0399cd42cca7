"""Puts a socket, a pipe, a folder that nobody may enter and a file of two names beside it."""

import os
import socket
from pathlib import Path


def beside(folder: Path, course: Path) -> None:
    """Put files next to the notebook."""
    with socket.socket(socket.AF_UNIX) as listening:
        before = os.getcwd()
        os.chdir(folder)  # the path of a socket is short
        listening.bind("socket")
        os.chdir(before)
    os.mkfifo(folder / "data.csv")
    (folder / "closed").mkdir(0o000)
    (folder / "one").write_text("1")
    os.link(folder / "one", folder / "two")
