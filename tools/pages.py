"""Writes a built page of docs/ with its pictures, or compares it with the committed one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def write_or_check(
    text: str,
    page: Path,
    command: str,
    description: str,
    pictures: Callable[[], Mapping[Path, bytes]] = dict,
) -> None:
    """Read the command line; write the page, or with --check exit with a message if it is stale.

    Pictures differ from machine to machine by a few pixels, so only the text is compared.
    """
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="check if it is stale, change nothing")
    if not parser.parse_args().check:
        for path, picture in pictures().items():
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_bytes(picture)
        (ROOT / page).write_text(text, encoding="utf-8")
    elif (ROOT / page).read_text(encoding="utf-8") != text:
        raise SystemExit(f"stale, run `{command}`: {page.as_posix()}")
