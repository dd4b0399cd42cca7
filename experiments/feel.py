"""Measure the waiting times that users feel, and print each beside its aim.

    python -m experiments.feel                          everything, the whole test run last
    python -m experiments.feel --only install lab       only these items

Machines are shared: seconds are rough; read a command's CPU seconds too. Each item is stored with
machine, day and load in experiments/results/feel.json.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable

from experiments import feel_items as items
from experiments import record
from experiments.record import Row, machine, show
from experiments.weight import install

RESULTS = record.RESULTS / "feel.json"
ITEMS: dict[str, Callable[[], list[Row]]] = {
    item.__name__: item
    for item in (
        *(install, items.lab, items.first_check, items.picture, items.diagnosis),
        *(items.chapters, items.build, items.submission, items.check, items.test),
    )
}


def main() -> None:
    """Measure, print and store item by item: an interrupted run keeps its results."""
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
            load = round(os.getloadavg()[0], 1)  # above the number of cores: the machine was shared
            entry = {"machine": {**machine("torch"), "load": load}, "rows": rows}
            record.write(RESULTS, record.read(RESULTS) | {item: entry})


if __name__ == "__main__":
    main()
