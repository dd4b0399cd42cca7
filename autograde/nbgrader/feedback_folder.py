"""A folder of `feedback/` holds the course's page, and nothing that a student wrote.

nbgrader copies into it what lies beside a graded notebook: a student's script would lie beside our
page, and a folder with the page's name would block it. nbgrader itself needs only two files there:
the time of the submission, and the secret that decides who can fetch the page.
"""

from __future__ import annotations

import re
from pathlib import Path

from nbgrader.utils import remove, rmtree

from autograde.handed_in.paths import is_folder
from autograde.handed_in.timestamp import NAME, handed_in_at, read_beside

SECRET = "submission_secret.txt"
LONGEST_SECRET = 1000  # bytes; nbgrader's has 128
FORM = re.compile(r"[\w\-]+", re.ASCII)


def keep_only_time_and_secret(folder: Path) -> None:
    """Remove from a folder of `feedback/` all that nbgrader copied, but the time and the secret.

    Neither of them is kept if it is not of nbgrader's form.
    """
    values = {NAME: handed_in_at(folder), SECRET: secret_in(folder)}
    for path in list(folder.glob("*")):
        if not values.get(path.name):
            (rmtree if is_folder(path) else remove)(path)


def secret_in(folder: Path) -> str | None:
    """Return the secret of a submission; None if it is missing or not of nbgrader's form."""
    text = read_beside(folder, SECRET, LONGEST_SECRET)
    return text if text and FORM.fullmatch(text) else None
