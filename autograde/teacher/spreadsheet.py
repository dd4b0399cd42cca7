"""Tables for spreadsheets: UTF-8 that Excel recognises, and no text that is read as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from bilingual import Language, Text

ENCODING = "utf-8-sig"  # the byte order mark: else Excel reads the system's old encoding
# What makes a spreadsheet read text as a formula, or as the start of a new cell (OWASP, "CSV
# Injection"); full-width forms too, which East Asian versions take for the same.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# A new cell starts here if spreadsheets separate cells by semicolons, as in much of Europe.
SEMICOLON = re.compile(r";(?=\s*[=+\-@＝＋－＠])")


def write_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n").writerows(map(harmless, row) for row in rows)
    return file.getvalue()


def harmless(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    cell = SEMICOLON.sub(";'", cell)
    return f"'{cell}" if cell.startswith(FORMULA) or cell.lstrip().startswith(FORMULA) else cell


def in_language(text: Text | None, language: Language) -> str:
    """Return a text for a cell of a table, an empty one for None."""
    return text.in_language(language, separator=" · ") if text else ""
