"""Prepares a student's folder; every way of grading calls this first."""

from __future__ import annotations

from pathlib import Path

from autograde.handed_in.access import give_access
from autograde.handed_in.files import no_access, remove_links
from autograde.handed_in.timestamp import set_odd_timestamp_aside


def prepare(folder: Path) -> None:
    """Make the folder's files readable, set an odd timestamp aside, and remove links.

    Raises `NotGradable` if this fails, as in another user's folder.
    """
    try:
        give_access(folder)
        set_odd_timestamp_aside(folder)
        remove_links(folder)
    except OSError as error:
        raise no_access(error) from error
