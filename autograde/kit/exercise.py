"""What an exercise is made of: a task, checks, hints and misconceptions, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bilingual import Text

if TYPE_CHECKING:  # `python -m autograde` reads this too, and importing torch takes seconds
    import torch

Function = Callable[..., Any]
CheckFunction = Callable[[Function, "torch.Generator"], None]


@dataclass(frozen=True)
class Check:
    """One thing that a right answer does; `run(answer, rng)` raises `Wrong` if it does not.

    `counts_calls`: it counts how often the answer calls a function that it got. Any other check
    cannot tell apart two answers that return the same.
    """

    name: str
    sentence: Text
    weight: int
    run: CheckFunction
    counts_calls: bool = False


@dataclass(frozen=True)
class Misconception:
    """A wrong answer that people really write, as a function that can be run and compared.

    If several begin with the same computation, `look` is that function of the inputs, and `rest`
    turns its result into this answer: a diagnosis then calls `look` once for them all.
    """

    name: str
    sentence: Text
    answer: Function
    look: Function | None = None
    rest: Function | None = None


@dataclass
class Exercise:
    """One exercise. The file `exercises/<id>.py` makes it and adds checks and misconceptions.

    `id` is the file name, the tag of the answer cell, nbgrader's grade_id and gradebook column.
    `difficulty` runs from 1 to 5; `minutes` is an honest guess; `seconds` limit all calls together.
    `signature` is one line such as "table(positions, dim) -> (L, dim)".
    `broken` names the misconception whose code a learner mends; without it the cell has a stub.
    `true_answer` is right for all inputs that the task allows: checks compare with it, and a wrong
    result is explained by what it would have returned.
    `part` extracts the part of a result that counts, if the task leaves the rest open.
    """

    id: str
    chapter: str
    title: Text
    task: Text
    signature: str
    points: float
    difficulty: int
    minutes: int
    hints: tuple[Text, ...]
    seconds: float = 10.0
    broken: str = "unchanged"
    true_answer: Function | None = None
    part: Function | None = None
    checks: list[Check] = field(default_factory=list)
    misconceptions: list[Misconception] = field(default_factory=list)

    def truth(self, answer: Function) -> Function:
        """Take the decorated function, which has the learner's signature, as the true answer."""
        self.true_answer = answer
        return answer

    def counts(self, part: Function) -> Function:
        """Take the decorated function, `part(result, …the inputs)`, as the part that counts."""
        self.part = part
        return part

    def part_of(self, result: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the part of a result that counts; all of it if it does not have that part."""
        try:
            return self.part(result, *args, **kwargs) if self.part else result
        except Exception:  # of any type: an answer may return anything
            return result

    def check(
        self, en: str, zh: str, weight: int = 1, counts_calls: bool = False
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Add the decorated function as a check; the two sentences say what a right answer does."""

        def add(run: CheckFunction) -> CheckFunction:
            self.checks.append(Check(run.__name__, Text(en=en, zh=zh), weight, run, counts_calls))
            return run

        return add

    def misconception(
        self, en: str, zh: str, look: Function | None = None
    ) -> Callable[[Function], Function]:
        """Add the decorated wrong answer; the two sentences name the mistake to the learner.

        With `look`, a function of the inputs, it takes the result of `look` in their place.
        """

        def add(answer: Function) -> Function:
            sentence, whole = Text(en=en, zh=zh), _after(look, answer) if look else answer
            self.misconceptions.append(
                Misconception(answer.__name__, sentence, whole, look, answer)
            )
            return answer

        return add


def _after(look: Function, rest: Function) -> Function:
    def answer(*args: Any, **kwargs: Any) -> Any:
        return rest(look(*args, **kwargs))

    return answer
