"""Writes docs/speed.md from the stored results of experiments/speed.py.

python experiments/speed_page.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "speed.md"
HEAD = """# Speed · 速度

What RoPE and ALiBi of `posenc_ref` cost beside the least that memory allows and beside other
libraries. `make bench` measures it again; this page is made from `experiments/results/speed*.json`.
下面是`posenc_ref`中RoPE和ALiBi的开销，对照内存所允许的下限，也对照其他库。
`make bench`可以重新测量；本页由`experiments/results/speed*.json`生成。

- **Ratio**: to the first case of a table, in the same round; the median of rounds, and quartiles.
  **比值**：与表中第一项在同一轮内相比；取各轮的中位数，并给出四分位数。
- **Peak**: the most memory that torch held at once beyond the inputs and what is made once.
  **峰值**：除输入和只做一次的表以外，torch同时占用的最多内存。
- `clone` pays for fresh pages, as each function does that returns a new tensor; `out=` does not.
  `clone`要为新的内存页付出代价，凡返回新张量的函数都是如此；`out=`则不必。
- On a CPU under Linux, RoPE and decoding with ALiBi go through loops that numba compiles
  (`posenc_loops`): the first large call takes a second or two more, which no number here holds.
  在Linux的CPU上，RoPE和带ALiBi的解码走numba编译的循环（`posenc_loops`）：
  第一次大的调用要多花一两秒编译，这里的数字都不含它。
- With ALiBi the weights of far keys become denormal numbers, which a CPU handles slowly.
  `torch.set_flush_denormal(True)`, first thing in a program, takes them as 0
  (speed-denormals-flushed).
  ALiBi会让远处键的权重变成非规格化数，CPU处理它们很慢。在程序最开头调用
  `torch.set_flush_denormal(True)`，它们就被当作0（见speed-denormals-flushed）。

"""
NO_ACCELERATOR = """No accelerator has been measured: `make bench` does where there is one.
还没有在加速器上测量过：有加速器时`make bench`会测量。

"""
COLUMNS = """| case · 项目 | µs | ratio · 比值 | quartiles · 四分位数 | peak · 峰值, MiB |
|---|--:|--:|--:|--:|
"""


def write_page(results: Path) -> None:
    """Write the page from the results in this folder."""
    PAGE.write_text(page(results), encoding="utf-8")


def page(results: Path) -> str:
    """Return the page, a part for each file of results and a table for each group."""
    files = sorted(results.glob("speed*.json"))
    stored = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    devices = {group["machine"]["device"] for part in stored.values() for group in part.values()}
    parts = (part for stem, groups in stored.items() for part in _parts(stem, groups))
    return HEAD + (NO_ACCELERATOR if devices <= {"cpu"} else "") + "\n".join(parts)


def _parts(stem: str, groups: dict[str, Any]) -> Iterator[str]:
    for name, group in groups.items():
        machine = ", ".join(f"{key} {value}" for key, value in group["machine"].items())
        rows = "".join(_row(case) for case in group["cases"])
        yield f"## {name}, {group['setting']} ({stem})\n\n{COLUMNS}{rows}\n{machine}\n"


def _row(case: dict[str, Any]) -> str:
    low, high = case["quartiles"]
    cells = (case["case"], case["median_us"], case["ratio"], f"{low} – {high}", case["peak_MiB"])
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    write_page(ROOT / "experiments" / "results")
