"""The name of a page in the zip: a platform finds the student by the name of the file.

- Moodle, "Upload multiple feedback files in a zip": NAME_NUMBER_assignsubmission_file_ and then the
  name that the page gets there. The number, valid for one assignment, decides. All versions read
  this, whether or not the download had folders (mod/assign/feedback/file/importziplib.php).
- Canvas, "Re-Upload Submissions": the first two all-digit parts between underscores are the numbers
  of the student and of a file in the current submission. The page is shown under that file's name
  (infer_comment_context_from_filename and generate_comments_from_files in
  app/models/abstract_assignment.rb).
- Blackboard, folders, files: they match no names that we know of, so these names are for people.

So a page's name begins with what the platform wrote in front of the student's file, as `collect`
recorded it. It contains nothing that a student chose, who could imitate another student's name.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from autograde.teacher.collected import Collected

FINDERS = ("moodle", "canvas")  # platforms that match a page to a student by its file name
MOST_BYTES = 200  # of id and name; Linux allows 255 for a whole name


def platform_name(platform: str, collected: Collected | None, chapter: str) -> str | None:
    """Return a page's name with the prefix that `platform` wrote; None if it wrote none.

    platform: one of `FINDERS`.
    """
    if collected is None or collected.platform != platform:
        return None
    return f"{collected.prefix.removesuffix('_')}_{chapter}.html"


def plain_name(student: str, name: str, chapter: str, others: Collection[str]) -> str:
    """Return a page's name for people: id, name, chapter; different from all `others`.

    `Ada` and `ada` are the same name on Windows and macOS.
    """
    who = re.sub(r"[^\w.@+ -]", "_", f"{student}_{name}" if name else student)
    page = f"{who.encode()[:MOST_BYTES].decode(errors='ignore')}_{chapter}.html"
    folded = {one.casefold() for one in others}
    while page.casefold() in folded:
        page = f"_{page}"
    return page
