"""The table of docs/security_attacks.md: each tool writes its own columns of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from bilingual.files import write_whole

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "security_attacks.md"
COLUMNS = (
    "attack", "what it tries", "the grader", "it leaves", "the class waits", "plain nbgrader",
)  # fmt: skip
UNKNOWN = "–"


def read_rows() -> dict[str, dict[str, str]]:
    """Return the cells of the table, by attack and by column."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return {cells[0].strip("`"): dict(zip(COLUMNS, cells, strict=True)) for cells in rows}


def write_row(name: str, cells: Mapping[str, str]) -> None:
    """Put these cells into an attack's row; its other cells stay."""
    rows = read_rows()
    rows[name] = {"attack": f"`{name}`", **rows.get(name, {}), **cells}
    before, _ = DOCUMENT.read_text(encoding="utf-8").split(f"\n| {COLUMNS[0]} |")
    lines = [_line(COLUMNS), "|---" * len(COLUMNS) + "|"]
    lines += [_line(rows[one].get(column, UNKNOWN) for column in COLUMNS) for one in sorted(rows)]
    write_whole(DOCUMENT, "\n".join([before, *lines, ""]).encode())


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
