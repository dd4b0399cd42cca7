"""The record of `collect`: where each file that counts came from, and whether it was late.

Canvas writes `LATE` but no time. The record keeps that mark; `penalties.py` computes the penalty
from the current deadline. A later download may lack the student, so a copy of the record lies
beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from autograde.teacher.errors import CannotBegin
from bilingual import Text
from bilingual.files import write_whole

RECORD, COPY = "collected.json", "collected.copy.json"  # beside the downloads
BAD_RECORD = Text(
    en="{path} cannot be read, or is not what collect writes there: put {copy}, its copy, in its "
    "place. Without a copy, move it away, put all downloads of the chapter back and collect them, "
    "the oldest first: nothing else says whom Canvas marked late.",
    zh="{path}无法读取，或者不是collect写的内容：请用它的副本{copy}替换。"
    "没有副本时，请把它移走，再从最早的下载起，逐次放回重新收：Canvas把谁标为迟交，"
    "只有这些下载里有。",
)


@dataclass(frozen=True)
class Collected:
    """Which file of a download counts for a student.

    source: its path, empty if the teacher put it into `submitted/` by hand. platform: of the
    download. prefix: what the platform wrote in front of the file's name. marked_late: whether the
    platform marked it late.
    """

    source: str
    platform: str
    prefix: str = ""
    marked_late: bool = False


def read_collected(root: Path, chapter: str) -> dict[str, Collected]:
    """Return the record by student; raise `CannotBegin` if it cannot be read."""
    path = _folder(root, chapter) / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return {student: _collected(entry) for student, entry in record.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CannotBegin(BAD_RECORD.format(path=path, copy=COPY)) from error


def write_collected(root: Path, chapter: str, record: Mapping[str, Collected]) -> None:
    """Write the record, and its copy."""
    entries = {student: asdict(one) for student, one in record.items()}
    text = json.dumps(entries, ensure_ascii=False, indent=1)
    for name in (RECORD, COPY):
        write_whole(_folder(root, chapter) / name, text.encode("utf-8"))


def marked_late(root: Path, chapter: str) -> set[str]:
    """Return the students whose work the platform marked late."""
    return {who for who, one in read_collected(root, chapter).items() if one.marked_late}


def _collected(entry: dict[str, object]) -> Collected:
    collected = Collected(**entry)
    texts = (collected.source, collected.platform, collected.prefix)
    if not all(isinstance(text, str) for text in texts) or type(collected.marked_late) is not bool:
        raise ValueError(entry)
    return collected


def _folder(root: Path, chapter: str) -> Path:
    return root / "downloaded" / chapter
