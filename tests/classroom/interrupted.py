"""Interrupts the grading of a class at drawn moments and grades again: all grades are there.

python -m tests.classroom.interrupted kill|disk|memory|twice [MOMENTS [SEED]] [--repeat]

A moment is how much of the work is done: for each submission its graded notebook counts one, its
line in the journal another. From then on `disk` lets the grader's processes write to no file. To
have a real disk filled: `python -m tests.classroom.interrupted fill --folder SMALL_DISK`. With
`--repeat` the class is graded already, and graded again with the same inputs.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from autograde.teacher.errors import CannotBegin
from confined.control_group import new_group
from confined.limits import Limits
from tests.classroom.class_of_five import STEPS, Table, done, make_class, table
from tests.classroom.one_chapter import CHAPTER, grade, release

COMMAND = ("autograde", "grade", CHAPTER)
MORE = 32  # MiB


def kill(grader: subprocess.Popen[str], course: Path) -> None:
    """End it as nothing can prevent."""
    grader.kill()


def disk(grader: subprocess.Popen[str], course: Path) -> None:
    """Let none of its processes write to a file any more."""
    for process in _processes(grader):
        with contextlib.suppress(psutil.Error):  # it has just ended
            process.rlimit(psutil.RLIMIT_FSIZE, (0, psutil.RLIM_INFINITY))


def memory(grader: subprocess.Popen[str], course: Path) -> None:
    """Let its processes have a little more memory than now; the kernel ends what takes it all.

    Where there is no cgroup none of them gets any more.
    """
    try:
        group = new_group(Limits(memory=MORE, processes=1000))
    except (OSError, ValueError):
        for process in _processes(grader):
            with contextlib.suppress(psutil.Error):
                now = process.memory_info().data
                process.rlimit(psutil.RLIMIT_DATA, (now, psutil.RLIM_INFINITY))
        return
    for process in _processes(grader):
        with contextlib.suppress(OSError):
            group.add(process.pid)
    grader.wait()
    group.close()


def fill(grader: subprocess.Popen[str], course: Path) -> None:
    """Fill the disk that the course lies on."""
    with (course / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 12))


def twice(grader: subprocess.Popen[str], course: Path) -> None:
    """Grade from here as well, at once: a process of its own would begin when the first ends."""
    with contextlib.suppress(CannotBegin):  # while the first is there
        grade(course)


def _processes(grader: subprocess.Popen[str]) -> list[psutil.Process]:
    first = psutil.Process(grader.pid)
    return [first, *first.children(recursive=True)]


KINDS = {"kill": kill, "disk": disk, "memory": memory, "fill": fill, "twice": twice}


def interrupted(course: Path, *interruptions: tuple[str, int], repeat: bool = False) -> str:
    """Return what a run says that is interrupted in each of these ways when so much is done."""
    grader = subprocess.Popen(
        [sys.executable, "-m", *COMMAND, "--workers", "1", *["--repeat"] * repeat],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    with grader:
        below = []
        for kind, moment in interruptions:
            while done(course, repeat=repeat) < moment and grader.poll() is None:
                time.sleep(0.001)
            if grader.poll() is None:
                below = _processes(grader)[1:]
                KINDS[kind](grader, course)
        words = grader.communicate()[0]
    assert psutil.wait_procs(below, timeout=60)[1] == []  # it leaves nothing running
    return words


def moments(count: int, seed: int) -> list[int]:
    """Return `count` drawn moments, of which no two are alike as long as there are others."""
    drawn = random.Random(seed)
    return [
        moment for _ in range(count // STEPS + 1) for moment in drawn.sample(range(STEPS), STEPS)
    ][:count]


def graded_whole(course: Path) -> Table:
    """Return the table of a run that nothing disturbs; AssertionError if it has not graded all."""
    whole, printed = grade(course)
    assert not whole, printed  # one file is not a notebook
    assert done(course) == STEPS, printed + _logs(course)
    return table(course)


def grade_again(
    template: Path,
    course: Path,
    runs: list[list[tuple[str, int]]],
    whole: Table,
    *,
    repeat: bool = False,
) -> list[str]:
    """Return what interrupted runs said, one after the other; the last gives the table `whole`.

    repeat: the class is graded already, and the interrupted runs grade it again.
    Raises AssertionError, with all that they said and left in their logs, where it does not.
    """
    shutil.copytree(template, course)
    words, report = [], ""
    try:
        for run in runs:
            words.append(interrupted(course, *run, repeat=repeat))
            (course / "filler").unlink(missing_ok=True)
            report += f"{run}: {words[-1]}{_logs(course)}\n"
        all_of_them, again = grade(course)
        report += f"again: {again}{_logs(course)}\n{_differences(table(course), whole)}"
        assert "Traceback" not in "".join(words), report
        assert not all_of_them, report  # one file is not a notebook
        assert table(course) == whole, report
        if not repeat:
            assert done(course) == STEPS, report  # nothing is lost, nothing is graded twice
    finally:
        shutil.rmtree(course)
    return words


def _logs(course: Path) -> str:
    logs = (course / "grading" / "logs").rglob("*.log")
    return "".join(f"\n{log.stem}: {log.read_text(encoding='utf-8')}" for log in logs)


def _differences(actual: Table, expected: Table) -> str:
    students = sorted(actual.keys() | expected.keys())
    pairs = [(who, actual.get(who), expected.get(who)) for who in students]
    return "".join(f"{who}: {a}, not {b}\n" for who, a, b in pairs if a != b)


def _last(words: str) -> str:
    sentences = [line for line in words.split("\n") if "graded" in line]
    return sentences[-1].strip() if sentences else ""


def main() -> None:
    """Interrupt at drawn moments; print each, with what was said; end where a table differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.classroom.interrupted")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("moments", type=int, nargs="?", default=20)
    parser.add_argument("seed", type=int, nargs="?", default=2026)
    parser.add_argument("--repeat", action="store_true", help="of a class that is graded already")
    parser.add_argument("--folder", type=Path, help="where the class is graded")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as place,
        tempfile.TemporaryDirectory(dir=options.folder) as disk,
    ):
        template = Path(place)
        release(template)
        make_class(template)
        undisturbed = Path(disk) / "undisturbed"
        shutil.copytree(template, undisturbed)
        whole = graded_whole(undisturbed)
        for number, moment in enumerate(moments(options.moments, options.seed)):
            course = Path(disk) / f"course-{number}"  # of one path this process may keep the lock
            start = undisturbed if options.repeat else template
            runs = [[(options.kind, moment)]]
            (words,) = grade_again(start, course, runs, whole, repeat=options.repeat)
            print(
                f"{options.kind} at {moment} of {STEPS}: the same table.", _last(words), flush=True
            )


if __name__ == "__main__":
    main()
