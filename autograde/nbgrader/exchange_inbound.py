"""The folders in the exchange's `inbound`: whose they are, when they came, which are left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from logging import Logger
from pathlib import Path
from typing import Any

from autograde.collecting.class_list import is_plain_id
from autograde.handed_in.paths import is_folder, is_legible
from autograde.handed_in.timestamp import moment
from bilingual import Text

ODD_NAME = Text(
    en="Left out of the exchange's inbound folder, because its name gives no student and time, "
    "or it is not a folder: {name}",
    zh="交换目录的inbound里略过一项，名称里没有学号和时间，或者它不是文件夹：{name}",
)
NOT_THEIRS = Text(
    en="Left out: {name} is named as {student}'s, but belongs to the user {owner}. If all "
    "students share one user, set c.ExchangeCollect.check_owner = False in nbgrader_config.py.",
    zh="略过：{name}写的是{student}，却属于用户{owner}。如果全体学生共用一个用户，"
    "请在nbgrader_config.py里设c.ExchangeCollect.check_owner = False。",
)
MORE = Text(
    en="Also left out of the exchange's inbound folder: {number} more of the user {owner}.",
    zh="交换目录的inbound里还略过了用户{owner}的{number}项。",
)
SHOWN = 3  # of each user: anyone may make thousands of folders there


def inbound_records(
    paths: Iterable[Path], log: Logger, *, check_owner: bool
) -> list[dict[str, Any]]:
    """Return the student, name and time of each folder that counts; warn of the others."""
    records, refusals = [], defaultdict(list)
    for path in sorted(paths):
        student, *_, time = [*path.name.rsplit("+", 3), "", ""][:3]
        handed_in, owner = moment(time), _owner(path)
        about = {"name": ascii(path.name), "student": student, "owner": owner}
        is_whole = is_plain_id(student) and is_legible(path.name) and is_folder(path)
        if handed_in is None or not is_whole:
            refusals[owner].append(ODD_NAME.format(**about))
        elif check_owner and owner != student:
            refusals[owner].append(NOT_THEIRS.format(**about))
        else:
            records.append({"username": student, "filename": path.name, "timestamp": handed_in})
    for owner, texts in refusals.items():
        for text in texts[:SHOWN]:
            log.warning(str(text))
        if len(texts) > SHOWN:
            log.warning(str(MORE.format(number=len(texts) - SHOWN, owner=owner)))
    return records


def _owner(path: Path) -> str:
    import pwd  # here: Windows has no such module

    user = path.lstat().st_uid
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:  # a user that this machine does not know
        return str(user)
