"""How fast a class is graded: stock nbgrader and this course, in turns, on the same submissions.

    python -m experiments.grading                     speeds, and growth with the class
    python -m experiments.grading --class-size 1000   a class of this size, once, on a TLS cluster
                                                      (start one first: docs/cluster.md)

Stock is nbgrader 0.9.6 with its default settings, one submission after the other. Each way runs in
its own course. Read the ratios, not the seconds: machines are shared. Results go to
experiments/results/grading.json.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from rich.progress import track

from autograde.demo.workbook import Workbook
from experiments.commands import MODULE, ROOT, Cost, adopt_orphans, run
from experiments.record import RESULTS, machine, read, show, write

STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.Execute.timeout = 120
c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
"""
OURS = "\nc.SubmittedNotebook.lowest_tier = 3\nc.SubmittedNotebook.pictures = {pictures}\n"


def make_course(folder: Path, chapter: str, config: str, size: int) -> None:
    """Make a course in `folder` where `size` students hand in the chapter, solved."""
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    shutil.copytree(ROOT / "solutions" / chapter, folder / "solutions" / chapter)
    run(folder, *MODULE, "nbgrader", "generate_assignment", chapter)
    notebook = Path(chapter) / f"{chapter}.ipynb"
    book = Workbook(folder / "notebooks" / notebook, ROOT / "solutions" / notebook)
    for number in range(size):
        for name in book.exercises:
            book.write(name, f"{book.solution(name)}\n# student {number}")
        path = folder / "submitted" / f"s{number:04d}" / notebook
        path.parent.mkdir(parents=True)
        path.write_text(book.text(), encoding="utf-8")


def graded(chapter: str, config: str, size: int, *command: str) -> Cost:
    """Return the cost of `command`; RuntimeError unless the whole class gets full points."""
    with tempfile.TemporaryDirectory() as folder:
        make_course(Path(folder), chapter, config, size)
        cost = run(Path(folder), *MODULE, *command, OMP_NUM_THREADS="1")
        with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
            submissions = gradebook.assignment_submissions(chapter)
            full = [one for one in submissions if one.score == one.max_score > 0]
        if len(full) != size:
            raise RuntimeError(f"{len(full)} of {size} submissions have full points")
        return cost


def ways(chapter: str) -> dict[str, tuple[str, int, tuple[str, ...]]]:
    """Return the ways that are compared: settings, size of the class, command of each."""
    settings = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    plain, pictures = (settings + OURS.format(pictures=value) for value in (False, True))
    grade = ("autograde", "grade", chapter, "--workers")
    return {
        "stock nbgrader, 6": (STOCK, 6, ("nbgrader", "autograde", chapter)),
        "20, 1 worker": (plain, 20, (*grade, "1")),
        "20, 2 workers": (plain, 20, (*grade, "2")),
        "200, 2 workers": (plain, 200, (*grade, "2")),
        "20, 2 workers, with pictures": (pictures, 20, (*grade, "2")),
        "6, through nbgrader autograde": (plain, 6, ("nbgrader", "autograde", chapter)),
    }


def compare(chapter: str, rounds: int) -> list[dict[str, Any]]:
    """Return each way's median seconds per submission, and the median ratio of stock to it."""
    seconds_each: dict[str, list[float]] = {name: [] for name in ways(chapter)}
    for _ in track(range(rounds), description="in turns"):
        for name, (config, size, command) in ways(chapter).items():
            seconds_each[name].append(graded(chapter, config, size, *command).seconds / size)
    stock = seconds_each["stock nbgrader, 6"]
    return [
        {
            "way": name,
            "seconds_each": round(statistics.median(seconds), 3),
            "stock_over_this": round(
                statistics.median(a / b for a, b in zip(stock, seconds, strict=True)), 1
            ),
        }
        for name, seconds in seconds_each.items()
    ]


def growth(chapter: str, sizes: list[int]) -> list[dict[str, Any]]:
    """Return seconds and largest process for classes of these sizes, with two workers."""
    config, _, command = ways(chapter)["20, 2 workers"]
    rows = []
    for size in track(sizes, description="growth"):
        cost = graded(chapter, config, size, *command)
        seconds = round(cost.seconds, 1)
        rows.append({"students": size, "seconds": seconds, "largest_process_MiB": cost.peak})
    return rows


def cluster(chapter: str, size: int, scheduler: str) -> dict[str, Any]:
    """Return the seconds that grading a class takes on a running Dask cluster."""
    config = ways(chapter)["20, 2 workers"][0]
    command = ("autograde", "grade", chapter, "--scheduler", scheduler)
    return {"students": size, "seconds": round(graded(chapter, config, size, *command).seconds, 1)}


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--chapter", default="02_sinusoidal")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="*", default=[20, 60, 200])
    parser.add_argument("--class-size", type=int)
    parser.add_argument("--scheduler")
    options = parser.parse_args()
    if options.class_size and not options.scheduler:
        parser.error("--class-size needs a --scheduler")
    adopt_orphans()
    if options.class_size:
        row = cluster(options.chapter, options.class_size, options.scheduler)
        results = {"cluster": [row]}
    else:
        speed = compare(options.chapter, options.rounds)
        results = {"speed": speed, "growth": growth(options.chapter, options.sizes)}
    context = {"chapter": options.chapter, "machine": machine("nbgrader", "torch")}
    path = RESULTS / "grading.json"
    write(path, read(path) | {name: {**context, "rows": rows} for name, rows in results.items()})
    for name, rows in results.items():
        show(name, rows)


if __name__ == "__main__":
    main()
