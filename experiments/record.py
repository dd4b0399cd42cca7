"""What an experiment stores and shows: JSON, the machine that its numbers depend on, tables."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bilingual.files import write_whole

RESULTS = Path(__file__).parent / "results"

Row = dict[str, Any]


def read(path: Path) -> dict[str, Any]:
    """Return the stored results, {} if there is no such file yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(path: Path, results: dict[str, Any]) -> None:
    """Store the results, whole or not at all."""
    write_whole(path, (json.dumps(results, indent=1, ensure_ascii=False) + "\n").encode())


def machine(*packages: str) -> Row:
    """Return the day, the cores, and the versions of Python and of these packages."""
    return {
        "measured": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: _version(name) for name in packages},
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def show(title: str, rows: list[Row]) -> None:
    """Print the rows as a table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*columns, title=title)
    for row in rows:
        table.add_row(*(str(row.get(name, "")) for name in columns))
    Console().print(table)
