"""In the kernel of a build: which language is asked for, and whether a cell used words."""

from __future__ import annotations

import os

from bilingual import Language, Text


class Listener:
    """Hears when a `Text` is put into words, from the moment it is made."""

    def __init__(self) -> None:
        """Listen to every `Text`."""
        self.heard = False
        in_language = Text.in_language

        def in_language_heard(text: Text, wanted: Language, separator: str = "\n") -> str:
            self.heard = True
            return in_language(text, wanted, separator)

        Text.in_language = in_language_heard

    def begin(self, language: Language, data: str) -> None:
        """Begin a cell for a reader of `language`, whose records are kept in the folder `data`."""
        os.environ["POSENC_LANGUAGE"], os.environ["POSENC_DATA_DIR"] = language, data
        self.heard = False
