"""nbgrader's zip_collect does what `python -m autograde collect` does.

nbgrader's own unpacks what it is given without a limit, stops the class at one broken archive, and
takes the names that students wrote for theirs.
"""

from __future__ import annotations

from nbgrader.plugins import ExtractorPlugin
from traitlets import Enum

from autograde.collecting.command import collect_and_exit
from autograde.collecting.platforms import PLATFORMS


class Collect(ExtractorPlugin):
    """Collects what lies in `downloaded/CHAPTER/archive`, as the first of zip_collect's steps."""

    platform = Enum(PLATFORMS, None, allow_none=True, help="where a download is from").tag(
        config=True
    )

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Collect, and end: nbgrader's next step, to copy what was unpacked, has nothing to do."""
        course = self.parent.coursedir
        collect_and_exit(course, course.assignment_id, self.platform)
