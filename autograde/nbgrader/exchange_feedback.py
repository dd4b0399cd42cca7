"""nbgrader's `release_feedback`, which stops the class at a submission without a secret."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograde.grading.timestamp import NAME
from bilingual import Text

SECRET = "submission_secret.txt"
NOT_RELEASED = Text(
    en="No feedback released to {student}, whose submission did not come through the exchange.",
    zh="没有给{student}发放反馈：其提交不是经交换目录来的。",
)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Leave out whose submission has no secret, and go on."""

    def copy_files(self) -> None:
        """Copy the pages of the others."""
        for folder in map(Path, glob(self.src_path)):
            if not _has_secret(folder):
                self.log.warning(str(NOT_RELEASED.format(student=folder.parent.name)))
                self.coursedir.student_id_exclude += f",{folder.parent.name}"
        super().copy_files()


def _has_secret(folder: Path) -> bool:
    try:
        return all((folder / one).read_text(encoding="utf-8") for one in (NAME, SECRET))
    except (OSError, ValueError):
        return False
