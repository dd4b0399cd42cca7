"""What a page is called in the zip: a platform finds the student by the name of the file.

- Moodle, "Upload multiple feedback files in a zip": NAME_NUMBER_assignsubmission_file_ and then the
  name that the page gets there; by the number, which belongs to one assignment. All versions read
  this, whether or not the download had folders (mod/assign/feedback/file/importziplib.php).
- Canvas, "Re-Upload Submissions": the first two parts between underscores that are digits alone are
  the student's number, and that of a file of the submission as it is then. The page is shown under
  the name of that file (infer_comment_context_from_filename and generate_comments_from_files in
  app/models/abstract_assignment.rb).
- Blackboard, folders, files: no form of theirs is known, so people read these names.

So what the platform wrote in front of a file that was handed in, as `collect` noted it, stands in
front of the page. No name that a student chose does: it may be made like another student's.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from autograde.teacher.collected import Collected

FINDERS = ("moodle", "canvas")  # platforms that match a page to a student by its file name
MOST_BYTES = 200  # of id and name; Linux allows 255 for a whole name


def platform_name(platform: str, collected: Collected | None, chapter: str) -> str | None:
    """Return a page's name by what `platform` wrote; None where it wrote nothing.

    platform: one of `FINDERS`.
    """
    if collected is None or collected.platform != platform:
        return None
    return f"{collected.prefix.removesuffix('_')}_{chapter}.html"


def plain_name(student: str, name: str, chapter: str, others: Collection[str]) -> str:
    """Return a page's name for people: id, name, chapter; one that none of the others has.

    `Ada` and `ada` are the same name on Windows and macOS.
    """
    who = re.sub(r"[^\w.@+ -]", "_", f"{student}_{name}" if name else student)
    page = f"{who.encode()[:MOST_BYTES].decode(errors='ignore')}_{chapter}.html"
    folded = {one.casefold() for one in others}
    while page.casefold() in folded:
        page = f"_{page}"
    return page
