"""Which language the reader wants: asked of the environment, then of the user's settings file."""

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

    Raises ValueError where the environment names an unknown one.
    """
    return _from_environment() or _saved()


def page_languages() -> tuple[Language, ...]:
    """Return the languages to put into a page, each in a `<div lang>` that the switch can hide.

    Both, so that a switch shows at once; one where this kernel is held to one. Raises ValueError
    as `language` does.
    """
    only = _from_environment()
    return tuple(one for one in ONE_LANGUAGE if only in (None, "both", one))


def set_language(choice: Language) -> None:
    """Remember the reader's choice for this and later notebooks."""
    _require_language("language", choice)
    write_whole(settings_file(), json.dumps({"language": choice}).encode("utf-8"))


def speak(choice: Language) -> None:
    """Have this process, and those that it starts, say everything in `choice`."""
    os.environ[VARIABLE] = choice


@contextmanager
def speaking(choice: Language) -> Iterator[None]:
    """Say everything in `choice` while the block runs."""
    before = os.environ.get(VARIABLE)
    speak(choice)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None) if before is None else os.environ.update({VARIABLE: before})


def _from_environment() -> Language | None:
    """Return the language that this process is held to, None where it is held to none."""
    choice = os.environ.get(VARIABLE) or None
    if choice is not None:
        _require_language(VARIABLE, choice)
    return choice


def _require_language(name: str, choice: str) -> None:
    """Raise ValueError, with the name of what holds `choice`, unless that is a language."""
    if choice not in LANGUAGES:
        raise ValueError(f"{name} must be one of {', '.join(LANGUAGES)}, got {choice!r}")


def _saved() -> Language:
    try:
        choice = json.loads(settings_file().read_text(encoding="utf-8"))["language"]
    except (OSError, ValueError, KeyError, TypeError):
        return "both"  # no file yet, or a damaged one: the next choice writes a new one
    return choice if choice in LANGUAGES else "both"
