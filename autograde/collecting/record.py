"""What `collect` notes of each file that it takes: where it came from, and whether it was late.

Canvas says `LATE` and no time. That stands here as it is: `autograde/nbgrader/late.py` computes by
the deadline of the moment what it costs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from autograde.teacher.errors import CannotBegin
from bilingual import Text
from bilingual.files import write_whole

RECORD = "collected.json"  # beside the downloads
NO_RECORD = Text(
    en="{path} is not what collect wrote there ({why}): move it away, and collect again.",
    zh="{path}不是collect写的内容（{why}）：请把它移走，再重新收。",
)


@dataclass(frozen=True)
class Collected:
    """Which file of a download counts for a student; late: that the platform called it so."""

    file: str
    late: bool = False


def read_record(root: Path, chapter: str) -> dict[str, Collected]:
    """Return what was noted of each student; `CannotBegin` where that cannot be read."""
    path = _path(root, chapter)
    try:
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return {str(student): _collected(entry) for student, entry in record.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise CannotBegin(NO_RECORD.format(path=path, why=error)) from error


def write_record(root: Path, chapter: str, record: Mapping[str, Collected]) -> None:
    """Write what is noted of each student."""
    entries = {student: asdict(one) for student, one in record.items()}
    text = json.dumps(entries, ensure_ascii=False, indent=1)
    write_whole(_path(root, chapter), text.encode("utf-8"))


def marked_late(root: Path, chapter: str) -> set[str]:
    """Return whose work the platform called late."""
    return {student for student, one in read_record(root, chapter).items() if one.late}


def _collected(entry: object) -> Collected:
    # one of before there was more to note is the file alone
    return Collected(entry) if isinstance(entry, str) else Collected(**entry)


def _path(root: Path, chapter: str) -> Path:
    return root / "downloaded" / chapter / RECORD
