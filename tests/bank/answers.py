"""The bank: answers by readers who saw the notebooks alone, and what the kit says of each.

`ID.toml` lists `answer`: is it `right`, `why` (its style, or its mistake), its `code`, and for a
wrong one the `cause` that the kit names, as a reader has confirmed it; without one it names none.
A wrong answer has one of the `mistakes` that people make, or two at once.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

import torch

from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise
from autograde.kit.exercise import Function
from autograde.kit.scoring import SEED, evaluate_answer
from autograde.kit.verdict import Verdict

HERE = Path(__file__).parent
PATIENT = 300.0  # seconds: none of the answers is endless, and a busy machine is not a failure
# answers are letters of a paper, not functions that one writes
NO_BANK = {
    "clinic_chart_biases",
    "clinic_chart_decoding",
    "clinic_chart_rotations",
    "clinic_chart_stretching",
    "clinic_chart_tables",
}


@dataclass(frozen=True)
class BankAnswer:
    """One answer to an exercise."""

    exercise: str
    right: bool
    why: str
    code: str
    cause: str = ""
    mistakes: int = 1

    def function(self) -> Function:
        names = {"math": math, "torch": torch, "F": torch.nn.functional}
        exec(compile(self.code, f"<{self.exercise}: {self.why}>", "exec"), names)
        return names[self.exercise]

    def verdict(self) -> Verdict:
        return evaluate_answer(exercise(self.exercise), Answer(self.function(), PATIENT), SEED)


def cause_of(verdict: Verdict) -> str:
    """Return what the kit names, such as "relation:transposed"; nothing if it names nothing."""
    return f"{verdict.cause.kind}:{verdict.cause.name}" if verdict.cause else ""


def exercises_with_answers() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.toml"))


def answers(name: str) -> list[BankAnswer]:
    path = HERE / f"{name}.toml"
    if not path.exists():
        raise FileNotFoundError(f"no tests/bank/{name}.toml: CONTRIBUTING.md, Add an exercise")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return [BankAnswer(name, **answer) for answer in content["answer"]]
