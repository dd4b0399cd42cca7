"""A teacher's choices, in one file: `course.toml` in the course folder. Without it defaults work.

language = "zh"                          # of release, grading, feedback: "both", "zh" or "en"
chapters = ["01_permutation", "02_sinusoidal"]     # these only; without it all
pseudonyms = true                        # class reports go out without names
late = "zero"                            # late work: "none" (no penalty) or "zero" (no points)

[exercises]
first_rise = false                       # left out
sinusoidal_table = 5                     # worth 5 points

[deadlines]
02_sinusoidal = 2026-09-14T23:00:00+08:00

[limits]                                 # see confined/limits.py
cell_seconds = 60
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from autograde.kit.catalogue import UnknownName, chapter_names, exercise_ids
from bilingual import LANGUAGES, Language, Text
from confined.limits import Limits

FILE = "course.toml"
LATE = ("none", "zero")

KEY = Text(en="setting in course.toml", zh="course.toml设置项")
EXERCISE = Text(en="exercise", zh="练习")
CHAPTER = Text(en="chapter", zh="章节")
NOT_TOML = Text(en="{path} cannot be read: {why}", zh="{path}无法读取：{why}")
NOT_THAT = Text(
    en="{path}: {key} = {value!r} is not {expected.en}",
    zh="{path}：{key} = {value!r}不是{expected.zh}",
)
ONE_OF = Text(en="one of {choices}", zh="{choices}之一")
LIST = Text(en="a list of names", zh="名称的列表")
YES_NO = Text(en="true or false", zh="true或false")
TABLE = Text(en="a table of settings", zh="设置的表")
WORTH = Text(en="false, or points above 0", zh="false，也不是大于0的分数")
MOMENT = Text(
    en="a moment with its time zone, such as 2026-09-14T23:00:00+08:00",
    zh="带时区的时刻，例如2026-09-14T23:00:00+08:00",
)
NUMBER = Text(en="a number above 0", zh="大于0的数")


class CourseError(ValueError):
    """course.toml says something that it cannot mean; the message says where and what."""


@dataclass(frozen=True)
class Course:
    """What a teacher has chosen.

    chapters: those that are taught, None for all. left_out: exercises that are not. points: of
    exercises that are worth something else here. deadlines: by chapter, with their time zones.
    """

    language: Language = "both"
    chapters: frozenset[str] | None = None
    pseudonyms: bool = False
    late: str = "none"
    left_out: frozenset[str] = frozenset()
    points: Mapping[str, float] = field(default_factory=dict)
    deadlines: Mapping[str, datetime] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)


def read_course(folder: Path) -> Course:
    """Return the choices in `folder/course.toml`, the defaults if there is none.

    Raises `CourseError` for a wrong value, `UnknownName` for a name that does not exist; it
    suggests the nearest that does.
    """
    path = folder / FILE
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(str(NOT_TOML.format(path=path, why=error))) from error
    return _Reader(path, settings).course()


@dataclass(frozen=True)
class _Reader:
    path: Path
    settings: dict[str, Any]

    def course(self) -> Course:
        _require_known(
            KEY,
            self.settings,
            [
                *(
                    one.name
                    for one in dataclasses.fields(Course)
                    if one.name not in ("left_out", "points")
                ),
                "exercises",
            ],
        )
        exercises = self._table("exercises", EXERCISE, exercise_ids())
        # to read which chapters there are brings torch: only where one is named
        chapters = chapter_names() if "deadlines" in self.settings else []
        deadlines = self._table("deadlines", CHAPTER, chapters)
        limits = self._table("limits", KEY, [one.name for one in dataclasses.fields(Limits)])
        for name, worth in exercises.items():
            self._expect(worth is False or _above_zero(worth), f"exercises.{name}", worth, WORTH)
        for name, moment in deadlines.items():
            aware = isinstance(moment, datetime) and moment.tzinfo is not None
            self._expect(aware, f"deadlines.{name}", moment, MOMENT)
        for name, limit in limits.items():
            self._expect(_above_zero(limit), f"limits.{name}", limit, NUMBER)
        return Course(
            language=self._one_of("language", LANGUAGES, "both"),
            chapters=self._chapters(),
            pseudonyms=self._flag("pseudonyms"),
            late=self._one_of("late", LATE, "none"),
            left_out=frozenset(name for name, worth in exercises.items() if worth is False),
            points={name: float(worth) for name, worth in exercises.items() if worth is not False},
            deadlines=deadlines,
            limits=limits,
        )

    def _chapters(self) -> frozenset[str] | None:
        chapters = self.settings.get("chapters")
        if chapters is None:
            return None
        is_list = isinstance(chapters, list) and all(isinstance(name, str) for name in chapters)
        self._expect(is_list, "chapters", chapters, LIST)
        _require_known(CHAPTER, chapters, chapter_names())
        return frozenset(chapters)

    def _table(self, key: str, kind: Text, names: list[str]) -> dict[str, Any]:
        table = self.settings.get(key, {})
        self._expect(isinstance(table, dict), key, table, TABLE)
        _require_known(kind, table, names)
        return table

    def _one_of(self, key: str, choices: tuple[str, ...], default: str) -> Any:
        value = self.settings.get(key, default)
        expected = ONE_OF.format(choices=", ".join(choices))
        self._expect(value in choices, key, value, expected)
        return value

    def _flag(self, key: str) -> bool:
        value = self.settings.get(key, False)
        self._expect(isinstance(value, bool), key, value, YES_NO)
        return value

    def _expect(self, holds: bool, key: str, value: Any, expected: Text) -> None:
        if not holds:
            words = {"path": self.path, "key": key, "value": value, "expected": expected}
            raise CourseError(str(NOT_THAT.format(**words)))


def _require_known(kind: Text, names: Iterable[str], choices: list[str]) -> None:
    for name in names:
        if name not in choices:
            raise UnknownName(kind, name, choices)


def _above_zero(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
