"""What a student's files may cost the teacher's own process: names, bytes, files in an archive."""

from __future__ import annotations

from dataclasses import dataclass

from autograde.handed_in.files import NOTEBOOK_BYTES
from bilingual import Text

DEEPEST, LONGEST_NAME = 32, 255  # folders within folders, characters of a name

OUTSIDE = Text(en="its name leads out of the archive", zh="文件名指向压缩包之外")
TOO_LARGE = Text(
    en="it is larger than {bytes} bytes, or all of the student's files together are",
    zh="它超过{bytes}字节，或者该学生的全部文件合计超过",
)


class DoesNotCount(ValueError):
    """A file of a download that does not count; `why` says why."""

    def __init__(self, why: Text) -> None:
        """Keep the reason in both languages."""
        super().__init__(str(why))
        self.why = why


@dataclass
class Allowance:
    """How many more bytes of a student's files may be read."""

    bytes: int = NOTEBOOK_BYTES

    def take(self, count: int) -> None:
        """Count what has been read; raise `DoesNotCount` when it is too much."""
        self.bytes -= count
        if self.bytes < 0:
            raise DoesNotCount(TOO_LARGE.format(bytes=NOTEBOOK_BYTES))


@dataclass(frozen=True)
class ArchiveLimits:
    """What an archive may hold: files, and bytes of its table of contents."""

    members: int
    contents: int


PLATFORM = ArchiveLimits(members=20_000, contents=4 << 20)  # a class of thousands
STUDENT = ArchiveLimits(members=1000, contents=256 << 10)


def is_inside(parts: tuple[str, ...]) -> bool:
    """Return whether a path leads to a file below its archive and nowhere else."""
    odd = any(part in ("/", "..") or set(part) & set("\\:\0") for part in parts)
    long = len(parts) > DEEPEST or any(len(part) > LONGEST_NAME for part in parts)
    return bool(parts) and not odd and not long
