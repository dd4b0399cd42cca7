"""Reads a table as a spreadsheet does: a row for each line, by the names of its columns."""

import csv
import io
from pathlib import Path


def read_table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
