"""Compares the reference with the least that memory allows, and with other libraries.

    python experiments/speed.py                   every group
    python experiments/speed.py "rope eager"      the groups whose name begins so

Ratios of paired, interleaved rounds on this machine; they go to experiments/results/speed.json,
each group with versions, threads, device, commit and day, and from there to docs/speed.md. A group
that lacks a case which is stored, because a peer is not installed (`make bench` installs them), is
shown and not stored. An accelerator is used where there is one; the results then go to
speed-cuda.json, or what its backend is called.

A function that returns a new tensor of many MiB pays most for its fresh pages, of 4 KiB each (see
`clone`). glibc takes huge ones where the kernel has them, and that is a matter of the process:

    GLIBC_TUNABLES=glibc.malloc.hugetlb=1 python experiments/speed.py   → speed-huge-pages.json

(torch's own THP_MEM_ALLOC_ENABLE=1 helps too, less: `clone` 2.6 where this gives 1.9 and none 3.1.)

With ALiBi the weights of far keys sink below 1e-38, to denormal numbers, with which a CPU computes
slowly. A program can have them taken as 0, if it says so before its first tensor:

    python experiments/speed.py --flush-denormals alibi         → speed-denormals-flushed.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from experiments import speed_alibi, speed_rope  # noqa: E402
from experiments.speed_page import write_page  # noqa: E402
from experiments.timing import ROUNDS, Group, paired, peak_memory  # noqa: E402
from posenc_ref import device  # noqa: E402

PEERS = ("transformers", "rotary-embedding-torch", "torchtune", "x-transformers")
THREADS = 2
HUGE_PAGES = "glibc.malloc.hugetlb=1" in os.environ.get("GLIBC_TUNABLES", "")
RESULTS = ROOT / "experiments" / "results"

Measured = dict[str, Any]


def measure(group: Group, where: torch.device) -> Measured:
    """Return ratios and peak memory of every case of a group, and what they depend on."""
    rows = paired(group)
    peaks = peak_memory(group.cases.items())
    cases = [{**row, "peak_MiB": round(peaks[row["case"]] / 2**20, 1)} for row in rows]
    return {"setting": group.setting, "cases": cases, "machine": machine(where)}


def show(name: str, measured: Measured) -> None:
    """Print a group as a table."""
    table = Table(*measured["cases"][0], title=f"{name}, {measured['setting']}")
    for row in measured["cases"]:
        table.add_row(*map(str, row.values()))
    Console().print(table)


def machine(where: torch.device) -> dict[str, Any]:
    """Return what the numbers depend on."""
    found = {
        "measured": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "rounds": ROUNDS,
        "processor": f"{platform.machine()}, {torch.backends.cpu.get_cpu_capability()}",
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "pages": "huge" if HUGE_PAGES else "as the system gives them",
        "denormals": "flushed" if _flushed() else "kept",
        "device": str(where),
    }
    if where.type != "cpu":
        found["accelerator"] = torch.get_device_module(where).get_device_name(where)
    versions = {name: _version(name) for name in ("torch", "numba", *PEERS)}
    return {**found, "python": platform.python_version(), **versions}


def _flushed() -> bool:
    """Tell whether numbers below 1e-38 are taken as 0."""
    return not (torch.tensor(1e-39) * 1).item()


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return "unknown"
    return found.stdout.strip()


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def main() -> None:
    """Measure the groups asked for, show them, store them beside those measured before."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("group", nargs="?", default="", help="how the names of groups begin")
    parser.add_argument("--flush-denormals", action="store_true", help="take numbers < 1e-38 as 0")
    arguments = parser.parse_args()
    if arguments.flush_denormals and not torch.set_flush_denormal(True):  # threads inherit it
        parser.error("this processor does not flush denormal numbers")
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    where = device()
    if missing := [name for name in PEERS if _version(name) == "not installed"]:
        print(f"left out, not installed: {', '.join(missing)} (make bench installs them)")
    results: dict[str, Measured] = {}
    with torch.no_grad():
        groups = [g for module in (speed_rope, speed_alibi) for g in module.groups(where)]
        for group in track([g for g in groups if g.name.startswith(arguments.group)], "measuring"):
            results[group.name] = measure(group, where)
    for name, measured in results.items():
        show(name, measured)
    store(where, results)
    write_page(RESULTS)


def store(where: torch.device, results: dict[str, Measured]) -> None:
    """Write the results beside those measured before, whole or not at all.

    A group that lacks a stored case is left as it is stored, and said to be.
    """
    unlike = {
        where.type: where.type != "cpu",
        "huge-pages": HUGE_PAGES,
        "denormals-flushed": _flushed(),
    }
    path = RESULTS / ("-".join(("speed", *(name for name in unlike if unlike[name]))) + ".json")
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name, measured in results.items():
        if lost := _cases(before.get(name)) - _cases(measured):
            print(f"{name}: not stored, for what is stored has {', '.join(sorted(lost))} too")
        else:
            before[name] = measured
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(before, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)


def _cases(measured: Measured | None) -> set[str]:
    return {case["case"] for case in measured["cases"]} if measured else set()


if __name__ == "__main__":
    main()
