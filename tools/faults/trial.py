"""Plants one fault in a copy, runs the tests that should find it, and takes it out again."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.faults.copies import python_of
from tools.faults.fault import Fault, NoPlace, sources

Verdict = Literal["found", "survived", "to be rewritten", "no tests", "unclear"]
SECONDS = 900  # for the tests of one fault
PASSED, FAILED, NOTHING_COLLECTED = 0, 1, 5  # pytest's exit codes
# of tests, or a conftest, that cannot be imported: pytest names them. Without a name, 2 is an
# interruption and 4 a wrong command line
BROKEN_IMPORT = (2, 4)
FIRST = re.compile(
    r"^(?:FAILED |ERROR |ImportError while loading conftest ')([^\s']+)", re.MULTILINE
)


@dataclass(frozen=True)
class Run:
    """pytest's exit code, None if it did not end, and what failed first.

    first: a test, or a file that cannot be imported.
    """

    code: int | None
    first: str = ""


def run_tests(copy: Path, fault: Fault) -> Run:
    """Run the tests of `fault` in `copy`, up to the first that fails."""
    python = python_of(copy)
    options = [
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *(["-k", fault.select] if fault.select else []),
    ]
    unset = {"PYTHONPATH", "VIRTUAL_ENV", "POSENC_REQUIRE_BROWSER"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment["PATH"] = f"{python.parent}{os.pathsep}{environment['PATH']}"
    try:
        done = subprocess.run(
            [python, "-m", "pytest", *options, *fault.test_files(copy)],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Run(None, "no end")
    first = FIRST.search(f"{done.stdout}\n{done.stderr}")
    return Run(done.returncode, first[1] if first else "")


def refusal(copy: Path, fault: Fault) -> Verdict | None:
    """Return why the tests of `fault` can show nothing, None if they can."""
    if not fault.test_files(copy):
        return "no tests"
    code = run_tests(copy, fault).code
    if code == NOTHING_COLLECTED:
        return "no tests"
    return None if code == PASSED else "unclear"  # they fail without any fault


def try_fault(copy: Path, fault: Fault) -> tuple[Verdict, str]:
    """Return whether the tests find `fault`, and the first test that does, or why it is unclear."""
    try:
        name, text = fault.planted(sources(copy))
    except NoPlace:
        return "to be rewritten", ""
    path = copy / name
    whole = path.read_bytes()
    try:
        path.write_text(text, encoding="utf-8")
        run = run_tests(copy, fault)
    finally:
        path.write_bytes(whole)
    if run.code == PASSED:
        return "survived", ""
    if run.code == FAILED or (run.code in BROKEN_IMPORT and run.first):
        return "found", run.first
    return "unclear", run.first or f"pytest's exit code {run.code}"
