r"""Train short, test long: excess loss of seven encodings, and of RoPE's scalings.

    python -m experiments.extrapolation                      all, seven seeds: an hour of one core
    python -m experiments.extrapolation --methods rope alibi --seeds 2 --steps 300 --out my.json

Stop it whenever you like; the same command resumes from the last checkpoint, in build/, unless its
own code or posenc_ref has changed. Chapter 9 draws a copy of the results, in posenc_viz/measured/.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from experiments.extrapolation_data import corpus
from experiments.extrapolation_laboratory import Laboratory
from experiments.extrapolation_settings import METHODS, TUNED, Settings
from experiments.extrapolation_store import results, store

ROOT = Path(__file__).resolve().parent.parent
NAME = "extrapolation.json"
SOURCES = [
    *(ROOT / "experiments").glob("extrapolation*.py"),
    *(ROOT / "posenc_ref").rglob("*.py"),
]
STORED = [ROOT / "experiments" / "results" / NAME, ROOT / "posenc_viz" / "measured" / NAME]


def main() -> None:
    """Train the models that are not trained yet, measure them, store and show the results."""
    options = parse()
    torch.set_num_threads(1)  # sums in one order: a run repeats to the last digit
    console = Console()
    settings = Settings(steps=options.steps)
    outcome = run(settings, options.methods, options.seeds, options.work, console.log)
    for path in [options.out] if options.out else STORED:
        store(path, outcome)
    for row in outcome["comparisons"]:
        low, high = row["interval"]
        console.print(
            f"{row['length']:5} {row['a']:>18} - {row['b']:18} {row['difference']:+.3f} "
            f"[{low:+.3f}, {high:+.3f}], over text ± {row['text_error']:.3f}"
        )


def run(
    settings: Settings, methods: list[str], seeds: int, work: Path, report: Any = print
) -> dict[str, Any]:
    """Return the results; `work` is the folder of all checkpoints."""
    text = corpus()
    digest = hashlib.sha256(f"{settings} {text.sha256} {torch.__version__}".encode())
    for source in sorted(SOURCES):
        digest.update(source.read_bytes())
    laboratory = Laboratory(settings, text, work / digest.hexdigest()[:12], report)
    methods = [*methods, *(TUNED if "rope" in methods else ())]
    tried = [row for method in methods for row in laboratory.tried(method)]
    measured = [laboratory.measured(m, seed) for seed in range(seeds) for m in methods]
    return results(settings, text, tried, measured)


def parse() -> argparse.Namespace:
    """Return the options; a wrong one ends the program with a message."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--steps", type=positive, default=600, help="of training (600)")
    parser.add_argument("--seeds", type=positive, default=7, help="0, 1, … so many (7)")
    parser.add_argument(
        "--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD",
        help=", ".join(METHODS),
    )  # fmt: skip
    parser.add_argument("--out", type=output, help="where the results go, JSON")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "extrapolation", help="for checkpoints"
    )
    options = parser.parse_args()
    names = ("methods", "seeds", "steps")
    if not options.out and any(getattr(options, n) != parser.get_default(n) for n in names):
        parser.error("--out is needed: the course has results of the default options alone")
    return options


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def output(text: str) -> Path:
    """Return the path of a file that can be written; make its folder before the training."""
    path = Path(text)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.access(path.parent, os.W_OK) and not path.is_dir():
            return path
    raise argparse.ArgumentTypeError(f"{text!r} cannot be written")


if __name__ == "__main__":
    main()
