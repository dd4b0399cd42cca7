"""nbgrader's zip_collect, told how to open what a learning management system gives a teacher.

nbgrader's own extractor stops the whole class at one broken archive, and at one with a name such
as `../x`; here such a file is left out, and said. Only notebooks are taken, from the downloads and
from archives that students handed in; nothing is written outside the folder it is meant for.
"""

from __future__ import annotations

import io
import lzma
import os
import shutil
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from nbgrader.plugins import ExtractorPlugin

from autograde.grading.files import NOTEBOOK_BYTES, is_plain, paths_below
from bilingual import Text

NOTEBOOK, ARCHIVE = ".ipynb", ".zip"
ENCODINGS = ("utf-8", "gbk", "cp437")  # of names that carry no mark: macOS, Windows in China, DOS
BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError,
    NotImplementedError,  # an unknown compression
    RuntimeError,  # a password
    ValueError,
)  # fmt: skip

NO_NOTEBOOK = Text(en="{name} is left out: no notebook", zh="略过{name}：不是笔记本")
NOT_READ = Text(en="{name} is left out: {why}", zh="略过{name}：{why}")
OUTSIDE = Text(en="its name leads out of the archive", zh="文件名指向压缩包之外")
LARGE = Text(en="it is larger than {bytes} bytes", zh="它超过{bytes}字节")


class Unsafe(ValueError):
    """A member of an archive that is not unpacked; the message says why."""


class Archives(ExtractorPlugin):
    """Unpacks the notebooks of all that lies in `downloaded/CHAPTER/archive`."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack archives and copy notebooks into `extracted_path`; keep folders and times."""
        archives = Path(archive_path)
        for path in sorted(filter(is_plain, paths_below(archives))):
            into = Path(extracted_path) / path.relative_to(archives)
            if path.suffix.lower() == ARCHIVE:
                self._unpack(path, into.with_suffix(""))
            elif path.suffix.lower() == NOTEBOOK:
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, into)
            else:
                self.log.info("%s", NO_NOTEBOOK.format(name=path))

    def _unpack(self, archive: Path | io.BytesIO, into: Path, within: str = "") -> None:
        # within: the archive in which this one lies; one in that is left alone
        name = within or str(archive)
        try:
            with _opened(archive) as opened:
                members = [info for info in opened.infolist() if not info.is_dir()]
                if within and sum(info.file_size for info in members) > NOTEBOOK_BYTES:
                    raise Unsafe(str(LARGE.format(bytes=NOTEBOOK_BYTES)))
                for info in members:
                    if _suffix(info) == NOTEBOOK or (_suffix(info) == ARCHIVE and not within):
                        self._unpack_member(opened, info, into, name)
                    else:
                        self.log.info("%s", NO_NOTEBOOK.format(name=f"{name}: {info.filename}"))
        except BROKEN as error:
            self.log.warning("%s", NOT_READ.format(name=name, why=error))

    def _unpack_member(
        self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, into: Path, within: str
    ) -> None:
        name = f"{within}: {info.filename}"
        try:
            target = into.joinpath(*_safe_parts(info))
            content = archive.read(info)
            if _suffix(info) == ARCHIVE:
                self._unpack(io.BytesIO(content), target.with_suffix(""), name)
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            written = time.mktime((*info.date_time, 0, 0, -1))
            os.utime(target, (written, written))  # which of two is the later
        except BROKEN as error:
            self.log.warning("%s", NOT_READ.format(name=name, why=error))


def _opened(archive: Path | io.BytesIO) -> zipfile.ZipFile:
    *most, last = ENCODINGS
    for encoding in most:
        try:
            return zipfile.ZipFile(archive, metadata_encoding=encoding)
        except UnicodeDecodeError:
            continue
    return zipfile.ZipFile(archive, metadata_encoding=last)


def _suffix(info: zipfile.ZipInfo) -> str:
    return PurePosixPath(info.filename).suffix.lower()


def _safe_parts(info: zipfile.ZipInfo) -> Iterator[str]:
    """Return the parts of a member's path below the archive; `Unsafe` if it leads elsewhere."""
    path = PurePosixPath(unicodedata.normalize("NFC", info.filename))
    if path.is_absolute() or ".." in path.parts or set(info.filename) & set("\\:"):
        raise Unsafe(str(OUTSIDE))
    if info.file_size > NOTEBOOK_BYTES:
        raise Unsafe(str(LARGE.format(bytes=NOTEBOOK_BYTES)))
    return iter(path.parts)
