"""Which language the reader wants, from the environment or else the user's settings file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

from platformdirs import user_config_path

from bilingual.files import write_whole

Language = Literal["zh", "en", "both"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
ONE_LANGUAGE: tuple[Language, ...] = ("zh", "en")
VARIABLE = "POSENC_LANGUAGE"


def settings_file() -> Path:
    """Return the path of the settings file (`POSENC_DATA_DIR` moves it, for tests and builds)."""
    folder = os.environ.get("POSENC_DATA_DIR")
    return (Path(folder) if folder else user_config_path("posenc-course")) / "settings.json"


def language() -> Language:
    """Return the language to show; "both" until the reader has chosen.

    Raises ValueError if the environment names an unknown one.
    """
    return _from_environment() or _saved()


def page_languages() -> tuple[Language, ...]:
    """Return the languages to put into a page, each in a `<div lang>` that the switch can hide.

    Both, so that switching is immediate; only one if the environment sets one for this kernel.
    Raises ValueError as `language` does.
    """
    only = _from_environment()
    return tuple(one for one in ONE_LANGUAGE if only in (None, "both", one))


def set_language(choice: Language) -> None:
    """Remember the reader's choice for this and later notebooks."""
    _require_language("language", choice)
    write_whole(settings_file(), json.dumps({"language": choice}).encode("utf-8"))


def speak(choice: Language) -> None:
    """Make this process, and all that it starts, use the language `choice`."""
    os.environ[VARIABLE] = choice


@contextmanager
def speaking(choice: Language) -> Iterator[None]:
    """Use the language `choice` while the block runs."""
    before = os.environ.get(VARIABLE)
    speak(choice)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None) if before is None else os.environ.update({VARIABLE: before})


def _from_environment() -> Language | None:
    """Return the language that the environment sets for this process, None if it sets none."""
    choice = os.environ.get(VARIABLE) or None
    if choice is not None:
        _require_language(VARIABLE, choice)
    return choice


def _require_language(name: str, choice: str) -> None:
    """Raise ValueError unless `choice` is a language; name: what holds it, for the message."""
    if choice not in LANGUAGES:
        raise ValueError(f"{name} must be one of {', '.join(LANGUAGES)}, got {choice!r}")


def _saved() -> Language:
    try:
        choice = json.loads(settings_file().read_text(encoding="utf-8"))["language"]
    except (OSError, ValueError, KeyError, TypeError):
        return "both"  # no file yet, or a damaged one: the next choice writes a new one
    return choice if choice in LANGUAGES else "both"
