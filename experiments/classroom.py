"""A class from release to grades, by the commands that a teacher types: seconds of each, on Linux.

    python -m experiments.classroom                     classes of 12 and of 200
    python -m experiments.classroom --keep FOLDER       the same, not stored; the courses stay

`classroom_course.py` has the class. Settings are those of the course, pictures of the feedback
included. Machines are shared: read the CPU seconds, of all processes that a command starts. Results
go to experiments/results/classroom.json.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.classroom_course import hand_in, make_course, require_whole

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "experiments" / "results" / "classroom.json"
# nbgrader calls `alembic` by name
PATH = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
PLATFORMS = ("moodle", "canvas", "chaoxing")


def steps(chapter: str) -> dict[str, tuple[str, ...]]:
    """Return the commands from release to grades, in order."""
    return {
        "release": ("nbgrader", "generate_assignment", chapter, "--force"),
        "class list": ("nbgrader", "db", "student", "import", "students.csv"),
        "collect": ("autograde", "collect", chapter),
        "grade": ("autograde", "grade", chapter),
        "report": ("autograde", "report", chapter),
        "feedback": ("nbgrader", "generate_feedback", chapter),
        "export": ("nbgrader", "export"),
        **{f"grades for {name}": ("autograde", "grades", chapter, "--platform", name)
           for name in PLATFORMS},
    }  # fmt: skip


def measure(folder: Path, chapter: str, size: int) -> dict[str, dict[str, float]]:
    """Take a class all the way; return the seconds and the CPU seconds of each step."""
    make_course(folder, chapter, size)
    measures = {}
    for name, command in steps(chapter).items():
        if name == "collect":
            hand_in(folder, chapter, size)
        measures[name] = run(folder, *command)
        Console(stderr=True).print(f"{size} · {name}: {measures[name]}")
    require_whole(folder, chapter, size)
    return measures


def run(folder: Path, *command: str) -> dict[str, float]:
    """Run a module of Python in `folder`; return the seconds, and those of all its processes."""
    start, before = time.perf_counter(), _cpu()
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, text=True, capture_output=True,
        env={**os.environ, "PATH": PATH},
    )  # fmt: skip
    if done.returncode and command[:2] != ("autograde", "grade"):  # 1: a file is broken
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    with suppress(ChildProcessError):  # no more of them
        while True:
            os.wait()
    return {"s": round(time.perf_counter() - start, 1), "cpu_s": round(_cpu() - before, 1)}


def adopt_orphans() -> None:
    """Become the parent of processes that outlive theirs: those that judge would not count."""
    PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("this process cannot adopt orphans")


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure, store and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chapter", default="02_sinusoidal")
    parser.add_argument("--sizes", type=int, nargs="+", default=[12, 200])
    parser.add_argument("--keep", type=Path, help="the folder of the course, which stays")
    options = parser.parse_args()
    adopt_orphans()
    stored: dict[str, Any] = {"chapter": options.chapter, "classes": {}}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep / str(size) if options.keep else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            stored["classes"][str(size)] = measure(folder, options.chapter, size)
    stored["machine"] = {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("nbgrader", "torch")},
    }
    if not options.keep:
        RESULTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    for size, measures in stored["classes"].items():
        table = Table("step", "s", "CPU s", title=f"{size} students")
        for name, seconds in measures.items():
            table.add_row(name, str(seconds["s"]), str(seconds["cpu_s"]))
        Console().print(table)


if __name__ == "__main__":
    main()
