r"""Train short, test long: excess loss of seven encodings, and of RoPE's scalings.

    python experiments/extrapolation.py                      all, three seeds
    python experiments/extrapolation.py --methods rope alibi --seeds 1 --steps 300
    python experiments/extrapolation.py --methods nope --seeds 2 --steps 6000 \
        --out experiments/results/extrapolation_nope.json    for chapter 9, which reads a copy in
                                                             posenc_viz/measured/

Stop it whenever you like; the same command goes on from the last checkpoint, in build/. Learned
positions get a table as long as the longest test, whose rows past the trained length stay as they
were drawn. An accelerator is used where there is one (POSENC_DEVICE=cpu: not).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the folder of the packages is not on the path

from experiments.extrapolation_data import TextError, corpus  # noqa: E402
from experiments.extrapolation_laboratory import Laboratory  # noqa: E402
from experiments.extrapolation_settings import METHODS, TUNED, Settings  # noqa: E402
from experiments.extrapolation_store import store  # noqa: E402
from posenc_ref import device  # noqa: E402

RESULTS = ROOT / "experiments" / "results"
SHOWN = ROOT / "posenc_viz" / "measured"  # the copy that chapters draw


def main() -> None:
    """Train what is not trained yet, measure it, show and store the results."""
    options = parse()
    settings = Settings(options.steps, options.length)
    try:
        text = corpus(options.text, settings.lengths[-1])
    except TextError as error:
        sys.exit(str(error))
    where = device()
    work = options.work / settings.folder(text, where)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    measured = []
    with Progress(*columns) as progress:
        laboratory = Laboratory(settings, text, where, work)
        tuned = [TUNED] if "rope" in options.methods else []
        jobs = [(method, seed) for seed in range(options.seeds) for method in options.methods]
        jobs += [(method, seed) for seed in range(options.seeds) for method in tuned]
        bar = progress.add_task("", total=sum(laboratory.steps(method) for method, _ in jobs))
        for method, seed in jobs:
            progress.update(bar, description=f"{method}, seed {seed}")
            measured.append(laboratory.measure(method, seed, partial(progress.advance, bar)))
    name = "extrapolation.json" if where.type == "cpu" else f"extrapolation-{where.type}.json"
    for path in [options.out] if options.out else [RESULTS / name, SHOWN / name]:
        store(path, settings, text, where, measured)
    Console().print(table(measured))


def parse() -> argparse.Namespace:
    """Return the options; a wrong one ends the program with a sentence."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--steps", type=positive, default=1500, help="of training (1500)")
    parser.add_argument("--seeds", type=positive, default=3, help="0, 1, … so many (3)")
    parser.add_argument(
        "--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD",
        help=", ".join(METHODS),
    )  # fmt: skip
    parser.add_argument("--length", type=even, default=128, help="trained; tested up to 8 times it")
    parser.add_argument("--text", type=Path, help="a file (default: Python's help topics)")
    parser.add_argument("--out", type=Path, help="where the results go, JSON")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "extrapolation", help="for checkpoints"
    )
    return parser.parse_args()


def positive(text: str) -> int:
    """Return a whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 on is needed, not {text!r}")
    return int(text)


def even(text: str) -> int:
    """Return an even number from 2 on: a window has two halves."""
    if positive(text) % 2:
        raise argparse.ArgumentTypeError(f"an even length is needed, not {text!r}")
    return int(text)


def table(measured: list[dict]) -> Table:
    """Return a table of the excess, a row for each method, variant and seed."""
    rows = [row for one in measured for row in one["rows"]]
    lengths = sorted({row["length"] for row in rows})
    lines = Table("method", "seed", *map(str, lengths), title="excess loss, nats a byte")
    for method, seed in dict.fromkeys((row["method"], row["seed"]) for row in rows):
        excess = {
            r["length"]: r["excess"] for r in rows if (r["method"], r["seed"]) == (method, seed)
        }
        lines.add_row(
            method, str(seed), *(f"{excess[n]:+.3f}" if n in excess else "" for n in lengths)
        )
    return lines


if __name__ == "__main__":
    main()
