"""Times what people wait for: each chapter, the build, nbval, the demo class, a moved slider.

    python experiments/bench.py             everything
    python experiments/bench.py chapters    one part

Machines are shared and noisy: read the numbers as sizes, and compare only within one run. The
results go to experiments/results/bench.json with the versions and the machine's core count.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import psutil
from nbclient import NotebookClient
from rich.console import Console
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "experiments" / "results" / "bench.json"


class TimedClient(NotebookClient):
    """Runs a notebook; keeps the seconds of its first code cell (imports) and of the rest."""

    seconds: list[float]
    peak: int

    def run(self) -> None:
        """Execute all cells, sampling the kernel's resident memory ten times a second."""
        self.seconds, self.peak = [], 0
        with self.setup_kernel():
            stop = threading.Event()
            kernel = psutil.Process(self.km.provisioner.pid)
            sampler = threading.Thread(target=self._sample, args=(kernel, stop))
            sampler.start()
            for index, cell in enumerate(self.nb.cells):
                if cell.cell_type == "code":
                    start = time.perf_counter()
                    self.execute_cell(cell, index)
                    self.seconds.append(time.perf_counter() - start)
            stop.set()
            sampler.join()

    def _sample(self, kernel: psutil.Process, stop: threading.Event) -> None:
        while not stop.wait(0.1):
            self.peak = max(self.peak, kernel.memory_info().rss)


def chapters() -> list[dict[str, Any]]:
    """Run every chapter, solved and unsolved, in a fresh kernel."""
    rows = []
    for path in sorted([*ROOT.glob("solutions/*/*.ipynb"), *ROOT.glob("notebooks/*/*.ipynb")]):
        client = TimedClient(nbformat.read(path, as_version=4), timeout=600, kernel_name="python3")
        client.run()
        rows.append(
            {
                "what": str(path.relative_to(ROOT).parent),
                "imports_s": round(client.seconds[0], 2),
                "cells_s": round(sum(client.seconds[1:]), 2),
                "peak_MiB": client.peak // 2**20,
            }
        )
    return rows


def build() -> list[dict[str, Any]]:
    """Build everything into a scratch folder."""
    with tempfile.TemporaryDirectory() as folder:
        return [_command("build", "-m", "tools.build", "--to", folder)]


def nbval() -> list[dict[str, Any]]:
    """Run nbval as the tests do."""
    return [_command("nbval", "-m", "pytest", "-q", "tests/notebooks/test_nbval.py")]


def demo() -> list[dict[str, Any]]:
    """Grade the demo class."""
    with tempfile.TemporaryDirectory() as folder:
        return [_command("grade-demo", "-m", "autograde", "demo", "--folder", f"{folder}/class")]


def explore() -> list[dict[str, Any]]:
    """Move a slider in headless Chromium: `explore` beside `interact` with an inline figure."""
    command = [sys.executable, "-m", "tests.browser.latency"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def _command(what: str, *arguments: str) -> dict[str, Any]:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return {"what": what, "seconds": round(time.perf_counter() - start, 1)}


PARTS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "chapters": chapters,
    "build": build,
    "nbval": nbval,
    "demo": demo,
    "explore": explore,
}


def show(part: str, rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    table = Table(*rows[0], title=part)
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


def main() -> None:
    """Measure the parts that were asked for and store them beside those measured before."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="parts to measure")
    parts = parser.parse_args().part or list(PARTS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(POSENC_DATA_DIR=folder, POSENC_LANGUAGE="both")
        measured = {part: PARTS[part]() for part in track(parts, "measuring")}
    for part, rows in measured.items():
        show(part, rows)
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    packages = ("torch", "jupyterlab", "nbgrader", "nbclient", "ipykernel")
    machine = {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in packages},
    }
    stored = json.dumps({**before, **measured, "machine": machine}, indent=1)
    unfinished = RESULTS.with_suffix(".unfinished")
    unfinished.write_text(stored + "\n", encoding="utf-8")
    unfinished.replace(RESULTS)


if __name__ == "__main__":
    main()
