"""What a page is called in the zip: a platform finds the student by the name of the file.

- Moodle, "Upload multiple feedback files in a zip": NAME_NUMBER_assignsubmission_file_ and then the
  name that the page gets there; by the number, which belongs to one assignment. All versions read
  this, whether or not the download had folders (mod/assign/feedback/file/importziplib.php).
- Canvas, "Re-Upload Submissions": the first two parts between underscores that are digits alone are
  the student's number, and that of a file of the submission as it is then. The page is shown under
  the name of that file (infer_comment_context_from_filename and generate_comments_from_files in
  app/models/abstract_assignment.rb).
- Blackboard, folders, files: no form of theirs is known, so people read these names.

So what the platform wrote in front of a file that was handed in stands in front of the page.
"""

from __future__ import annotations

import re

from autograde.collecting.class_list import ClassList
from autograde.collecting.platforms import SHAPES, mark_of
from autograde.teacher.full_name import full_name

# that find a student by the name of a file, and what they are called
FINDERS = {"moodle": "Moodle", "canvas": "Canvas"}


def platform_name(platform: str, source: str, chapter: str, students: ClassList) -> str | None:
    """Return a page's name by the path that its notebook was collected from; None if it has none.

    platform: one of `FINDERS`.
    """
    parts = tuple(source.split("/"))
    if not mark_of(platform, parts, chapter, students):
        return None
    fits = (re.match(SHAPES[platform], part) for part in parts)
    prefix = next(fit.group() for fit in fits if fit)
    return f"{prefix.removesuffix('_')}_{chapter}.html"


def plain_name(student: str, last_name: str, first_name: str, chapter: str) -> str:
    """Return a page's name for people: id, name, chapter."""
    who = "_".join(filter(None, (student, full_name(last_name, first_name))))
    return re.sub(r"[^\w.@+ -]", "_", f"{who}_{chapter}.html")
