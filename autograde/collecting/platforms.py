"""What a platform writes in front of a student's file name, and the platform of a download.

A shape matches a platform's whole prefix and must fit every file of the download: a student chooses
only what follows the prefix, and cannot make a download look like another platform's.

- Moodle: `Ada Lovelace_1234567_assignsubmission_file_…`, or a folder of that name. The number
  belongs to one assignment, its name has no underscore (mod/assign/classes/downloader.php).
- Canvas: `lovelaceada_LATE_12345_67890_…`: the student's number, then the file's, which grows with
  each upload (lib/content_zipper.rb).
- Blackboard: `TITLE_USER_attempt_2026-09-14-22-00-00_…`: the time in the course's zone.
- folders: the outermost one that names a student is the platform's, or the teacher's.
- files: their names are the students' own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import compress

from autograde.collecting.class_list import ClassList, normalised
from autograde.handed_in.escaped import escaped
from autograde.teacher.errors import CannotBegin
from bilingual import Text

SHAPES = {
    "moodle": r"(?P<who>[^_]+)_(?P<account>[0-9]+)_assignsubmission_[a-z]+(?:_|$)",
    "canvas": r"(?=[^_]*[^\W\d_])(?P<who>[^_]+)_(?P<marked_late>LATE_)?(?P<account>[0-9]+)"
    r"_(?P<upload>[0-9]+)_",
    "blackboard": r"(?P<who>(?:(?!_attempt_).)+_(?P<account>(?:(?!_attempt_)[^_])+))"
    r"_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:[_.]|$)",
}
SOURCES = {  # of downloads
    "moodle": Text(en="Moodle", zh="Moodle"),
    "canvas": Text(en="Canvas", zh="Canvas"),
    "blackboard": Text(en="Blackboard", zh="Blackboard"),
    "folders": Text(en="folders named after students", zh="以学生命名的文件夹"),
    "files": Text(en="files that students named", zh="学生自己命名的文件"),
}
TIME = "%Y-%m-%d-%H-%M-%S"

MIXED = Text(
    en="These files do not all come from one platform: {count} are named as {platform} names them, "
    "but {other} is not. Name the platform: --platform {platform} leaves the others out, "
    "--platform files takes them all by the names that students gave them.",
    zh="这些文件不是同一平台的：{count}个是{platform}的命名方式，{other}却不是。"
    "请指明平台：--platform {platform}会略过其余的，"
    "--platform files则一律按学生自己起的文件名来认。",
)


@dataclass(frozen=True)
class Mark:
    """What a platform wrote into a path, and what the student wrote behind it.

    who: the student, as the platform writes it. account: a name or number that only one student of
    the platform has. number: the account, if it is the same in every download. time: when the file
    was handed in. marked_late: whether the platform marked it late. upload: a number that grows
    with each upload. prefix: all that stands in front of the student's own name for the file.
    """

    who: str
    behind: str
    account: str = ""
    number: str = ""
    time: datetime | None = None
    marked_late: bool = False
    upload: int = 0
    prefix: str = ""


def mark_of(
    platform: str,
    parts: tuple[str, ...],
    chapter: str,
    students: ClassList,
    zone: tzinfo | None = None,
) -> Mark | None:
    """Return what `platform` wrote into a path; None if the path is not of its shape.

    zone: of a time in it, None for this machine's.
    """
    if platform == "files":
        return Mark("/".join(parts), "")
    for index, part in enumerate(parts):
        behind = "/".join(parts[index + 1 :])
        if platform in SHAPES and (fit := _fit(SHAPES[platform], part, chapter)):
            return _mark(fit, f"{part[fit.end() :]}/{behind}", zone)
        if students.others(part):  # names inside a student's folder are the student's choice
            return Mark(part, behind) if platform == "folders" and behind else None
    return None


def recognised(paths: Sequence[tuple[str, ...]], chapter: str, students: ClassList) -> str | None:
    """Return the platform of a download, None if there are no paths to recognise it by.

    Raises `CannotBegin` if only some of them have its shape.
    """
    if not paths:
        return None
    marks = {one: [mark_of(one, path, chapter, students) for path in paths] for one in SOURCES}
    if not _are_numbered_by_canvas(marks["canvas"]):
        marks["canvas"] = [None] * len(paths)
    if any(marks["folders"]):  # a folder of nobody on the list must not decide this
        ours = [not _is_nobodys(path, chapter, students) for path in paths]
        marks["folders"] = list(compress(marks["folders"], ours))
    platform = next(one for one in SOURCES if all(marks[one]))
    partly = [one for one in SHAPES if any(marks[one])]
    if platform == "files" and partly:
        its = marks[partly[0]]
        other = escaped("/".join(paths[its.index(None)]))
        count = len(paths) - its.count(None)
        raise CannotBegin(MIXED.format(count=count, platform=partly[0], other=other))
    return platform


def _is_nobodys(path: tuple[str, ...], chapter: str, students: ClassList) -> bool:
    """Return whether a path lies in a folder and names nobody of the class list."""
    return len(path) > 1 and not students.others(without_chapter("/".join(path), chapter))


def _are_numbered_by_canvas(marks: Sequence[Mark | None]) -> bool:
    """Return whether each upload has a number of its own; "张三_20260001_1_…" counts attempts."""
    accounts = {one.upload: one.account for one in marks if one}
    return all(accounts[one.upload] == one.account for one in marks if one)


def _fit(shape: str, part: str, chapter: str) -> re.Match[str] | None:
    fit = re.match(shape, part)
    # the "05" of "2023012345_2_05_rope.ipynb" is the chapter's number, not an upload's
    chapters = re.finditer(rf"(?<![^\W_]){re.escape(chapter)}", part)
    cut = fit and any(one.start() < fit.end() < one.end() for one in chapters)
    return None if cut else fit


def _mark(fit: re.Match[str], behind: str, zone: tzinfo | None) -> Mark:
    groups = fit.groupdict()
    try:
        time = groups.get("time") and _moment(groups["time"], zone)
    except (ValueError, OverflowError):
        time = None
    return Mark(
        groups["who"],
        behind,
        groups["account"],
        number=groups["account"] if "upload" in groups else "",
        time=time,
        marked_late=bool(groups.get("marked_late")),
        upload=int(groups.get("upload") or 0),
        prefix=fit.group(),
    )


def _moment(text: str, zone: tzinfo | None) -> datetime:
    return datetime.strptime(text, TIME).replace(tzinfo=zone).astimezone(UTC)


def is_named(
    parts: tuple[str, ...], chapter: str, students: ClassList, platform: str | None
) -> bool:
    """Return whether a path is a student's: of `platform`, or of any if it is None."""
    shapes = [one for one in SHAPES if platform in (one, None)]
    shaped = any(mark_of(one, parts, chapter, students) for one in shapes)
    return shaped or bool(students.others(without_chapter("/".join(parts), chapter)))


def without_chapter(text: str, chapter: str) -> str:
    """Return a text without the chapter's name, whose number is not a student's."""
    return normalised(text).replace(normalised(chapter), " ")
