"""Measures by how much one hostile submission delays the grades of a class.

    python -m tools.attack_delay [NAME …]    (writes a column of docs/security_attacks.md)

The class is graded as by `python -m autograde grade --workers 1`, in a pool of one process: for
each attack once without the attacker and once with it. The attacker is graded first, so all others
wait. Measured are the time until the last honest grade is saved, and the CPU time of all processes.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from autograde.demo.folder import make_folder
from autograde.demo.steps import generate
from autograde.grading.class_grading import ClassGrading
from autograde.grading.grader_limits import limit_memory
from autograde.grading.options import GradingOptions
from autograde.grading.pool import GradingPool
from autograde.teacher.course_folder import course_api
from confined.kernel import PR_SET_CHILD_SUBREAPER, process_control
from confined.limits import Limits
from tests.security.handed_in import ROOT, Attack, attacks, honest_text
from tests.security.pieces import CHAPTER
from tools.attack_document import write_row

LIMITS = {"cell_seconds": 2.0, "submission_seconds": 10.0}
SETTINGS = f"c.SubmittedNotebook.limits = {LIMITS}\nc.SubmittedNotebook.pictures = False\n"
ALLOWED = GradingOptions(Limits(**LIMITS), pictures=False).seconds()


@dataclass(frozen=True)
class Cost:
    """Seconds until the last honest grade is saved, and CPU seconds."""

    wall: float
    cpu: float


def make_class(course: Path, honest: int) -> None:
    """Release the chapter, and hand in the honest students' work."""
    make_folder(course, ROOT, CHAPTER)
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(SETTINGS)
    generate(course_api(course), CHAPTER)
    for number in range(honest):
        folder = course / "submitted" / f"honest{number:02}" / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_text(honest_text(course), encoding="utf-8")


def graded(template: Path, attack: Attack | None, pool: GradingPool) -> Cost:
    """Return what grading a copy of the class costs, with this attacker in it."""
    with copy(template) as course:
        if attack:
            attack.hand_in(course / "submitted" / "attacker" / CHAPTER, course)
        start, before = time.monotonic(), cpu_seconds()
        grading = ClassGrading(course_api(course), CHAPTER)
        for result in grading.grade(pool, grading.waiting):
            assert result.success or result.student == "attacker", result  # all others are graded
        return Cost(time.monotonic() - start, cpu_seconds() - before)


@contextlib.contextmanager
def copy(template: Path) -> Iterator[Path]:
    """Give a copy of the class for the block."""
    course = template.with_name("course")
    shutil.copytree(template, course)
    try:
        yield course
    finally:
        subprocess.run(["rm", "-rf", course], check=True)  # some paths are too deep for Python


def cpu_seconds() -> float:
    """Return the CPU time of this process and of all that it has started."""
    own = psutil.Process()
    seconds = 0.0
    for process in (own, *own.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):  # ended: its parent counts its time
            seconds += sum(process.cpu_times()[:4])
    return seconds


def main() -> None:
    """Print and write what each attack costs the class, compared with grading without it."""
    by_name = {attack.name: attack for attack in attacks()}
    parser = argparse.ArgumentParser(prog="python -m tools.attack_delay")
    parser.add_argument("name", nargs="*", help="attacks, all by default")
    parser.add_argument("--honest", type=int, default=20, help="students of the class")
    options = parser.parse_args()
    process_control(PR_SET_CHILD_SUBREAPER, 1)  # orphans are reparented to this process
    limit_memory()
    print(f"allowed: {ALLOWED:g} s for a submission")
    with tempfile.TemporaryDirectory() as folder, GradingPool(1) as pool:
        template = Path(folder) / "template"
        make_class(template, options.honest)
        graded(template, None, pool)  # warm-up: the pool imports torch
        for name in options.name or by_name:
            without, beside = (graded(template, attack, pool) for attack in (None, by_name[name]))
            wall, cpu = beside.wall - without.wall, beside.cpu - without.cpu
            print(f"{name}: {wall:+.1f} s, CPU {cpu:+.1f} s", "without it", without, flush=True)
            waits = f"{wall:+.1f} s, CPU {cpu:+.1f} s, of {options.honest}"
            write_row(name, {"the class waits": waits})


if __name__ == "__main__":
    main()
