"""A table of settings read from TOML, and the error for each wrong value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from autograde.kit.catalogue import UnknownName
from bilingual import Text, listed

KEY = Text(en="setting in course.toml", zh="course.toml设置项")
NOT_THAT = Text(
    en="{path}: {key} must be {expected}, got {value}",
    zh="{path}：{key}应为{expected}，现在是{value}",
)
ONE_OF = Text(en="one of {choices}", zh="{choices}之一")
LIST = Text(en="a list of names", zh="名称的列表")
YES_NO = Text(en="true or false", zh="true或false")
UNSET = Text(en="nothing", zh="空")
TABLE = Text(en="a table of settings", zh="设置的表")


class CourseError(ValueError):
    """A setting in course.toml is wrong; the message names it and its value."""


@dataclass(frozen=True)
class SettingTable:
    """The file, or one table in it; prefix: of the table's keys in messages."""

    path: Path
    values: dict[str, Any]
    prefix: str = ""

    def table(self, key: str, kind: Text, names: list[str] | None) -> SettingTable:
        """Return a table within, empty if missing; its keys must be among `names` (None: any)."""
        table = self.values.get(key, {})
        self.expect(isinstance(table, dict), key, table, TABLE)
        if names is not None:
            require_known(kind, table, names)
        return SettingTable(self.path, table, f"{self.prefix}{key}.")

    def one_of(self, key: str, choices: tuple[str, ...], default: str) -> Any:
        """Return one of the choices."""
        value = self.values.get(key, default)
        self.expect(value in choices, key, value, ONE_OF.format(choices=listed(choices)))
        return value

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.values.get(key, False)
        self.expect(isinstance(value, bool), key, value, YES_NO)
        return value

    def names(self, key: str) -> list[str] | None:
        """Return a list of names, None if it is not set."""
        names = self.values.get(key)
        is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
        self.expect(names is None or is_list, key, names, LIST)
        return names

    def expect(self, holds: bool, key: str, value: Any, expected: Text) -> None:
        """Raise `CourseError` unless a value is what is expected."""
        if not holds:
            full_key = f"{self.prefix}{key}"
            fields = {
                "path": self.path,
                "key": full_key,
                "value": _as_toml(value),
                "expected": expected,
            }
            raise CourseError(str(NOT_THAT.format(**fields)))


def _as_toml(value: Any) -> Text:
    """Return a value as the file has it, more or less."""
    text = value.isoformat() if isinstance(value, date) else repr(value)
    text = text.lower() if isinstance(value, bool) else text
    return UNSET if value is None else Text(en=text, zh=text)


def require_known(kind: Text, names: Iterable[str], choices: list[str]) -> None:
    """Raise `UnknownName` for the first name that is not among the choices."""
    for name in names:
        if name not in choices:
            raise UnknownName(kind, name, choices)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; true and false are not."""
    is_one = isinstance(value, int | float) and not isinstance(value, bool)
    return is_one and abs(value) < float("inf")  # TOML has inf and nan


def above_zero(value: Any) -> bool:
    """Return whether a value is a number above 0."""
    return is_number(value) and value > 0


def is_whole(value: Any, least: int) -> bool:
    """Return whether a value is a whole number of at least `least`."""
    return type(value) is int and value >= least
