"""What a reader can set: `Range`, `Choice`, `Switch`. Short forms of them: `shorthand.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any, ClassVar

import ipywidgets as widgets

from bilingual import Text
from posenc_viz.font import Label
from posenc_viz.style import columns

BUTTONS = 60  # letters that fit on one row of buttons


class Control(ABC):
    """One thing that a reader can set; subclasses are frozen dataclasses.

    start: the setting before anyone moves it. ends: the settings that a test must try.
    """

    label: Label | None
    start: Any
    ends: tuple[Any, ...]

    @abstractmethod
    def widget(self, live: bool) -> widgets.Widget:
        """Make the widget, at its start; `live`: it reports while it is being dragged."""

    def read(self, raw: Any) -> Any:
        """Translate the widget's own value into the setting."""
        return raw

    def raw(self, setting: Any) -> Any:
        """Translate the setting into the widget's own value."""
        return setting


@dataclass(frozen=True)
class Range(Control):
    """A slider from lo to hi, both reached; over whole numbers when all its numbers are ints.

    value: where it starts (default lo). log: steps are equal ratios (lo > 0), `step` is then in
    powers of ten.
    """

    lo: float
    hi: float
    step: float | None = None
    value: float | None = None
    log: bool = False
    label: Label | None = None

    def __post_init__(self) -> None:
        """Refuse what no slider can show."""
        if not self.lo < self.hi or (self.log and self.lo <= 0):
            raise ValueError(f"a slider needs lo < hi (lo > 0 when log): {self.lo}, {self.hi}")
        if not self.lo <= self.start <= self.hi:
            raise ValueError(f"start {self.start} is not between {self.lo} and {self.hi}")

    @property
    def start(self) -> float:
        """Where the slider starts."""
        return self.lo if self.value is None else self.value

    @property
    def ends(self) -> tuple[float, float]:
        """The least and greatest setting."""
        return self.lo, self.hi

    def widget(self, live: bool) -> widgets.Widget:
        """Make the slider."""
        common = {"value": self.start, "continuous_update": live, "min": self.lo, "max": self.hi}
        numbers = (self.lo, self.hi, self.start, self.step or 1)
        if self.log:
            common |= {"min": log10(self.lo), "max": log10(self.hi)}
            return widgets.FloatLogSlider(**common, step=self.step or 0.05)
        if all(isinstance(number, int) for number in numbers):
            return widgets.IntSlider(**common, step=self.step or 1)
        return widgets.FloatSlider(**common, step=self.step or (self.hi - self.lo) / 100)

    def read(self, raw: float) -> float:
        """Return the number, held inside the range (10 ** log10(lo) can fall just outside)."""
        return min(max(raw, self.lo), self.hi)


@dataclass(frozen=True)
class Choice(Control):
    """One of several `options`; a mapping gives each a label: {label: option}."""

    options: Sequence[Any] | Mapping[Label, Any]
    value: Any = None
    label: Label | None = None

    def __post_init__(self) -> None:
        """Refuse an empty choice, or a start that is not offered."""
        if not self.ends or self.start not in self.ends:
            raise ValueError(f"{self.start!r} is not one of the options {self.ends!r}")

    @property
    def start(self) -> Any:
        """The option chosen at first."""
        return self.ends[0] if self.value is None and self.ends else self.value

    @property
    def ends(self) -> tuple[Any, ...]:
        """Every option."""
        given = self.options
        return tuple(given.values() if isinstance(given, Mapping) else given)

    def widget(self, live: bool) -> widgets.Widget:
        """Make the buttons, or a menu when they would not fit on a row."""
        names = [n.label() if isinstance(n, Text) else str(n) for n in self.options]
        fits = sum(columns(name) + 4 for name in names) <= BUTTONS
        kind = widgets.ToggleButtons if fits else widgets.Dropdown
        pairs = [(name, index) for index, name in enumerate(names)]
        chosen = kind(options=pairs, value=self.raw(self.start))
        if fits:
            chosen.style.button_width = "auto"
        return chosen

    def read(self, raw: int) -> Any:
        """Return the option at an index."""
        return self.ends[raw]

    def raw(self, setting: Any) -> int:
        """Return the index of an option."""
        return self.ends.index(setting)


@dataclass(frozen=True)
class Switch(Control):
    """A box to tick."""

    value: bool = False
    label: Label | None = None
    ends: ClassVar[tuple[bool, bool]] = (False, True)

    @property
    def start(self) -> bool:
        """Whether it is ticked at first."""
        return self.value

    def widget(self, live: bool) -> widgets.Widget:
        """Make the box."""
        return widgets.Checkbox(value=self.value, indent=False)
