"""nbgrader's `release_feedback`, of the course's own pages alone; one that fails stops no other.

nbgrader's own releases whatever lies in `feedback/` under a name that ends in `.html`, a student's
file too, and ends the class at a folder of such a name or at a submission without a secret.
"""

from __future__ import annotations

from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import notebook_hash

from autograde.grading.paths import is_plain
from autograde.nbgrader.feedback_folder import secret_in
from bilingual import Text
from bilingual.files import write_whole

NOT_RELEASED = Text(
    en="No feedback released to {student}, whose submission did not come through the exchange.",
    zh="没有给{student}发放反馈：其提交不是经交换目录来的。",
)
NO_PAGE = Text(
    en="No feedback released to {student}: {file} is not a file, or cannot be copied ({why}).",
    zh="没有给{student}发放反馈：{file}不是文件，或者无法复制（{why}）。",
)
NOT_A_FILE = Text(en="a folder, a link or a device", zh="是目录、链接或设备")
RELEASED = Text(en="Feedback released to {student}: {place}", zh="已给{student}发放反馈：{place}")


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Release the page on a chapter's notebook, and leave out whoever has none or no secret."""

    def copy_files(self) -> None:
        """Copy each student's page to where the secret of the submission says."""
        excluded = self.coursedir.student_id_exclude.split(",")
        for folder in map(Path, sorted(glob(self.src_path))):
            student, page = folder.parent.name, folder / f"{folder.name}.html"
            if student in excluded:
                continue
            if secret := secret_in(folder):
                self._release(student, page, notebook_hash(secret=secret, notebook_id=page.stem))
            else:
                self.log.warning(str(NOT_RELEASED.format(student=student)))

    def _release(self, student: str, page: Path, name: str) -> None:
        place = Path(self.dest_path, f"{name}.html")
        try:
            if not is_plain(page):
                raise OSError(0, NOT_A_FILE.label())
            write_whole(place, page.read_bytes())
            place.chmod(page.stat().st_mode)  # for students to read it, whatever the umask
        except OSError as error:
            about = {"student": student, "file": page.name, "why": error.strerror}
            self.log.error(str(NO_PAGE.format(**about)))
        else:
            self.log.info(str(RELEASED.format(student=student, place=place)))
