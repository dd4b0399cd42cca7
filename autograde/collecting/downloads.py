"""The files that a platform gave the teacher, as they lie in `downloaded/CHAPTER/archive`.

An archive there is the platform's, and each file in it counts for itself, unless the archive's name
is a student's: then the student packed it. Only times from a platform's archive are used, and only
if they are not the times of packing, so no student can choose a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path, PurePosixPath

from autograde.collecting.archives import Archive
from autograde.collecting.limits import PLATFORM, STUDENT, Allowance, DoesNotCount
from autograde.handed_in.paths import is_plain, paths_below
from bilingual import Text

NOTEBOOK, ARCHIVE = ".ipynb", ".zip"
# if an archive's times all lie within this span, they are the times of packing
PACKING = timedelta(hours=1)
UNNAMED = ("__MACOSX",)

NO_FILE = Text(en="it is a link or a device", zh="这是链接或设备文件")

Parts = tuple[str, ...]


@dataclass(frozen=True)
class Upload:
    """A file as the platform gave it: its path, and when it was handed in, by the platform.

    parts: of the path below its archive, or below the folder of all downloads. source: that
    archive. packed_in: the path of the student's own archive that holds it.
    """

    parts: Parts
    source: str
    time: datetime | None
    content: Callable[[Allowance], bytes] = field(repr=False, compare=False)
    packed_in: str = ""

    @property
    def name(self) -> str:
        """Return the whole path, for people."""
        return "/".join((self.source, *self.parts) if self.source else self.parts)

    @property
    def path(self) -> str:
        """Return the path of the file that the platform gave, without the platform's archive."""
        return self.packed_in or "/".join(self.parts)

    @property
    def suffix(self) -> str:
        """Return the suffix of its name, in lower case."""
        return PurePosixPath(self.parts[-1]).suffix.lower()

    def packed(self, allowance: Allowance) -> list[Upload]:
        """Return the files of a student's own archive, whose times the student chose."""
        members = Archive(self.content(allowance), STUDENT).members
        return [
            Upload(member.parts, self.name, self.time, partial(self._member, index), self.path)
            for index, member in enumerate(members)
            if not is_hidden(member.parts)
        ]

    def _member(self, index: int, allowance: Allowance) -> bytes:
        # read again: a class's archives are not kept in memory
        archive = Archive(self.content(Allowance()), STUDENT)
        return archive.read(archive.members[index], allowance)


@dataclass(frozen=True)
class Download:
    """All uploads of a chapter, and the files that could not be opened, with the reason."""

    uploads: list[Upload]
    unreadable: list[tuple[str, Text]]


def read_download(
    folder: Path,
    is_named: Callable[[Parts], bool],
    opened: ExitStack,
    zone: tzinfo | None,
) -> Download:
    """Return what lies in `folder`; archives stay open for as long as `opened` does.

    is_named: whether a path is a student's. zone: of the times, None for this machine's.
    """
    uploads: list[Upload] = []
    unreadable: list[tuple[str, Text]] = []
    for path in sorted(paths_below(folder)):
        parts = path.relative_to(folder).parts
        if is_hidden(parts):
            continue
        if not is_plain(path):
            unreadable.append(("/".join(parts), NO_FILE))
        elif path.suffix.lower() != ARCHIVE or is_named(parts):
            uploads.append(Upload(parts, "", None, partial(_content, path)))
        else:
            try:
                uploads += _unpacked(path, "/".join(parts), opened, zone)
            except DoesNotCount as error:
                unreadable.append(("/".join(parts), error.why))
    return Download(uploads, unreadable)


def is_hidden(parts: Parts) -> bool:
    """Return whether a path is an operating system's own file, not somebody's work."""
    return any(
        part in UNNAMED or (part.startswith(".") and not part.startswith("..")) for part in parts
    )


def _unpacked(path: Path, name: str, opened: ExitStack, zone: tzinfo | None) -> Iterator[Upload]:
    archive = Archive(path, PLATFORM, zone)
    opened.callback(archive.close)
    members = [member for member in archive.members if not is_hidden(member.parts)]
    timed = _are_of_uploads([member.time for member in members if member.time])
    for member in members:
        time = member.time if timed else None
        yield Upload(member.parts, name, time, partial(archive.read, member))


def _are_of_uploads(times: Sequence[datetime]) -> bool:
    """Return whether an archive's times can be upload times; Canvas and Moodle 4 give others."""
    return bool(times) and max(times) - min(times) > PACKING


def _content(path: Path, allowance: Allowance) -> bytes:
    allowance.take(path.stat().st_size)
    return path.read_bytes()
