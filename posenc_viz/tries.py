"""`Try`: a setting worth trying, offered to the reader as a button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bilingual import Text
from posenc_viz.control import Control


class Try:
    """An invitation in both languages, and the settings it makes; other controls go to their start.

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
        """Return a setting of all `controls`; ValueError for one that a control does not reach."""
        for name, value in self.settings.items():
            if name not in controls:
                raise ValueError(f"{self.words.en!r} sets {name!r}, there is no such control")
            if not controls[name].reaches(value):
                raise ValueError(f"{self.words.en!r}: {name} cannot be {value!r}")
        return {name: control.start for name, control in controls.items()} | self.settings
