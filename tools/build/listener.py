"""Runs in a build's kernel: sets the language, and notices whether a cell rendered a `Text`."""

from __future__ import annotations

import os

from bilingual import Language, Text
from posenc_viz.kernel import called_after_messages, forget


class Listener:
    """Notices when a `Text` is rendered, from the moment the listener is created."""

    def __init__(self) -> None:
        """Listen to every `Text`."""
        self.heard = False
        in_language = Text.in_language

        def in_language_heard(text: Text, language: Language, separator: str = "\n") -> str:
            self.heard = True
            return in_language(text, language, separator)

        Text.in_language = in_language_heard

    def begin(self, language: Language, data: str) -> None:
        """Begin a cell for a reader of `language`, whose records are kept in the folder `data`.

        Earlier figures belong to other readers: they stop following changes of language.
        """
        for act in called_after_messages():
            if getattr(act, "__name__", "") == "follow_language":
                forget(act)
        os.environ["POSENC_LANGUAGE"], os.environ["POSENC_DATA_DIR"] = language, data
        self.heard = False
