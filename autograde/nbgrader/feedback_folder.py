"""A folder of `feedback/` holds the course's page, and nothing that a student wrote.

nbgrader copies into it what lies beside a graded notebook: a student's script would lie beside our
page, and a folder with the page's name would block it. nbgrader itself needs only two files there:
the time of the submission, and the secret that decides who can fetch the page.
"""

from __future__ import annotations

import re
from pathlib import Path

from nbgrader.converters import GenerateFeedback

from autograde.handed_in.timestamp import NAME, handed_in_at, read_beside
from bilingual.files import write_whole

SECRET = "submission_secret.txt"
LONGEST_SECRET = 1000  # bytes; nbgrader's has 128
FORM = re.compile(r"[\w\-]+", re.ASCII)


def copy_only_time_and_secret(converter: GenerateFeedback) -> None:
    """Let generate_feedback copy only the time and the secret, no other file beside a notebook."""

    def init_assignment(assignment_id: str, student_id: str) -> None:
        folders = converter.coursedir
        steps = folders.autograded_directory, folders.feedback_directory
        paths = (folders.format_path(step, student_id, assignment_id) for step in steps)
        graded, feedback = map(Path, paths)
        feedback.mkdir(parents=True, exist_ok=True)
        time = handed_in_at(graded)
        for name, text in ((NAME, time and f"{time} UTC"), (SECRET, secret_in(graded))):
            if text:
                write_whole(feedback / name, text.encode())
            else:
                (feedback / name).unlink(missing_ok=True)

    converter.init_assignment = init_assignment


def secret_in(folder: Path) -> str | None:
    """Return the secret of a submission; None if it is missing or not of nbgrader's form."""
    text = read_beside(folder, SECRET, LONGEST_SECRET)
    return text if text and FORM.fullmatch(text) else None
