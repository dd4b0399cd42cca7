"""The settings of course.toml about time: zone, deadlines, extensions, late penalties.

timezone = "Asia/Shanghai"

[late]
per_day = 0.1
of = "maximum"
grace_minutes = 15
floor = 0.4

[deadlines]
02_sinusoidal = 2026-09-14T23:00:00

[extensions.02_sinusoidal]
20260001 = 3
20260002 = 2026-09-20T12:00:00
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from autograde.teacher.lateness import NOTHING_COUNTS, Extension, LatePolicy
from autograde.teacher.setting_table import (
    KEY,
    SettingTable,
    above_zero,
    is_number,
    require_known,
)
from bilingual import Text

LATE = ("none", "zero")
BASES = ("maximum", "points")
PER_DAY, OF, GRACE, FLOOR = "per_day", "of", "grace_minutes", "floor"
MOST_DAYS = 3660  # an extension longer than ten years is a typing error

CHAPTER = Text(en="chapter", zh="章节")
ZONE = Text(en="time zone", zh="时区")
STUDENT = Text(en="student", zh="学生")
LATE_WORDS = Text(
    en='"none", "zero" or a table [late]',
    zh='"none"、"zero"或[late]表',
)
MOMENT = Text(
    en="a moment with its time zone, such as 2026-09-14T23:00:00+08:00 (the zone may be left out "
    "if timezone is set)",
    zh="带时区的时刻，例如2026-09-14T23:00:00+08:00（设了timezone才可以不写时区）",
)
EXTENSION = Text(
    en="a number of days above 0, or a moment such as 2026-09-20T23:00:00+08:00 (the time zone may "
    "be left out if timezone is set)",
    zh="大于0的天数，或2026-09-20T23:00:00+08:00这样的时刻（设了timezone才可以不写时区）",
)
SHARE = Text(en="a share above 0, at most 1", zh="大于0、不超过1的比例")
FLOOR_SHARE = Text(en="a share from 0 to 1", zh="0到1的比例")
MINUTES = Text(en="a number of minutes from 0 to 1440", zh="0到1440的分钟数")
NAME = Text(en="the name of a time zone, such as Asia/Shanghai", zh="时区名称，例如Asia/Shanghai")


def read_zone(toml: SettingTable) -> tzinfo | None:
    """Return the class's time zone, None if it is not set."""
    name = toml.values.get("timezone")
    if name is None:
        return None
    toml.expect(isinstance(name, str), "timezone", name, NAME)
    require_known(ZONE, [name], sorted(available_timezones()))
    return ZoneInfo(name)


def read_deadlines(
    toml: SettingTable, zone: tzinfo | None, chapters: list[str]
) -> dict[str, datetime]:
    """Return the deadlines by chapter."""
    table = toml.table("deadlines", CHAPTER, chapters)
    return {name: _moment(table, name, zone, MOMENT) for name in table.values}


def read_extensions(
    toml: SettingTable, zone: tzinfo | None, chapters: list[str]
) -> dict[str, dict[str, Extension]] | None:
    """Return the extensions by chapter and student, None if there is no such table."""
    if "extensions" not in toml.values:
        return None
    table = toml.table("extensions", CHAPTER, chapters)
    by_chapter = {name: table.table(name, STUDENT, None) for name in table.values}
    return {
        name: {student: _extension(students, student, zone) for student in students.values}
        for name, students in by_chapter.items()
    }


def read_late(toml: SettingTable) -> LatePolicy | None:
    """Return what late work loses, None for nothing."""
    late = toml.values.get("late", "none")
    if late in LATE:
        return NOTHING_COUNTS if late == "zero" else None
    toml.expect(isinstance(late, dict), "late", late, LATE_WORDS)
    table = toml.table("late", KEY, [PER_DAY, OF, GRACE, FLOOR])
    per_day = table.values.get(PER_DAY)
    grace, floor = table.values.get(GRACE, 0), table.values.get(FLOOR, 0)
    table.expect(above_zero(per_day) and per_day <= 1, PER_DAY, per_day, SHARE)
    table.expect(is_number(grace) and 0 <= grace <= 24 * 60, GRACE, grace, MINUTES)
    table.expect(is_number(floor) and 0 <= floor <= 1, FLOOR, floor, FLOOR_SHARE)
    base = table.one_of(OF, BASES, "maximum")
    return LatePolicy(float(per_day), base, timedelta(minutes=grace), float(floor))


def _extension(table: SettingTable, student: str, zone: tzinfo | None) -> Extension:
    value = table.values[student]
    if isinstance(value, date):
        return _moment(table, student, zone, EXTENSION)
    table.expect(above_zero(value) and value <= MOST_DAYS, student, value, EXTENSION)
    return float(value)


def _moment(table: SettingTable, key: str, zone: tzinfo | None, expected: Text) -> datetime:
    """Return a moment with its time zone: its own, or else the class's."""
    value = table.values[key]
    aware = isinstance(value, datetime) and (value.tzinfo is not None or zone is not None)
    table.expect(aware, key, value, expected)
    return value if value.tzinfo else value.replace(tzinfo=zone)
