"""A sentence in English and in Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bilingual.setting import Language, language


@dataclass(frozen=True)
class Text:
    """The same statement in both languages; `str(text)` is what the reader asked to see."""

    en: str
    zh: str

    def __post_init__(self) -> None:
        """Raise ValueError if a language is missing."""
        if not self.en.strip() or not self.zh.strip():
            raise ValueError(f"a Text needs both languages, got en={self.en!r}, zh={self.zh!r}")

    def format(self, **values: Any) -> Text:
        """Fill `{name}` fields; a value that is a `Text` fills each language with its own words."""
        en = {name: v.en if isinstance(v, Text) else v for name, v in values.items()}
        zh = {name: v.zh if isinstance(v, Text) else v for name, v in values.items()}
        return Text(en=self.en.format(**en), zh=self.zh.format(**zh))

    def in_language(self, language: Language, separator: str = "\n") -> str:
        """Return the text in `language`; "both" is Chinese, `separator`, English."""
        if language == "both":
            return self.en if self.en == self.zh else f"{self.zh}{separator}{self.en}"
        return self.en if language == "en" else self.zh

    def label(self) -> str:
        """Return the text on one line, for axes and buttons."""
        return self.in_language(language(), separator=" · ")

    def __str__(self) -> str:
        """Return the text in the reader's language."""
        return self.in_language(language())


def listed(names: Iterable[str]) -> Text:
    """Return names joined with each language's commas; at least one name."""
    names = list(names)
    return Text(en=", ".join(names), zh="、".join(names))
