"""Pseudonyms: the same student has the same one in every report of a course.

A pseudonym is a keyed hash (HMAC-SHA256, RFC 2104) of the student's id. The key lies in the course
folder. Anyone who has it can compute every student's pseudonym; anyone without it can neither trace
a pseudonym back nor test a guess. Give the key to nobody, and keep it: a new key makes new
pseudonyms.
"""

from __future__ import annotations

import base64
import hmac
import os
import re
import secrets
from pathlib import Path

from autograde.teacher.errors import CannotBegin
from bilingual import Text

KEY_FILE = "pseudonyms.key"
KEY_BYTES = 32
LETTERS = 8  # 40 bits: in a class of 1000 two students share one with probability 5e-7

BROKEN_KEY = Text(
    en="{path} does not hold a key of 64 hexadecimal digits: restore it, or remove it for new "
    "pseudonyms.",
    zh="{path}中不是64位十六进制的密钥：请恢复原文件；删除它则会生成新的化名。",
)


def course_key(folder: Path) -> bytes:
    """Return the key of the course in `folder`; the first call makes it, readable by its owner.

    Raises `CannotBegin` when the file holds something else, `OSError` when it cannot be made.
    """
    path = folder / KEY_FILE
    if not path.exists():
        try:
            _make(path)
        except OSError as error:  # it may name no file, or the unfinished one
            raise OSError(error.errno, error.strerror, str(path)) from error
    return _read(path)


def _make(path: Path) -> None:
    """Make the key whole or not at all; a key that another report made meanwhile stays."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        _put(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _put(unfinished: Path, path: Path) -> None:
    try:
        os.link(unfinished, path)  # unlike `replace`, it never overwrites
    except FileExistsError:
        return
    except OSError:  # a file system without links
        unfinished.replace(path)


def pseudonym(key: bytes, student_id: str) -> str:
    """Return the pseudonym of a student, such as `S-K7QM-2XAB`."""
    digest = hmac.digest(key, student_id.encode("utf-8"), "sha256")
    letters = base64.b32encode(digest).decode("ascii")[:LETTERS]
    return f"S-{letters[:4]}-{letters[4:]}"


def _read(path: Path) -> bytes:
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * KEY_BYTES}}}", text):
        raise CannotBegin(BROKEN_KEY.format(path=path))
    return bytes.fromhex(text)
