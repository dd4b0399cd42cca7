"""The museum's page: Markdown in both languages for docs, HTML that sorts for the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from bilingual import Language
from posenc_ref.command.layer_table import grouped
from tools.museum import words
from tools.museum.left import LAYERS_LEFT, has_own_positions, rotates_beside_parts
from tools.museum.rows import Row, golden

PAGE = Path("docs") / "museum.md"
IMAGE = Path("docs") / "images" / "museum.png"
NO_BREAK = "\N{NO-BREAK SPACE}"
NOTE = "<!-- built by tools/museum from tests/golden/architectures.json -->"


def museum(rows: Sequence[Row]) -> str:
    """Return docs/museum.md."""
    head = [text.in_language("both", " · ") for text in words.HEAD]
    table = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    table += [f"| {' | '.join(text for text, _ in cells(row, 'both'))} |" for row in rows]
    paragraphs = [
        f"{NOTE}\n\n# {words.TITLE.in_language('both', ' · ')}",
        *(text for lang in ("zh", "en") for text in introduction(rows, lang)),
        f"![{words.PICTURE.zh} {words.PICTURE.en}](images/{IMAGE.name})",
        f"*图：{words.PICTURE.zh}*",
        f"*Picture: {words.PICTURE.en}*",
        "\n".join(table),
    ]
    return "\n\n".join(paragraphs) + "\n"


def introduction(rows: Sequence[Row], language: Language) -> list[str]:
    """Return what the page says before the table."""
    cases = golden()["cases"][:-1]  # the last is Falcon a second time
    kinds = Counter(_left(case) for case in cases)
    numbers = {"parts": kinds["parts"], "none": kinds["none"], "broken": kinds["left_out"]}
    unread = len(cases) - len(rows) - sum(numbers.values())
    numbers["beside"] = sum(map(has_own_positions, cases))
    names = {row.model_type for row in rows} - LAYERS_LEFT.keys()
    run = sum("layers" in case["values"] for case in cases if case["model_type"] in names)
    counts = {"version": golden()["version"], "count": len(rows), "run": run}
    return [
        words.INTRODUCTION.format(**counts).in_language(language),
        words.LEFT_OUT.format(**numbers, unread=unread).in_language(language),
    ]


def _left(case: dict) -> str:
    values = case["values"]
    if "left_out" in values:
        return "left_out"
    if rotates_beside_parts(case):
        return "shown"
    if "parts" in values:
        return "parts"
    return "shown" if {"rotary", "tables", "buckets", "slopes"} & values.keys() else "none"


def cells(row: Row, language: Language) -> list[tuple[str, str]]:
    """Return (text, sort key) for each column."""
    kinds = ", ".join(words.KINDS[kind].in_language(language, " ") for kind in row.kinds)
    still = words.STILL.format(still=row.still, all=row.attending) if row.still else None
    shares = ", ".join(f"{share:g}" for share in row.shares)
    return [
        (str(row.year), str(row.year)) if row.year else ("", ""),
        (row.model_type, row.model_type),
        (kinds, kinds),
        _numbers(row.bases),
        (shares, f"{max(row.shares):g}" if row.shares else ""),
        (", ".join(row.scalings), ", ".join(row.scalings)),
        _numbers(row.windows),
        ("", "") if still is None else (still.in_language(language, " "), str(row.still)),
        _numbers((row.trained,) if row.trained else ()),
    ]


def _numbers(numbers: Sequence[float]) -> tuple[str, str]:
    text = ", ".join(grouped(number).replace(" ", NO_BREAK) for number in numbers)
    return text, f"{max(numbers):.0f}" if numbers else ""


def site_page(rows: Sequence[Row], language: Language, figure: str) -> str:
    """Return the page of the site in one language: a table that sorts where scripts run.

    figure: the HTML of the picture.
    """
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{text.in_language(language)}'
        "</button></th>"
        for text in words.HEAD
    )
    body = "\n".join(
        f"<tr>{''.join(_cell(*cell) for cell in cells(row, language))}</tr>" for row in rows
    )
    table = (
        f'<div class="museum-scroll" tabindex="0" role="region" '
        f'aria-label="{words.TITLE.in_language(language)}">\n<table class="museum">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )
    parts = [
        f"# {words.TITLE.in_language(language)}",
        *introduction(rows, language),
        f"```{{raw}} html\n{figure}\n```",
        f"*{words.PICTURE.in_language(language)}*",
        words.SORT.in_language(language),
        f"```{{raw}} html\n{table}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _cell(text: str, key: str) -> str:
    return f'<td data-key="{escape(key)}">{escape(text).replace("_", "_<wbr>")}</td>'
