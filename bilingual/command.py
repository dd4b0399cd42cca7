"""Checks the language setting, before a command prints anything."""

from __future__ import annotations

import os
import sys

from bilingual.setting import LANGUAGES, VARIABLE, language
from bilingual.text import Text, listed

NO_LANGUAGE = Text(
    en="The environment variable {variable} is {value}: set it to one of {languages}, or unset it.",
    zh="环境变量{variable}的值是{value}：请改成{languages}之一，或者取消这个变量。",
)


def require_language() -> None:
    """Exit, with a message in both languages, if the environment names an unknown language."""
    try:
        language()
    except ValueError:
        words = {"value": repr(os.environ[VARIABLE]), "languages": listed(LANGUAGES)}
        sys.exit(NO_LANGUAGE.format(variable=VARIABLE, **words).in_language("both"))
