"""Compares the reference with the least that memory allows, and with other libraries.

    python experiments/speed.py                   every group
    python experiments/speed.py "rope eager"      the groups whose name begins so

Ratios of paired, interleaved rounds on this machine; the results go to
experiments/results/speed.json with versions, threads and device. Peers that are not installed
(`pip install -e ".[bench]"`) are left out, and said to be. An accelerator is used where there is
one; the results then go to speed-cuda.json, or what its backend is called.

A function that returns a new tensor of many MiB pays most for its fresh pages, of 4 KiB each (see
`clone`). glibc takes huge ones where the kernel has them, and that is a matter of the process:

    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 python experiments/speed.py   → speed-huge-pages.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from experiments import speed_alibi, speed_rope  # noqa: E402
from experiments.timing import Group, paired, peak_memory  # noqa: E402
from posenc_ref import device  # noqa: E402

PEERS = ("transformers", "rotary-embedding-torch", "torchtune", "x-transformers")
THREADS = 2
HUGE_PAGES = "glibc.malloc.hugetlb=1"


def measure(group: Group) -> dict[str, Any]:
    """Return ratios and peak memory of every case of a group."""
    rows = paired(group)
    peaks = peak_memory(group.cases.items())
    cases = [{**row, "peak_MiB": round(peaks[row["case"]] / 2**20, 1)} for row in rows]
    return {"setting": group.setting, "cases": cases}


def show(name: str, measured: dict[str, Any]) -> None:
    """Print a group as a table."""
    table = Table(*measured["cases"][0], title=f"{name}, {measured['setting']}")
    for row in measured["cases"]:
        table.add_row(*map(str, row.values()))
    Console().print(table)


def machine(where: torch.device) -> dict[str, Any]:
    """Return what the numbers depend on."""
    versions = {name: _version(name) for name in ("torch", *PEERS)}
    found = {"cores": os.cpu_count(), "threads": torch.get_num_threads(), "device": str(where)}
    if where.type != "cpu":
        found["accelerator"] = torch.get_device_module(where).get_device_name(where)
    return {**found, "python": platform.python_version(), **versions}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def main() -> None:
    """Measure the groups asked for, show them, store them beside those measured before."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("group", nargs="?", default="", help="how the names of groups begin")
    wanted = parser.parse_args().group
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    where = device()
    results: dict[str, Any] = {}
    with torch.no_grad():
        groups = [g for module in (speed_rope, speed_alibi) for g in module.groups(where)]
        for group in track([g for g in groups if g.name.startswith(wanted)], "measuring"):
            results[group.name] = measure(group)
    for name, measured in results.items():
        show(name, measured)
    store(where, results)


def store(where: torch.device, results: dict[str, Any]) -> None:
    """Write the results beside those measured before, whole or not at all."""
    suffix = "" if where.type == "cpu" else f"-{where.type}"
    if HUGE_PAGES in os.environ.get("GLIBC_TUNABLES", ""):
        suffix += "-huge-pages"
    path = ROOT / "experiments" / "results" / f"speed{suffix}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    stored = json.dumps({**before, **results, "machine": machine(where)}, indent=1)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(stored + "\n", encoding="utf-8")
    unfinished.replace(path)


if __name__ == "__main__":
    main()
