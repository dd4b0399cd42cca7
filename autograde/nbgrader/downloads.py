"""nbgrader's zip_collect, told whose a downloaded file is: the names that the systems give.

The outermost folder or file name that fits is the one that counts: it was written by the learning
management system, what stands further in was chosen by the student.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

from nbgrader.api import Gradebook, Student
from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Dict, List, Unicode, default

from autograde.grading.files import paths_below
from bilingual import Text

# Moodle's number belongs to one assignment, its name to the student; Canvas's first number to the
# student, the second one grows with each upload. Blackboard's time is that of the course.
SHAPES = [
    r"(?P<student_id>[^_]+_\d+)_assignsubmission_file",
    r".*?_(?P<student_id>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})",
    r"[^_]+_(?:LATE_)?(?P<student_id>\d+)_(?P<upload>\d+)_",
    r"(?P<student_id>.+?)[_\- ]+{chapter}.*\.ipynb$",
]
COPY = re.compile(r"[-_ ]\(?(\d{1,3})\)?\.ipynb$")  # a browser's " (1)", Canvas's "-1"
NOT_IN_A_NAME = set('\\:*?"<>|[]{}')
NOBODY = Text(
    en="{file} is left out: no student's name, or not {chapter}, in the file's name",
    zh="略过{file}：文件名里没有学生，或不是{chapter}",
)
EARLIER = Text(
    en="{file} is left out: {student} has handed in a later one, {later}",
    zh="略过{file}：{student}后来又交了{later}",
)
NOT_LISTED = Text(
    en="{student} is not on the class list (nbgrader db student import)",
    zh="班级名单里没有{student}（nbgrader db student import）",
)


@dataclass(frozen=True)
class Named:
    """What the name of a download says: whose it is, when and as which upload it was handed in."""

    student: str
    time: datetime | None = None  # of this machine's time zone
    upload: int = 0
    copy: int = 0


def named(path: PurePath, chapter: str, shapes: Sequence[str]) -> Named | None:
    """Return what the path of a download says; None if it is no student's notebook of `chapter`.

    path: below the folder of all downloads. shapes: regular expressions for a folder's or file's
    name, with a group `student_id` and perhaps `time` (2026-09-14-23-00-00) and `upload`.
    """
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    if hidden or chapter not in path.name or path.suffix.lower() != ".ipynb":
        return None
    patterns = [re.compile(shape.replace("{chapter}", re.escape(chapter))) for shape in shapes]
    found = [match for part in path.parts for one in patterns if (match := one.match(part))]
    if not found:
        return None
    said = found[0].groupdict()
    student = said["student_id"].strip()
    if not student.isprintable() or set(student) & NOT_IN_A_NAME:
        return None
    time = said.get("time") and datetime.strptime(said["time"], "%Y-%m-%d-%H-%M-%S").astimezone()
    copy = COPY.search(path.name.replace(chapter, ""))
    return Named(student, time, int(said.get("upload") or 0), int(copy[1]) if copy else 0)


class Downloads(FileNameCollectorPlugin):
    """Says whose a download is; of several by one student the latest counts.

    Who is on the class list gets its identity: by student id, or by a name that one student has.
    """

    shapes = List(Unicode(), SHAPES, help="of names of downloads").tag(config=True)
    counting = Dict()  # what nbgrader is told, by file
    listed = Dict()  # how each student of the class list may be called, by id

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """Return whose a file is and when it was handed in; None if it does not count."""
        return self.counting.get(Path(submitted_file))

    @default("counting")
    def _counting(self) -> dict[Path, dict[str, Any]]:
        chapter, folder = self.parent.coursedir.assignment_id, self._folder()
        handed_in: dict[str, list[tuple[Path, Named]]] = defaultdict(list)
        for path in sorted(paths_below(folder)):
            said = named(path.relative_to(folder), chapter, self.shapes)
            if said:
                handed_in[self._student(said.student)].append((path, said))
            else:
                self.log.warning("%s", NOBODY.format(file=path, chapter=chapter))
        return dict(self._latest(student, of, chapter) for student, of in handed_in.items())

    def _latest(
        self, student: str, of: list[tuple[Path, Named]], chapter: str
    ) -> tuple[Path, dict[str, Any]]:
        *earlier, (latest, said) = sorted(of, key=_when)
        for path, _ in earlier:
            self.log.warning("%s", EARLIER.format(file=path, student=student, later=latest.name))
        when = said.time and said.time.astimezone(UTC).replace(tzinfo=None)
        return latest, {"student_id": student, "file_id": chapter, "timestamp": when}

    def _student(self, called: str) -> str:
        names = {called, *re.split(r"[_\-]", called)}
        found = [student for student, its in self.listed.items() if names & its]
        if len(found) == 1:
            return found[0]
        if self.listed:
            self.log.warning("%s", NOT_LISTED.format(student=called))
        return called

    @default("listed")
    def _listed(self) -> dict[str, set[str]]:
        with Gradebook(self.parent.coursedir.db_url) as gradebook:
            return {one.id: _names(one) for one in gradebook.students}

    def _folder(self) -> Path:
        app = self.parent
        folder = app.collect_directory_structure.format(
            downloaded=app.downloaded_directory,
            assignment_id=app.coursedir.assignment_id,
            collect_step=app.extracted_directory,
        )
        return Path(app.coursedir.root, folder)


def _when(download: tuple[Path, Named]) -> tuple[float, int, float, int]:
    path, said = download
    return said.time.timestamp() if said.time else 0.0, said.upload, path.stat().st_mtime, said.copy


def _names(student: Student) -> set[str]:
    first, last = student.first_name or "", student.last_name or ""
    if not first or not last:
        return {student.id, first + last} - {""}
    return {student.id, f"{first} {last}", f"{last} {first}", f"{last}{first}"}
