"""What a reader can set: `Control`, `Choice`, `Switch`, and `Try`; `Range` is in `slider.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import ipywidgets as widgets

from bilingual import Text
from posenc_viz.font import Label
from posenc_viz.style import columns

BUTTONS = 60  # letters that fit on one row of buttons


class Control(ABC):
    """One thing that a reader can set; subclasses are frozen dataclasses.

    start: the initial setting. ends: the settings that a test must try.
    """

    start: Any
    ends: tuple[Any, ...]

    @abstractmethod
    def widget(self) -> widgets.Widget:
        """Make the widget, at its start."""

    def reaches(self, setting: Any) -> bool:
        """Return whether a reader can choose this setting."""
        return setting in self.ends

    def read(self, raw: Any) -> Any:
        """Translate the widget's own value into the setting."""
        return raw

    def raw(self, setting: Any) -> Any:
        """Translate the setting into the widget's own value."""
        return setting


@dataclass(frozen=True)
class Choice(Control):
    """One of several `options`; a mapping gives each a label: {label: option}."""

    options: Sequence[Any] | Mapping[Label, Any]
    value: Any = None

    def __post_init__(self) -> None:
        """Refuse an empty choice, a start that is not offered, options that are not hashable."""
        if not self.ends or self.start not in self.ends:
            raise ValueError(f"{self.start!r} is not one of the options {self.ends!r}")
        try:
            hash(self.ends)  # the site looks a setting up by its options
        except TypeError as error:
            raise TypeError(f"options must be hashable, got {self.ends!r}") from error

    @property
    def start(self) -> Any:
        """The option chosen at first."""
        return self.ends[0] if self.value is None and self.ends else self.value

    @property
    def ends(self) -> tuple[Any, ...]:
        """Every option."""
        options = self.options
        return tuple(options.values() if isinstance(options, Mapping) else options)

    def widget(self) -> widgets.Widget:
        """Make the buttons, or a menu when they would not fit on a row."""
        pairs = self.pairs()
        fits = sum(columns(name) + 4 for name, _ in pairs) <= BUTTONS
        kind = widgets.ToggleButtons if fits else widgets.Dropdown
        buttons = kind(options=pairs, value=self.raw(self.start))
        if fits:
            buttons.style.button_width = "auto"
        return buttons

    def pairs(self) -> tuple[tuple[str, int], ...]:
        """Return (name in the reader's language, index) of every option."""
        return tuple((_option_name(option), index) for index, option in enumerate(self.options))

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
    ends: ClassVar[tuple[bool, bool]] = (False, True)

    @property
    def start(self) -> bool:
        """Whether it is ticked at first."""
        return self.value

    def widget(self) -> widgets.Widget:
        """Make the box."""
        return widgets.Checkbox(value=self.value, indent=False)


class Try:
    """An invitation in both languages, and its settings; all other controls go to their start.

    Example:
        >>> Try(en="far apart", zh="离得很远", distance=50).settings
        {'distance': 50}
    """

    def __init__(self, *, en: str, zh: str, **settings: Any) -> None:
        """Keep the words and the settings; ValueError when either is missing."""
        if not settings:
            raise ValueError(f"a Try sets at least one control: {en!r}")
        self.words = Text(en=en, zh=zh)
        self.settings = settings

    def among(self, controls: Mapping[str, Control]) -> dict[str, Any]:
        """Return the settings of all `controls`; ValueError if a control cannot reach its own."""
        for name, value in self.settings.items():
            if name not in controls:
                raise ValueError(f"{self.words.en!r} sets {name!r}, but there is no such control")
            if not controls[name].reaches(value):
                raise ValueError(f"{self.words.en!r}: {name} cannot be {value!r}")
        return {name: control.start for name, control in controls.items()} | self.settings


def _option_name(option: Any) -> str:
    if isinstance(option, float):
        return f"{option:.12g}"  # 10000, not 10000.0
    return option.label() if isinstance(option, Text) else str(option)
