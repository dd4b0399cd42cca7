"""A folder of `feedback/` holds the course's page, and nothing that a student wrote.

nbgrader would copy into it what lies beside a graded notebook: a student's script would lie beside
our page, and a folder with the page's name would block it. nbgrader itself needs only two files
there: the time of the submission, and the secret that decides who can fetch the page.
"""

from __future__ import annotations

import re
from copy import copy
from glob import escape
from pathlib import Path

from nbgrader.converters import GenerateFeedback

from autograde.handed_in.timestamp import NAME, handed_in_at, read_beside
from bilingual.files import write_whole

SECRET = "submission_secret.txt"
LONGEST_SECRET = 1000  # bytes; nbgrader's has 128
FORM = re.compile(r"[\w\-]+", re.ASCII)


def copy_nothing(step: GenerateFeedback) -> None:
    """Let generate_feedback copy no file that lies beside a notebook."""
    folders = copy(step.coursedir)  # formgrader's other steps share the one that it was given
    folders.ignore = [escape(submission) for submission in step.assignments]
    step.coursedir = folders


def copy_time_and_secret(graded: Path, feedback: Path) -> None:
    """Copy them from a folder of `autograded/`, if they are of nbgrader's form."""
    feedback.mkdir(parents=True, exist_ok=True)
    time = handed_in_at(graded)
    for name, text in ((NAME, time and f"{time} UTC"), (SECRET, secret_in(graded))):
        if text:
            write_whole(feedback / name, text.encode())
        else:
            (feedback / name).unlink(missing_ok=True)


def secret_in(folder: Path) -> str | None:
    """Return the secret of a submission; None if it is missing or not of nbgrader's form."""
    text = read_beside(folder, SECRET, LONGEST_SECRET)
    return text if text and FORM.fullmatch(text) else None
