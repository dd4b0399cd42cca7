"""Interleaved, paired timing: every case once a round, ratios within a round, their median.

Shared machines are noisy for seconds at a time. A round is short, so noise slows neighbouring cases
alike, and the ratio stays. What a case leaves in the caches speeds up the next by some per cent, so
each round has its own order.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

Case = Callable[[], object]
ROUNDS = 30


@dataclass(frozen=True)
class Group:
    """Cases that are compared with the first one, and how often a round calls each."""

    name: str
    setting: str
    cases: dict[str, Case]
    calls: int = 1  # calls a round: more for cases of microseconds
    aim: float | None = None  # the ratio that the reference should stay below


def paired(group: Group, *, rounds: int = ROUNDS, warm_up: int = 3) -> list[dict[str, object]]:
    """Return for each case its median time and the median ratio to the first case, with quartiles.

    A CPU is timed by the clock; an accelerator is synchronised before and after.
    """
    times: dict[str, list[float]] = {name: [] for name in group.cases}
    orders, cases = random.Random(0), list(group.cases.items())
    for round_ in range(warm_up + rounds):
        for name, case in orders.sample(cases, len(cases)):
            seconds = _seconds(case, group.calls)
            if round_ >= warm_up:
                times[name].append(seconds)
    base = next(iter(times.values()))
    return [
        {
            "case": name,
            "median_us": round(statistics.median(seconds) / group.calls * 1e6, 1),
            **_ratios(seconds, base),
        }
        for name, seconds in times.items()
    ]


def _ratios(seconds: list[float], base: list[float]) -> dict[str, float]:
    ratios = [one / other for one, other in zip(seconds, base, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {"ratio": round(middle, 3), "quartiles": [round(low, 3), round(high, 3)]}


def _seconds(case: Case, calls: int) -> float:
    _synchronise()
    start = time.perf_counter()
    for _ in range(calls):
        case()
    _synchronise()
    return time.perf_counter() - start


def _synchronise() -> None:
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()
