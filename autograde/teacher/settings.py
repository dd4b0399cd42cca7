"""A teacher's choices, in one file: `course.toml` in the course folder, or else the defaults.

language = "zh"                          # of release, grading, feedback: "both", "zh" or "en"
chapters = ["01_permutation", "02_sinusoidal"]     # these only; if not set, all
pseudonyms = true                        # class reports go out without names
timezone = "Asia/Shanghai"               # of times that name no zone, and of all times shown
late = "zero"                            # late work: "none" (no penalty), "zero" (no points), or a
                                         # table [late]: see time_settings.py

[exercises]
first_rise = false                       # left out
sinusoidal_table = 5                     # worth 5 points; 0: it counts for nothing

[deadlines]
02_sinusoidal = 2026-09-14T23:00:00

[extensions.02_sinusoidal]
20260001 = 3                             # days, or a moment

[limits]                                 # see confined/limits.py
cell_seconds = 60
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from autograde.kit.catalogue import chapter_names, exercise_ids
from autograde.teacher.lateness import Extension, LatePolicy
from autograde.teacher.setting_table import (
    KEY,
    CourseError,
    SettingTable,
    above_zero,
    is_number,
    is_whole,
    require_known,
)
from autograde.teacher.time_settings import (
    CHAPTER,
    read_deadlines,
    read_extensions,
    read_late,
    read_zone,
)
from bilingual import LANGUAGES, Language, Text
from confined.limits import Limits

FILE = "course.toml"

EXERCISE = Text(en="exercise", zh="练习")
NOT_TOML = Text(en="{path} cannot be read: {why}", zh="{path}无法读取：{why}")
WORTH = Text(en="false or points, 0 or more", zh="false或不小于0的分数")
NUMBER = Text(en="a number above 0", zh="大于0的数")
WHOLE = Text(en="a whole number, {least} or more", zh="不小于{least}的整数")


@dataclass(frozen=True)
class CourseSettings:
    """What a teacher has chosen.

    chapters: those that are taught, None for all. timezone: the class's, None if it is not set.
    late: what late work loses, None for nothing. left_out: exercises that are not taught. points:
    by exercise, for those whose points are set here. deadlines: by chapter. extensions: by chapter
    and student, None to keep the gradebook's own.
    """

    language: Language = "both"
    chapters: frozenset[str] | None = None
    pseudonyms: bool = False
    timezone: tzinfo | None = None
    late: LatePolicy | None = None
    left_out: frozenset[str] = frozenset()
    points: Mapping[str, float] = field(default_factory=dict)
    deadlines: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, Extension]] | None = None
    limits: Mapping[str, float] = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        """Return the zone that times are shown in: UTC, which nbgrader uses, if none is set."""
        return self.timezone or UTC


def read_course(folder: Path) -> CourseSettings:
    """Return the choices in `folder/course.toml`, the defaults if there is none.

    Raises `CourseError` for a wrong value, `UnknownName`, which suggests the nearest name, for a
    name that does not exist.
    """
    path = folder / FILE
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(str(NOT_TOML.format(path=path, why=error))) from error
    return _from_toml(SettingTable(path, values))


def _from_toml(toml: SettingTable) -> CourseSettings:
    fields = {one.name for one in dataclasses.fields(CourseSettings)}
    require_known(KEY, toml.values, sorted(fields - {"left_out", "points"} | {"exercises"}))
    exercises = toml.table("exercises", EXERCISE, exercise_ids())
    limits = toml.table("limits", KEY, [one.name for one in dataclasses.fields(Limits)])
    for name, worth in exercises.values.items():
        is_one = worth is False or (is_number(worth) and worth >= 0)
        exercises.expect(is_one, name, worth, WORTH)
    for name, limit in limits.values.items():
        if isinstance(getattr(Limits, name), int):
            least = 0 if name == "restarts" else 1
            limits.expect(is_whole(limit, least), name, limit, WHOLE.format(least=least))
        else:
            limits.expect(above_zero(limit), name, limit, NUMBER)
    taught = toml.names("chapters")
    # listing the chapters imports torch, so do it only if a setting names one
    by_chapter = {"chapters", "deadlines", "extensions"} & toml.values.keys()
    chapters = chapter_names() if by_chapter else []
    require_known(CHAPTER, taught or (), chapters)
    zone = read_zone(toml)
    return CourseSettings(
        language=toml.one_of("language", LANGUAGES, "both"),
        chapters=None if taught is None else frozenset(taught),
        pseudonyms=toml.flag("pseudonyms"),
        timezone=zone,
        late=read_late(toml),
        left_out=frozenset(name for name, worth in exercises.values.items() if worth is False),
        points={
            name: float(worth) for name, worth in exercises.values.items() if worth is not False
        },
        deadlines=read_deadlines(toml, zone, chapters),
        extensions=read_extensions(toml, zone, chapters),
        limits=limits.values,
    )
