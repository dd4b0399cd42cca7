"""Measures by how much one hostile submission delays the grades of a class of 20.

    python -m tools.attack_delay [NAME …]    (else the worst of docs/security_attacks.md)

The class is graded with `python -m autograde grade --workers 1`, without the attacker and with it,
one after the other for each attack; the attacker is graded first, so that all others wait. What
counts is when the last honest grade is saved, and the CPU time of all processes.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from autograde.demo.folder import make_folder
from autograde.demo.steps import generate, teacher
from autograde.grading.options import GradingOptions
from confined.kernel import PR_SET_CHILD_SUBREAPER, process_control
from confined.limits import Limits
from tests.security.handed_in import ROOT, Attack, attacks, honest_text
from tests.security.pieces import CHAPTER

HONEST = 20
LIMITS = {"cell_seconds": 2.0, "submission_seconds": 10.0}
SETTINGS = f"c.SubmittedNotebook.limits = {LIMITS}\nc.SubmittedNotebook.pictures = False\n"
ALLOWED = GradingOptions(Limits(**LIMITS), pictures=False).seconds()
WORST = ("outputs_of_many_cells", "slow_the_second_time", "too_many_files")


@dataclass(frozen=True)
class Cost:
    """Seconds until the last honest grade is saved, and of the CPU."""

    wall: float
    cpu: float


def make_class(course: Path) -> None:
    """Release the chapter, and hand in for the honest students."""
    make_folder(course, ROOT, CHAPTER)
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(SETTINGS)
    generate(teacher(course), CHAPTER)
    for number in range(HONEST):
        folder = course / "submitted" / f"honest{number:02}" / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_text(honest_text(course), encoding="utf-8")


def graded(course: Path, attack: Attack | None) -> Cost:
    """Return what grading the class costs, with this attacker in it."""
    if attack:
        attack.hand_in(course / "submitted" / "attacker" / CHAPTER, course)
    start, before = time.time(), _cpu()
    subprocess.run(
        [sys.executable, "-m", "autograde", "grade", CHAPTER, "--workers", "1"],
        cwd=course, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, check=False,
    )  # fmt: skip
    with contextlib.suppress(ChildProcessError):  # the pool's own server and the zygotes
        while True:
            os.wait()
    cpu = _cpu() - before
    notebooks = list((course / "autograded").glob(f"honest*/{CHAPTER}/{CHAPTER}.ipynb"))
    assert len(notebooks) == HONEST  # all of the others are graded, whatever it holds
    return Cost(max(path.stat().st_mtime for path in notebooks) - start, cpu)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print for each attack what it costs the class beyond the class without it."""
    process_control(PR_SET_CHILD_SUBREAPER, 1)  # their CPU time counts here when they end
    by_name = {attack.name: attack for attack in attacks()}
    print(f"allowed: {ALLOWED:g} s for a submission")
    for name in sys.argv[1:] or WORST:
        with tempfile.TemporaryDirectory() as place:
            courses = Path(place) / "without", Path(place) / "with"
            for course in courses:
                make_class(course)
            without, beside = graded(courses[0], None), graded(courses[1], by_name[name])
            wall, cpu = beside.wall - without.wall, beside.cpu - without.cpu
            print(f"{name}: {wall:+.1f} s, CPU {cpu:+.1f} s", "without it", without, flush=True)
            subprocess.run(["rm", "-rf", *map(str, courses)], check=True)


if __name__ == "__main__":
    main()
