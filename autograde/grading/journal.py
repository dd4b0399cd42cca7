"""Which submissions have been graded: one line each, written once the grade is saved.

nbgrader considers a submission graded as soon as its folder in `autograded/` exists; if grading is
killed in between, the submission is skipped for ever. So a second run goes by the journal.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from autograde.handed_in.files import NOTEBOOK, files_taken
from autograde.handed_in.limits import NOTEBOOK_BYTES
from autograde.handed_in.paths import is_plain, open_plain
from autograde.teacher.errors import CannotBegin
from bilingual import Text

IN_USE = Text(
    en="Another `grade` is at work on {chapter}: wait until it has ended, or end it.",
    zh="另一个`grade`正在评{chapter}：请等它结束，或先结束它。",
)


class Journal:
    """The file `grading/CHAPTER.jsonl` of a course; one process at a time holds its lock."""

    def __init__(self, root: Path, chapter: str) -> None:
        """Read it; a last line that was cut off by a crash does not count.

        Raises `CannotBegin` while another process holds the lock; a killed one releases it.
        """
        self.path = root / "grading" / f"{chapter}.jsonl"
        self.path.parent.mkdir(exist_ok=True)
        self.lock = FileLock(self.path.with_suffix(".lock"), timeout=0, is_singleton=True)
        try:
            self.lock.acquire()
        except Timeout as busy:
            raise CannotBegin(IN_USE.format(chapter=chapter)) from busy
        entries = _entries(self.path)
        self.done = {entry["student"]: entry["submission"] for entry in entries}
        seeds = ((entry["student"], entry.get("seed")) for entry in entries)
        self.seeds = {student: seed for student, seed in seeds if seed is not None}
        self.points = {entry["student"]: entry.get("points") for entry in entries}

    def has(self, student: str, submitted: Path) -> bool:
        """Return whether exactly this submission was graded last; False if it cannot be read."""
        try:
            return student in self.done and self.done[student] == fingerprint(submitted)
        except OSError:
            return False

    def is_outdated(self, student: str, points: Mapping[str, float]) -> bool:
        """Return whether point values have changed since this student was graded.

        False for an old line, without points.
        """
        return self.points[student] not in (None, points)

    def add(self, student: str, submission: str, seed: int, points: Mapping[str, float]) -> None:
        """Record on disk that the submission with this fingerprint was graded.

        seed: of the inputs. points: what each graded cell was worth.
        """
        self.done[student], self.seeds[student] = submission, seed
        self.points[student] = dict(points)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entry = {"student": student, "submission": submission, "graded": now, "seed": seed}
        entry["points"] = self.points[student]
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" * (not _ends_well(self.path)) + json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


def graded_last(root: Path, chapter: str) -> dict[str, str]:
    """Return the fingerprint of each student's last graded submission; takes no lock.

    A `grade` that runs meanwhile may be writing a line: an incomplete line does not count.
    """
    entries = _entries(root / "grading" / f"{chapter}.jsonl")
    return {entry["student"]: entry["submission"] for entry in entries}


def fingerprint(submitted: Path) -> str:
    """Return a hash of the files that grading takes from a submission: names and contents."""
    digest = hashlib.sha256()
    for path in sorted([*_notebook(submitted), *files_taken(submitted)]):
        with open_plain(submitted, path) as file:
            content = hashlib.file_digest(file, "sha256").digest()
        digest.update(os.fsencode(path.relative_to(submitted)) + b"\0" + content)
    return digest.hexdigest()


def _notebook(submitted: Path) -> Iterator[Path]:
    path = submitted / f"{submitted.name}{NOTEBOOK}"
    if path.exists() and is_plain(path) and path.stat().st_size <= NOTEBOOK_BYTES:
        yield path


def _entries(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    return [entry for line in lines if (entry := _entry(line))]


def _entry(line: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and {"student", "submission"} <= entry.keys() else None


def _ends_well(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if not size:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
