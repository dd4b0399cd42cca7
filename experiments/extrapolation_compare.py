"""Is one method's excess smaller than another's? Paired by seed, with an interval, and over text.

The interval is Student's t over the differences of pairs that share a seed, widened by Bonferroni:
with m comparisons each is at 1 - 0.05 / m, so that all of them hold together in 95 of 100
repetitions. The error over text: differences are averaged over seeds; it is the standard error of
their mean over blocks of text.
"""

from __future__ import annotations

import statistics
from typing import Any

from mpmath import betainc, findroot

LEVEL = 0.05


def t_quantile(share: float, freedom: int) -> float:
    """Return the t that |t| of Student's distribution exceeds with probability `share`.

    Example:
        >>> round(t_quantile(0.05, 4), 3)
        2.776
    """

    # x = freedom / (freedom + t²) is 1 at t = 0 and 0 far out
    beyond = lambda x: betainc(freedom / 2, 0.5, 0, x, regularized=True) - share  # noqa: E731
    x = findroot(beyond, (0, 1), solver="bisect")
    return float((freedom * (1 / x - 1)) ** 0.5)


def interval(differences: list[float], comparisons: int) -> tuple[float, float]:
    """Return the interval of the mean difference; comparisons: how many there are in all."""
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    wide = error * t_quantile(LEVEL / comparisons, len(differences) - 1)
    return mean - wide, mean + wide


def standard_error(numbers: list[float]) -> float:
    """Return the standard error of the mean of `numbers`."""
    return statistics.stdev(numbers) / len(numbers) ** 0.5


def comparisons(
    rows: list[dict[str, Any]], pairs: list[tuple[str, str]], lengths: list[int]
) -> list[dict[str, Any]]:
    """Return for each pair and length the excess of the first minus that of the second.

    rows: with "method", "seed", "length" and "blocks". At least two seeds.
    """
    blocks: dict[tuple[str, int], list[list[float]]] = {}  # in the order of the seeds
    for row in sorted(rows, key=lambda row: row["seed"]):
        blocks.setdefault((row["method"], row["length"]), []).append(row["blocks"])
    cases = [(a, b, n) for a, b in pairs for n in lengths if {(a, n), (b, n)} <= blocks.keys()]
    return [
        {"a": a, "b": b, "length": n, **_compared(blocks[a, n], blocks[b, n], len(cases))}
        for a, b, n in cases
    ]


def _compared(left: list[list[float]], right: list[list[float]], number: int) -> dict[str, Any]:
    """Return the comparison of two methods; left, right: the blocks of each seed."""
    differences = [
        [x - y for x, y in zip(a, b, strict=True)] for a, b in zip(left, right, strict=True)
    ]
    seeds = [statistics.mean(blocks) for blocks in differences]
    low, high = interval(seeds, number)
    error = standard_error([statistics.mean(block) for block in zip(*differences, strict=True)])
    return {
        "difference": round(statistics.mean(seeds), 4),
        "interval": [round(low, 4), round(high, 4)],
        "text_error": round(error, 4),
        "holds": bool(low * high > 0 and abs(statistics.mean(seeds)) > 2 * error),
    }
