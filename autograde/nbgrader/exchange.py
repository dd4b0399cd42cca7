"""nbgrader's exchange: everyone may write to its `inbound`, so nothing there is trusted.

nbgrader's own `collect` follows links, so that one to a teacher's file brings its content into the
feedback; it trusts the student's name on a folder, and stops the class at one that it cannot parse.
"""

from __future__ import annotations

import errno
import os
import shlex
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import Exchange, ExchangeCollect

from autograde.handed_in.files import NO_PLAIN_FILE, NOTEBOOK, files_taken, looked_at
from autograde.handed_in.limits import BESIDE_BYTES, NOTEBOOK_BYTES
from autograde.handed_in.paths import is_legible, is_plain, open_plain
from autograde.handed_in.timestamp import handed_in_at, set_odd_timestamp_aside
from autograde.nbgrader.exchange_inbound import inbound_records
from autograde.teacher.course_folder import settings_of
from autograde.teacher.other_users import OPEN, others_can_enter
from bilingual import Text, language, listed
from bilingual.setting import speaking

NO_COURSE_ID = Text(
    en="No course id: give --course, or set c.CourseDirectory.course_id in nbgrader_config.py.",
    zh="没有课程编号：请用--course给出，或在nbgrader_config.py里设c.CourseDirectory.course_id。",
)
NO_INBOUND = Text(
    en="Not an exchange folder that you can read: {folder}",
    zh="交换目录不存在，或者你无权读取：{folder}",
)
NOT_COPIED = Text(
    en="Left out of the exchange's {folder}: {file} ({why})",
    zh="交换目录的{folder}里略过了{file}（{why}）",
)
ODD_FILES = Text(
    en="Left out of the exchange's {folder}: files ({number}) with unprintable characters in their "
    "names, the first {file}",
    zh="交换目录的{folder}里略过了{number}个文件，名称里有无法显示的字符，第一个是{file}",
)
FROM_FUTURE = Text(
    en="The time of {name} is in the future: nothing that {student} hands in before then counts.",
    zh="{name}的提交时间还没有到：在那之前，{student}再交的都不算数。",
)
NOT_LISTED = Text(
    en="Collected, but not on the class list: {students}. Add them to it, or delete submitted/ID "
    "before you grade: grading enters them in the gradebook.",
    zh="已收下，但不在班级名单上：{students}。请补进名单；不该有的，请在评分之前删掉submitted/ID，"
    "否则评分会把他们录入成绩库。",
)
NEWER = Text(
    en="Handed in again since: {students}. To collect that too: nbgrader collect {chapter} "
    "--update, then grade again.",
    zh="{students}之后又交了一份。要收下，请运行nbgrader collect {chapter} --update，再重新评分。",
)
OF_ANOTHER = Text(en="it belongs to another user", zh="属于别的用户")


class InTheCourseLanguage(Exchange):
    """Logs in the language of course.toml, unless this reader has chosen one."""

    def start(self) -> Any:
        """Run the command, and return its result: formgrader needs the list of what is released."""
        readers, released = language(), settings_of(self.config).language
        with speaking(released if readers == "both" else readers):
            return super().start()


class CollectAsTheirs(InTheCourseLanguage, ExchangeCollect):
    """nbgrader's `collect`, of files that the student owns, within the limits of grading."""

    def init_src(self) -> None:
        """Find the submission of each student that counts: the newest, or the newest in time."""
        if not self.coursedir.course_id:
            self.fail(str(NO_COURSE_ID))
        self.inbound_path = os.path.join(self.root, self.coursedir.course_id, "inbound")
        if not os.access(self.inbound_path, os.R_OK | os.X_OK):
            self.fail(str(NO_INBOUND.format(folder=self.inbound_path)))
        of_students: dict[str, list[dict[str, Any]]] = defaultdict(list)
        student = self.coursedir.student_id or "*"
        paths = Path(self.inbound_path).glob(f"{student}+{self.coursedir.assignment_id}+*")
        for record in inbound_records(paths, self.log, check_owner=self.check_owner):
            of_students[record["username"]].append(record)
        due = self._due() if self.before_duedate else None
        self.src_records = [_counting(records, due) for records in of_students.values()]
        for record in self.src_records:
            if record["timestamp"] > datetime.now(UTC).replace(tzinfo=None):
                about = {"name": ascii(record["filename"]), "student": record["username"]}
                self.log.warning(str(FROM_FUTURE.format(**about)))

    def _due(self) -> datetime | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                return gradebook.find_assignment(self.coursedir.assignment_id).duedate
            except MissingEntry:
                return None

    def copy_files(self) -> None:
        """Copy what counts; warn of newer submissions, of strangers and of an open folder."""
        super().copy_files()
        newer = [] if self.update else sorted(filter(None, map(self._newer, self.src_records)))
        chapter, root = self.coursedir.assignment_id, Path(self.coursedir.root)
        if newer:
            self.log.warning(str(NEWER.format(students=listed(newer), chapter=chapter)))
        if not_listed := self._not_listed():
            self.log.warning(str(NOT_LISTED.format(students=listed(not_listed))))
        if others_can_enter(root):
            self.log.warning(str(OPEN.format(folder=shlex.quote(str(root)))))

    def _not_listed(self) -> list[str]:
        """Return the students who are not in the gradebook; nobody if it has no students."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            students = {one.id for one in gradebook.students}
        handed_in = {record["username"] for record in self.src_records}
        return sorted(handed_in - students) if students else []

    def _newer(self, record: dict[str, Any]) -> str | None:
        """Return the student if their submission here is newer than the one in `submitted/`."""
        folders, student = self.coursedir, record["username"]
        path = folders.format_path(folders.submitted_directory, student, folders.assignment_id)
        before = handed_in_at(Path(path))
        return student if before and before < record["timestamp"] else None

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the student's own files to a temporary folder, and from there as nbgrader does."""
        with TemporaryDirectory() as folder:
            copy = Path(folder, "submission")
            copy.mkdir()
            self._copy(Path(src), copy)
            set_odd_timestamp_aside(copy)
            with suppress(RuntimeError):  # nbgrader has logged that the folder is too large
                super().do_copy(str(copy), dest, log)

    def _copy(self, folder: Path, copy: Path) -> None:
        own = f"{self.coursedir.assignment_id}{NOTEBOOK}"
        legible = [one for one in folder.glob(f"*{NOTEBOOK}") if is_legible(one.name)]
        notebooks = sorted(legible, key=lambda one: (one.name != own, one))
        self._warn_of_odd_names(folder)
        for paths, left in ((notebooks, NOTEBOOK_BYTES), (files_taken(folder), BESIDE_BYTES)):
            for path in paths:
                try:
                    content = _read(folder, path, left)
                except OSError as error:
                    left_out = {"folder": ascii(folder.name), "file": ascii(path.name)}
                    self.log.warning(str(NOT_COPIED.format(**left_out, why=error.strerror)))
                    continue
                left -= len(content)
                target = copy / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)

    def _warn_of_odd_names(self, folder: Path) -> None:
        """Warn once per folder of unprintable names: nbgrader would log each of them as it is."""
        names = sorted(one.relative_to(folder).as_posix() for one in looked_at(folder))
        if odd := [name for name in names if not is_legible(name)]:
            about = {"folder": ascii(folder.name), "number": len(odd), "file": ascii(odd[0])}
            self.log.warning(str(ODD_FILES.format(**about)))


def _read(folder: Path, path: Path, most: int) -> bytes:
    if not is_plain(path):
        raise OSError(errno.EINVAL, NO_PLAIN_FILE.label())
    with open_plain(folder, path) as file:
        facts = os.fstat(file.fileno())
        if facts.st_uid != folder.lstat().st_uid:
            raise PermissionError(errno.EPERM, OF_ANOTHER.label())
        if facts.st_size > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return file.read(most)


def _counting(records: list[dict[str, Any]], due: datetime | None) -> dict[str, Any]:
    in_time = [one for one in records if due is None or one["timestamp"] <= due]
    return max(in_time or records, key=lambda one: one["timestamp"])
