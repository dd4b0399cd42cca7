"""From key to picture: `explore` beside `interact` with an inline figure, in real JupyterLab.

    python -m tests.browser.latency     prints one JSON row for each way, their ratio and the aim

One figure, one kernel, both ways in every round: machines are noisy, the ratios hold. The clock is
the page's own, from the key to the new picture in the document. The last row is a picture of two
curves: how many of it a second, while a key is held.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from nbformat.v4 import new_code_cell
from playwright.sync_api import ElementHandle, sync_playwright

from tests.browser.lab import Notebook, serving
from tests.chromium import QUIET, VIEW
from tools.browser import chromium

ROUNDS, KEYS, DRAG = 3, 12, 60
WAYS = ("interact", "explore")
AIM = {
    "key_to_picture_ms": "≤ 0.1",
    "p95_ms": "≤ 0.15",
    "pictures_in_drag": "≥ 4",
    "cpu_ms": "≤ 0.1",
}
FIGURE = """
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact

from posenc_viz import Bars, Curve, Curves, HeatMap, explore

p, i = np.arange(64), np.arange(32)


def panels(k):
    angles = (p[:, None] + k) * 100.0 ** (-i / 32)
    return (
        HeatMap(np.sin(angles), "channel", "position", f"table, k = {k}", limits=(-1, 1)),
        Curves(
            [Curve(p, np.cos(angles[:, j]), f"{j}") for j in (0, 9)],
            "p", "cos", f"k = {k}", y_limits=(-1, 1),
        ),
        Bars(np.sin(angles[0, :4]), list("abcd"), "pair", "sin", f"k = {k}", limits=(-1, 1)),
    )
"""
INTERACT = """
def inline(k):
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.8), dpi=100, layout="constrained")
    for each, panel in zip(axes, panels(k)):
        panel.draw(each)
        each.set_title(panel.title)
    plt.show()


interact(inline, k=(0, 400))
"""
EXPLORE = "explore(panels, k=(0, 400, 1, 200))"
TWO_CURVES = """
def two_curves(k):
    curves = [Curve(p, np.cos((p + k) * 100.0 ** (-j / 32)), f"{j}") for j in (0, 9)]
    return Curves(curves, "p", "cos", f"k = {k}", y_limits=(-1, 1))


explore(two_curves, k=(0, 400, 1, 200))
"""
A_SECOND = "≥ 20"
PAGE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")  # presses, and notes when


@contextmanager
def open_notebook() -> Iterator[Notebook]:
    """Open a notebook with both ways in headless Chromium."""
    cells = [new_code_cell(cell.strip()) for cell in (FIGURE, INTERACT, EXPLORE, TWO_CURVES)]
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        folder = Path(home) / "served"
        folder.mkdir()
        with serving(folder, Path(home) / "home") as lab:
            lab.write("latency.ipynb", cells)
            browser = driver.chromium.launch(executable_path=chromium(), args=list(QUIET))
            page = browser.new_context(viewport=VIEW).new_page()
            yield lab.open(page, "latency.ipynb")
            browser.close()


def kernel_cpu() -> float:
    """Return the seconds of CPU that the kernel, a grandchild of ours, has used."""
    every = psutil.Process().children(recursive=True)
    (kernel,) = (each for each in every if "ipykernel_launcher" in each.cmdline())
    return sum(kernel.cpu_times()[:2])


def press(notebook: Notebook, cell: ElementHandle, keys: int, wait: bool) -> dict[str, list[float]]:
    """Press keys in a cell; return when each was pressed and when each new picture was there."""
    return notebook.page.evaluate(PAGE, [cell, keys, wait])


def measure() -> list[dict[str, object]]:
    """Return a row for each way, the ratio of their numbers, what it should be; two curves."""
    rates: list[float] = []
    samples = {way: {name: [] for name in ("times", "drags", "cpu")} for way in WAYS}
    with open_notebook() as notebook:
        notebook.run_all()
        *cells, curves = notebook.page.query_selector_all(".jp-CodeCell:has(.noUi-handle)")
        for _ in range(ROUNDS):
            for way, cell in zip(WAYS, cells, strict=True):
                cell.scroll_into_view_if_needed()
                press(notebook, cell, 2, wait=True)
                before = kernel_cpu()
                keys = press(notebook, cell, KEYS, wait=True)
                samples[way]["cpu"].append((kernel_cpu() - before) / KEYS * 1000)
                pairs = zip(keys["pressed"], keys["seen"], strict=True)
                samples[way]["times"] += [seen - pressed for pressed, seen in pairs]
                drag = press(notebook, cell, DRAG, wait=False)
                samples[way]["drags"].append(len(drag["seen"]))
            curves.scroll_into_view_if_needed()
            seen = press(notebook, curves, DRAG, wait=False)["seen"]
            rates.append((len(seen) - 1) / (seen[-1] - seen[0]) * 1000)
    inline, ours = (_numbers(**samples[way]) for way in WAYS)
    ratio = {name: round(ours[name] / inline[name], 2) for name in AIM}
    rows = zip((*WAYS, "ratio", "aim"), (inline, ours, ratio, AIM), strict=True)
    rate = {"pictures_a_second": round(statistics.median(rates), 1), "aim": A_SECOND}
    return [*({"what": what} | row for what, row in rows), {"what": "explore, two curves"} | rate]


def _numbers(times: list[float], drags: list[int], cpu: list[float]) -> dict[str, float]:
    return {
        "key_to_picture_ms": round(statistics.median(times), 1),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        "pictures_in_drag": statistics.median(drags),
        "cpu_ms": round(statistics.median(cpu), 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure(), ensure_ascii=False))
