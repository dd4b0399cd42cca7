"""What learners, teachers and maintainers wait for, a function each: returns rows with aims."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from experiments.commands import MODULE, ROOT, run
from experiments.record import Row

FIRST_CHECK = """
import torch
from autograde import check
check("key_minus_query", lambda q, k: k[None, :] - q[:, None])
"""
CHAPTER = "01_permutation"  # built, and handed in
LONGEST = 120.0  # seconds that JupyterLab may take to show a page


def lab() -> list[Row]:
    """Start JupyterLab on a copy of the course twice: the first start makes `study/`."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        for part in ("tools", "notebooks"):
            shutil.copytree(ROOT / part, course / part)
        rows = ((start, _seconds_to_page(course)) for start in ("cold", "warm"))
        return [{"what": f"make lab, {start}", "s": s, "aim": 10} for start, s in rows]


def _seconds_to_page(course: Path) -> float:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{kind}_DIR": str(course.parent / kind) for kind in ("CONFIG", "DATA")}
    command = ["-m", "tools.study.lab", "--no-browser", f"--port={port}", "--ServerApp.token="]
    start = time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([sys.executable, *command], cwd=course, env=os.environ | own, **quiet)
    try:
        while server.poll() is None:
            try:
                urlopen(f"http://127.0.0.1:{port}/lab", timeout=LONGEST).close()
                return round(time.perf_counter() - start, 1)
            except URLError as error:  # nothing listens there yet
                if isinstance(error, HTTPError) or time.perf_counter() - start > LONGEST:
                    raise
                time.sleep(0.05)
    finally:
        server.terminate()
        server.wait()
    raise RuntimeError("JupyterLab ended before it showed a page")


def first_check() -> list[Row]:
    """Check an answer in a fresh interpreter, imports included."""
    return [_command("import to first check", sys.executable, "-c", FIRST_CHECK, aim=4)]


def picture() -> list[Row]:
    """Move a slider in headless Chromium: `explore` beside `interact`, in turns."""
    command = [sys.executable, "-m", "tests.browser.latency"]
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def diagnosis() -> list[Row]:
    """Find the cause of every wrong answer of the bank."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.bank.cost"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    return json.loads(run.stdout)


def chapters() -> list[Row]:
    """Run every chapter, solved, in a fresh kernel."""
    paths = sorted(ROOT.glob("solutions/*/*.ipynb"))
    convert = (*MODULE, "nbconvert", "--to", "notebook", "--execute", "--stdout")
    return [_command(f"run {path.stem}", *convert, str(path), aim=30) for path in paths]


def build() -> list[Row]:
    """Build one chapter, into a scratch folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = (*MODULE, "tools.build", CHAPTER, "--to", folder)
        return [_command(f"build {CHAPTER}", *command, aim=30)]


def submission() -> list[Row]:
    """Grade one submission, confined, in a course of its own."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        shutil.copy(ROOT / "nbgrader_config.py", course)
        shutil.copytree(ROOT / "solutions" / CHAPTER, course / "solutions" / CHAPTER)
        run(course, *MODULE, "nbgrader", "generate_assignment", CHAPTER)
        released = course / "notebooks" / CHAPTER
        shutil.copytree(released, course / "submitted" / "student" / CHAPTER)
        grade = (*MODULE, "autograde", "grade", CHAPTER)
        return [_command(f"grade one {CHAPTER}", *grade, aim=15, cwd=course)]


def check() -> list[Row]:
    """Run the daily check."""
    return [_command("make check", "make", "check", aim=90)]


def test() -> list[Row]:
    """Run all tests."""
    return [_command("make test", "make", "test", aim=600)]


def _command(what: str, *command: str, aim: float, cwd: Path = ROOT) -> Row:
    """Run a command; return its seconds and its CPU seconds."""
    return {"what": what, **run(cwd, *command).row, "aim": aim}
