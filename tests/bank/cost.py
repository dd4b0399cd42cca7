"""What a diagnosis costs: CPU milliseconds by exercise, over the wrong answers of the bank.

python -m tests.bank.cost [ID ...]

Prints JSON, which `python -m experiments.feel --only diagnosis` shows as a table and stores. One
thread, seconds of CPU, and the least of a few runs of each answer, as `timeit` has it: what a
shared machine adds is not the diagnosis's.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import torch

from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise
from autograde.kit.scoring import SEED, diagnose, run_checks
from tests.bank.answers import BankAnswer, answers, exercises_with_answers

AIM = 50  # ms
RUNS = 5


def milliseconds(answer: BankAnswer) -> float:
    """Return what it takes to find the cause of a wrong answer, checks not counted."""
    task, function = exercise(answer.exercise), answer.function()
    outcomes = run_checks(task, Answer(function, task.seconds), SEED)
    runs = []
    for _ in range(RUNS):
        start = time.process_time()
        diagnose(task, outcomes, SEED)
        runs.append(1000 * (time.process_time() - start))
    return min(runs)


def row(name: str) -> dict[str, str | float | int]:
    """Return the costs of an exercise: of its usual wrong answer, and of the slowest."""
    costs = {answer.why: milliseconds(answer) for answer in answers(name) if not answer.right}
    slowest = max(costs, key=costs.__getitem__)
    return {
        "exercise": name,
        "median_ms": round(statistics.median(costs.values()), 1),
        "largest_ms": round(costs[slowest], 1),
        "aim": AIM,
        "of": slowest,
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    names = sys.argv[1:] or exercises_with_answers()
    rows = sorted(map(row, names), key=lambda one: -one["largest_ms"])
    print(json.dumps(rows, ensure_ascii=False))
