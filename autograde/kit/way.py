"""Three ways through the course: two hours, a weekend, everything.

Each section carries the shortest way that includes it, and so does an exercise that differs from
its section; the longer ways include them too.
"""

from __future__ import annotations

from typing import Literal, get_args

from bilingual import Text

Way = Literal["two_hours", "weekend", "everything"]
WAYS: tuple[Way, ...] = get_args(Way)
WAY = Text(en="way", zh="路线")
NAMES: dict[Way, Text] = {
    "two_hours": Text(en="two hours", zh="两小时"),
    "weekend": Text(en="a weekend", zh="一个周末"),
    "everything": Text(en="everything", zh="全部"),
}


def way_named(name: str | None) -> str | None:
    """Return the way that has this name in a language; the name itself if no way has it."""
    ways = (way for way, text in NAMES.items() if name in (text.en, text.zh))
    return next(ways, name)


def goes_through(way: Way, mark: Way) -> bool:
    """Return whether `way` includes what is marked with `mark`."""
    return WAYS.index(mark) <= WAYS.index(way)
