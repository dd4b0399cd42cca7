"""Measure what users feel and print it with the aim beside it.

    python -m experiments.feel                          everything, the whole test run last
    python -m experiments.feel --only install lab       some of it

Machines are shared: read seconds as sizes, and the CPU seconds of a command beside them. Each item
is stored with its machine, its day and the load, in experiments/results/feel.json.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from experiments import feel_items as items
from experiments.feel_items import ROOT, Row
from experiments.weight import install

RESULTS = ROOT / "experiments" / "results" / "feel.json"
ITEMS: dict[str, Callable[[], list[Row]]] = {
    item.__name__: item
    for item in (
        *(install, items.lab, items.first_check, items.picture, items.diagnosis),
        *(items.chapters, items.build, items.submission, items.check, items.test),
    )
}


def machine() -> Row:
    """Return what the numbers depend on."""
    return {
        "measured": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),  # above the number of cores: others were at work
        "python": platform.python_version(),
        "torch": importlib.metadata.version("torch"),
    }


def show(item: str, rows: list[Row]) -> None:
    """Print the rows of an item as a table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*columns, title=item)
    for row in rows:
        table.add_row(*(str(row.get(name, "")) for name in columns))
    Console().print(table)


def main() -> None:
    """Measure, print and store item by item: a run that is cut short keeps what it has."""
    parser = argparse.ArgumentParser(
        "python -m experiments.feel", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--only", nargs="+", choices=ITEMS, default=list(ITEMS), metavar="ITEM")
    items_to_run = parser.parse_args().only
    with tempfile.TemporaryDirectory() as data:
        os.environ.update(POSENC_DATA_DIR=data, POSENC_LANGUAGE="both")
        for item in items_to_run:
            rows = ITEMS[item]()
            show(item, rows)
            stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
            stored[item] = {"machine": machine(), "rows": rows}
            text = json.dumps(stored, indent=1, ensure_ascii=False)
            RESULTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
