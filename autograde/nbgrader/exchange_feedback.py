"""nbgrader's `release_feedback`, of the course's own, current pages; if one fails, others go on.

nbgrader's own command releases every file in `feedback/` with a name that ends in `.html`, even a
student's. It stops the class at a folder of such a name or at a submission without a secret. And it
gives a student the page of another if both submissions have the same secret.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from glob import glob
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import notebook_hash

from autograde.handed_in.paths import is_plain
from autograde.nbgrader.exchange import InTheCourseLanguage
from autograde.nbgrader.feedback_folder import secret_in
from autograde.teacher.errors import CannotBegin
from autograde.teacher.penalties import renew_and_print
from bilingual import Text, listed
from bilingual.files import write_whole

NOT_RELEASED = Text(
    en="No feedback released to {student}, whose submission has no submission_secret.txt as "
    "nbgrader writes it: did it come through the exchange?",
    zh="没有给{student}发放反馈：其提交没有nbgrader所写的那种submission_secret.txt，"
    "是不是没有经过交换目录？",
)
ONE_SECRET = Text(
    en="No feedback released to {students}, whose submissions have the same submission_secret.txt: "
    "one page would take the other's place. Give these back by hand.",
    zh="没有给{students}发放反馈：这几份提交的submission_secret.txt相同，"
    "一份网页会顶替另一份。请手工发还。",
)
NO_PAGE = Text(
    en="No feedback released to {student}: {file} is not a file, or cannot be copied ({why}).",
    zh="没有给{student}发放反馈：{file}不是文件，或者无法复制（{why}）。",
)
NOT_A_FILE = Text(en="a folder, a link or a device", zh="是目录、链接或设备")
OUT_OF_DATE = Text(
    en="No feedback released to {students}, whose pages are out of date, as points or the notebook "
    "have changed since. Run nbgrader generate_feedback {chapter} --force, then this again.",
    zh="没有给{students}发放反馈：之后又评过分或改过分，网页已经过时。"
    "请运行nbgrader generate_feedback {chapter} --force，再运行本命令。",
)
RELEASED = Text(en="Feedback released to {student}: {path}", zh="已给{student}发放反馈：{path}")


class ReleaseFeedback(InTheCourseLanguage, ExchangeReleaseFeedback):
    """Releases each student's page; leaves out students without a page or without a secret."""

    def copy_files(self) -> None:
        """Copy each student's page to the path that the submission's secret determines.

        Pages that are out of date are left out, and the command then fails at its end.
        """
        excluded = self.coursedir.student_id_exclude.split(",")
        paths = map(Path, sorted(glob(self.src_path)))
        folders = [one for one in paths if one.parent.name not in excluded]
        students, sharing = [one.parent.name for one in folders], self._sharing()
        outdated = self._outdated(students) if students else []
        for student, folder in zip(students, folders, strict=True):
            page, secret = folder / f"{folder.name}.html", secret_in(folder)
            if secret is None:
                self.log.warning(str(NOT_RELEASED.format(student=student)))
            elif len(sharing[secret]) == 1 and student not in outdated:
                self._release(student, page, notebook_hash(secret=secret, notebook_id=page.stem))
        for those in sharing.values():
            if len(those) > 1:
                self.log.error(str(ONE_SECRET.format(students=listed(those))))
        if outdated:
            about = {"students": listed(outdated), "chapter": self.coursedir.assignment_id}
            self.fail(str(OUT_OF_DATE.format(**about)))

    def _sharing(self) -> dict[str, list[str]]:
        """Return the students of the chapter by the secret of their submission."""
        folders, sharing = self.coursedir, defaultdict(list)
        pages = folders.format_path(folders.feedback_directory, "*", folders.assignment_id)
        for folder in map(Path, sorted(glob(pages))):
            if secret := secret_in(folder):
                sharing[secret].append(folder.parent.name)
        return sharing

    def _outdated(self, students: Collection[str]) -> list[str]:
        """Return the students whose page is out of date, as `give-back` tells it."""
        # here: they import torch, and every command reads nbgrader_config.py
        from autograde.giving_back.pages import Page, page_of
        from autograde.register.read_register import read_register

        chapter = self.coursedir.assignment_id
        api = NbGraderAPI(coursedir=self.coursedir, config=self.config)
        try:
            renew_and_print(api, chapter)
        except (CannotBegin, MissingEntry) as error:
            self.fail(str(error))
        register = read_register(api, chapter)
        pages = {
            row.student: page_of(self.coursedir, register, row)
            for row in register.rows
            if row.student in students
        }
        return [who for who, page in pages.items() if isinstance(page, Page) and page.is_old]

    def _release(self, student: str, page: Path, name: str) -> None:
        path = Path(self.dest_path, f"{name}.html")
        try:
            if not is_plain(page):
                raise OSError(0, NOT_A_FILE.label())
            write_whole(path, page.read_bytes())
            path.chmod(page.stat().st_mode)  # for students to read it, whatever the umask
        except OSError as error:
            about = {"student": student, "file": page.name, "why": error.strerror}
            self.log.error(str(NO_PAGE.format(**about)))
        else:
            self.log.info(str(RELEASED.format(student=student, path=path)))
