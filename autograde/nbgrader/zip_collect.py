"""nbgrader's zip_collect does what `python -m autograde collect` does.

nbgrader's own command unpacks archives without a limit, stops the class at one broken archive, and
trusts the names that students wrote.
"""

from __future__ import annotations

from nbgrader.plugins import ExtractorPlugin
from traitlets import Enum

from autograde.collecting.command import collect_and_exit
from autograde.collecting.platforms import SOURCES


class Collect(ExtractorPlugin):
    """Collects what lies in `downloaded/CHAPTER/archive`, as the first of zip_collect's steps."""

    platform = Enum(list(SOURCES), None, allow_none=True, help="where a download is from").tag(
        config=True
    )

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Collect, and exit: nbgrader's next step, copying unpacked files, has nothing to do."""
        folders = self.parent.coursedir
        collect_and_exit(folders, folders.assignment_id, self.platform)
