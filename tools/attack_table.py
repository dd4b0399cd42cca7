"""Runs the attacks of tests/security against the course's grading and against plain nbgrader.

    python -m tools.attack_table [NAME …]    (writes columns of docs/security_attacks.md)

Plain nbgrader is its own `autograde` with nothing of ours switched on, in a course of its own, with
an honest student after the attacker. Student code runs there with your rights: attacks that would
harm the machine are left out (their `PLAIN` says why), as are attacks on our worker's protocol,
which plain nbgrader does not have. This takes some minutes and is not part of the tests.

"it leaves" is the size of the graded notebook.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbformat.v4 import new_notebook, writes_json
from nbgrader.api import Gradebook

from autograde.grading import notebook
from autograde.grading.notebook import NotebookGrader
from autograde.grading.options import GradingOptions
from autograde.grading.submission import submitted_cells
from autograde.handed_in.files import NotGradable, read_submission, remove_links
from autograde.kit.catalogue import exercise
from confined.limits import Limits
from tests.security.handed_in import ROOT, Attack, attacks, honest_text, record
from tests.security.pieces import CHAPTER, EXERCISE
from tests.security.spoils import CANARY, STOLEN, fingerprint, make_course, running, score, words
from tools.attack_document import write_row

WORTHLESS = 0.25  # points of the wrong answer that every attack comes with
MARK = "POSENC_ATTACK"
SECONDS = 90
SEED = 20261122
LIMITS = Limits(cell_seconds=2, submission_seconds=10, memory=1024, processes=24, output=200_000)
PLAIN = """
c = get_config()
c.CourseDirectory.course_id = "posenc"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
c.Execute.timeout = 10
c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
"""


def ours(attack: Attack, grader: NotebookGrader, course: Path) -> tuple[str, str]:
    """Return how an attack on the course's grading ends, and the size of the graded notebook."""
    text = ""
    with tempfile.TemporaryDirectory() as parent:
        folder, before = Path(parent) / "submitted", fingerprint(course)
        attack.hand_in(folder, course)
        try:
            remove_links(folder)
            submission = read_submission(folder / f"{CHAPTER}.ipynb", folder / "no source")
            cells = submitted_cells(submission.notebook, record())
            grader.grade(cells, submission.files, SEED, {})
            text = writes_json(new_notebook(cells=cells))
            findings = list(_findings(score(cells, EXERCISE), words(cells)))
        except NotGradable:
            findings = ["refused, 0 points"]
        subprocess.run(["rm", "-rf", folder], check=True)  # too deep for Python
        findings += ["writes"] * (fingerprint(course) != before)
        return "; ".join(findings) or "holds", f"{len(text.encode()) >> 10} kB"


def plain(attack: Attack, template: Path) -> str:
    """Return how the attack on plain nbgrader ends."""
    if attack.not_plain:
        return f"not run: {attack.not_plain}"
    if "channel()" in getattr(attack.module, "ANSWER", ""):
        return "–"
    parent = Path(tempfile.mkdtemp())
    course = parent / "course"
    shutil.copytree(template, course)
    attack.hand_in(course / "submitted" / "attacker" / CHAPTER, course)
    honest = course / "submitted" / "honest" / CHAPTER
    honest.mkdir(parents=True)
    (honest / f"{CHAPTER}.ipynb").write_text(honest_text(course), encoding="utf-8")
    before = _other_files(course)
    try:
        findings = ["the grader hangs"] * (not _finished(course, "autograde", CHAPTER))
        findings += ["left running"] * bool(_end_all(str(parent)))
        return "; ".join(findings + list(_results(course, before))) or "holds"
    finally:
        subprocess.run(["rm", "-rf", parent], check=True)


def _results(course: Path, before: dict[str, str]) -> Iterator[str]:
    try:
        with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
            graded = gradebook.notebook_submissions(CHAPTER, CHAPTER)
            scores = {submission.student.id: submission.score for submission in graded}
    except Exception as error:  # the attack may have destroyed the database
        yield f"**no gradebook left** ({type(error).__name__})"
        return
    path = course / "autograded" / "attacker" / CHAPTER / f"{CHAPTER}.ipynb"
    text = words(nbformat.read(path, as_version=4).cells) if path.exists() else ""
    yield from _findings(scores.get("attacker") if text else None, text)
    if scores.get("honest") != exercise(EXERCISE).points:
        yield "**an honest student loses points**"
    if _other_files(course) != before:
        yield "**writes to the course**"
    if b"CREATE TABLE mine" in (course / "gradebook.db").read_bytes():
        yield "**writes the gradebook**"


def _findings(points: float | None, text: str) -> Iterator[str]:
    if points is None:
        yield "no grade"
    elif points > WORTHLESS:
        yield f"**forged: {points:g} of {exercise(EXERCISE).points}**"
    if CANARY in text or STOLEN in text:
        yield "**reads what it must not**"
    if "<script" in text and "text/html" in text:
        yield "**script on the feedback page**"


def _other_files(course: Path) -> dict[str, str]:
    files = fingerprint(course)
    others = ("home/", "solutions/", "nbgrader_config.py", "submitted/other", "submitted/honest")
    return {name: content for name, content in files.items() if name.startswith(others)}


def _finished(course: Path, *command: str) -> bool:
    """Run an nbgrader command in `course`; return whether it came to an end."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(course / "home"),
        "IPYTHONDIR": str(course / "ipython"),
        "OMP_NUM_THREADS": "1",
        "COURSE_TOKEN": CANARY,
        MARK: str(course.parent),
    }
    try:
        subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=course,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return True


def _end_all(mark: str) -> set[int]:
    left = running(MARK, mark)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left


def make_template(folder: Path) -> Path:
    """Make the course of plain nbgrader, and generate its assignment."""
    make_course(folder)
    (folder / "gradebook.db").unlink()
    (folder / "nbgrader_config.py").write_text(PLAIN)
    shutil.rmtree(folder / "solutions")
    shutil.copytree(ROOT / "solutions" / CHAPTER, folder / "solutions" / CHAPTER)
    _finished(folder, "generate_assignment", CHAPTER)
    return folder


def main() -> None:
    """Write the rows of the table."""
    selection = [attack for attack in attacks() if attack.name in sys.argv[1:] or not sys.argv[1:]]
    seconds_one = dataclasses.replace(exercise(EXERCISE), seconds=1.0)
    notebook.exercise = lambda name: seconds_one
    with tempfile.TemporaryDirectory() as parent, ThreadPoolExecutor(2) as pool:
        template = make_template(Path(parent) / "plain")
        theirs = pool.map(lambda attack: plain(attack, template), selection)
        course = make_course(Path(parent) / "course")
        with NotebookGrader(GradingOptions(LIMITS, pictures=False, lowest_tier=3)) as grader:
            mine = [ours(attack, grader, course) for attack in selection]
        for attack, (here, size), there in zip(selection, mine, theirs, strict=True):
            cells = (attack.title, here, size, there)
            columns = ("what it tries", "the grader", "it leaves", "plain nbgrader")
            write_row(attack.name, dict(zip(columns, cells, strict=True)))


if __name__ == "__main__":
    main()
