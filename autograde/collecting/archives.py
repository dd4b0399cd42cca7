"""A zip archive, read within limits, whoever packed it; no file is written under its names.

Sizes in headers are not trusted: bytes are counted as they are unpacked. `zipfile` reads the table
of contents in one piece, so a limit on the length of one read bounds what an archive can cost
before its first member. Only the two ordinary methods are unpacked; with the others `zipfile`
unpacks a whole piece at once, however large the result.
"""

from __future__ import annotations

import io
import unicodedata
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath
from typing import IO

from autograde.collecting.limits import OUTSIDE, Allowance, ArchiveLimits, DoesNotCount, is_inside
from bilingual import Text

ENCODINGS = ("utf-8", "gbk", "cp437")  # of names without a UTF-8 flag: macOS, Windows in China, DOS
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
PIECE = 64 << 10  # bytes that are unpacked at a time

DAMAGED = Text(en="it cannot be unpacked ({error})", zh="无法解压（{error}）")
TOO_MANY_FILES = Text(en="it holds more than {count} files", zh="里面的文件超过{count}个")
METHOD = Text(
    en="it is packed with an unusual method: ask for an ordinary zip",
    zh="压缩方法不常见：请让学生交普通的zip",
)


@dataclass(frozen=True)
class Member:
    """A file in an archive, and the time that its packer gave it, converted to UTC."""

    parts: tuple[str, ...]
    time: datetime | None
    info: zipfile.ZipInfo = field(repr=False)


class Archive:
    """An archive's files; `DoesNotCount` if it is not one, or too large."""

    def __init__(
        self, source: Path | bytes, limits: ArchiveLimits, zone: tzinfo | None = None
    ) -> None:
        """Read the table of contents; `source` is a file, or an archive's own bytes.

        zone: of its times, None for this machine's.
        """
        self.pieces = _Pieces(source, limits)
        try:
            self.zip = _opened(self.pieces)
            files = [info for info in self.zip.infolist() if not info.is_dir()]
            if len(files) > limits.members:
                raise DoesNotCount(TOO_MANY_FILES.format(count=limits.members))
            self.members = [Member(_parts(info), _time(info, zone), info) for info in files]
        except Exception as error:  # whatever `zipfile` raises must not stop other files
            self.close()
            raise _unreadable(error) from error

    def read(self, member: Member, allowance: Allowance) -> bytes:
        """Return a member's bytes, at most as many as the allowance has left."""
        if not is_inside(member.parts):
            raise DoesNotCount(OUTSIDE)
        if member.info.compress_type not in METHODS:
            raise DoesNotCount(METHOD)
        content = bytearray()
        try:
            with self.zip.open(member.info) as file:
                while piece := file.read(PIECE):
                    allowance.take(len(piece))
                    content += piece
        except Exception as error:
            raise _unreadable(error) from error
        return bytes(content)

    def close(self) -> None:
        """Close the file."""
        self.pieces.close()


def _opened(pieces: _Pieces) -> zipfile.ZipFile:
    *most, last = ENCODINGS
    for encoding in most:
        try:
            return zipfile.ZipFile(pieces, metadata_encoding=encoding)
        except UnicodeDecodeError:
            continue
    return zipfile.ZipFile(pieces, metadata_encoding=last)


class _Pieces:
    """An archive's bytes; no single read may be longer than a table of contents may be."""

    def __init__(self, source: Path | bytes, limits: ArchiveLimits) -> None:
        self.limits = limits
        file = io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
        self.seek, self.tell, self.seekable, self.close = (
            file.seek, file.tell, file.seekable, file.close,
        )  # fmt: skip
        self.file: IO[bytes] = file

    def read(self, size: int = -1) -> bytes:
        if size > self.limits.contents:
            raise DoesNotCount(TOO_MANY_FILES.format(count=self.limits.members))
        return self.file.read(size)


def _unreadable(error: Exception) -> DoesNotCount:
    if isinstance(error, DoesNotCount):
        return error
    return DoesNotCount(DAMAGED.format(error=type(error).__name__))


def _parts(info: zipfile.ZipInfo) -> tuple[str, ...]:
    parts = PurePosixPath(unicodedata.normalize("NFC", info.filename)).parts
    if not parts:  # as of "", and of "."
        raise zipfile.BadZipFile("a file without a name")
    return parts


def _time(info: zipfile.ZipInfo, zone: tzinfo | None) -> datetime | None:
    try:
        return datetime(*info.date_time, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError, OSError):  # such as the 31st of February
        return None
