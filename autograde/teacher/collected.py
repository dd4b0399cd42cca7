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
BAD_RECORD = Text(
    en="{path} cannot be read, or is not what collect writes there: move it away, and collect "
    "again.",
    zh="{path}无法读取，或者不是collect写的内容：请把它移走，再重新收。",
)


@dataclass(frozen=True)
class Collected:
    """Which file of a download counts for a student.

    source: its path. platform: of the download. prefix: what the platform wrote in front of the
    file's name. marked_late: that the platform called it late.
    """

    source: str
    platform: str
    prefix: str = ""
    marked_late: bool = False


def read_collected(root: Path, chapter: str) -> dict[str, Collected]:
    """Return what was noted of each student; `CannotBegin` where that cannot be read."""
    path = _path(root, chapter)
    try:
        record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return {student: _collected(entry) for student, entry in record.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CannotBegin(BAD_RECORD.format(path=path)) from error


def write_collected(root: Path, chapter: str, record: Mapping[str, Collected]) -> None:
    """Write what is noted of each student."""
    entries = {student: asdict(one) for student, one in record.items()}
    text = json.dumps(entries, ensure_ascii=False, indent=1)
    write_whole(_path(root, chapter), text.encode("utf-8"))


def marked_late(root: Path, chapter: str) -> set[str]:
    """Return whose work the platform called late."""
    return {who for who, one in read_collected(root, chapter).items() if one.marked_late}


def _collected(entry: dict[str, object]) -> Collected:
    one = Collected(**entry)
    texts = (one.source, one.platform, one.prefix)
    if not all(isinstance(text, str) for text in texts) or type(one.marked_late) is not bool:
        raise ValueError(entry)
    return one


def _path(root: Path, chapter: str) -> Path:
    return root / "downloaded" / chapter / RECORD
