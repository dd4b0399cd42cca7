"""A class from release to grades, by a teacher's commands: the seconds of each, on Linux.

    python -m experiments.classroom                     classes of 12 and of 200
    python -m experiments.classroom --keep FOLDER       the same, not stored; the courses stay

`classroom_course.py` makes the class. The settings are the course's, feedback pictures included.
Machines are shared: read the CPU seconds, which count all processes that a command starts. Results
go to experiments/results/classroom.json.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console

from experiments.classroom_course import hand_in, make_course, require_whole
from experiments.commands import MODULE, adopt_orphans, run
from experiments.record import RESULTS, machine, show, write

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
    """Run all steps for a class; return the seconds and the CPU seconds of each."""
    make_course(folder, chapter, size)
    measures = {}
    for name, command in steps(chapter).items():
        if name == "collect":
            hand_in(folder, chapter, size)
        codes = (0, 1) if name == "grade" else (0,)  # 1: a file is broken
        measures[name] = run(folder, *MODULE, *command, codes=codes).row
        Console(stderr=True).print(f"{size} · {name}: {measures[name]}")
    require_whole(folder, chapter, size)
    return measures


def main() -> None:
    """Measure, store and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--chapter", default="02_sinusoidal")
    parser.add_argument("--sizes", type=int, nargs="+", default=[12, 200])
    parser.add_argument("--keep", type=Path, help="the folder of the course, which stays")
    options = parser.parse_args()
    folders = [options.keep / str(size) for size in options.sizes] if options.keep else []
    for folder in filter(Path.exists, folders):
        parser.error(f"--keep must not hold an earlier course, got {folder}")
    adopt_orphans()
    stored: dict[str, Any] = {"chapter": options.chapter, "classes": {}}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep / str(size) if options.keep else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            stored["classes"][str(size)] = measure(folder, options.chapter, size)
    stored["machine"] = machine("nbgrader", "torch")
    if not options.keep:
        write(RESULTS / "classroom.json", stored)
    for size, measures in stored["classes"].items():
        rows = [{"step": name, **seconds} for name, seconds in measures.items()]
        show(f"{size} students", rows)


if __name__ == "__main__":
    main()
