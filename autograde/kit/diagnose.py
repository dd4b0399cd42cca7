"""Names the misconception behind a wrong answer: the one that gives the same wrong results."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from autograde.kit.answer import Call, called
from autograde.kit.call_inputs import PLAIN_TYPES
from autograde.kit.compare import close
from autograde.kit.exercise import Exercise, Function, Misconception
from autograde.kit.relations.as_numbers import Numbers, items
from autograde.kit.relations.pair import Pair, pair_of
from autograde.kit.relations.precision import rounded

# float32 rounding first; then that of the sine of a large angle, computed in another order
TOLERANCES = (1e-5, 1e-3)
CALLS = 64  # calls of a list that are compared with the truth, at most


def what_counts(exercise: Exercise, call: Call) -> Call:
    """Return a call with only the part of its result that counts."""
    if call.error is not None:
        return call
    return replace(call, result=exercise.part_of(call.result, *call.args, **call.kwargs))


@dataclass
class MistakenCalls:
    """The results of an exercise's misconceptions and of its truth for calls, each computed once.

    Two misconceptions may need the truth for the same call, and each relation does.
    """

    exercise: Exercise
    calls: dict[tuple[str, int], Call] = field(default_factory=dict)
    pairs: dict[int, Pair | None] = field(default_factory=dict)
    looks: dict[tuple[Function, Hashable], Any] = field(default_factory=dict)

    def of(self, misconception: Misconception, call: Call) -> Call:
        """Return what `misconception` does with the inputs of `call`."""
        key = misconception.name, id(call)
        if key not in self.calls:
            answer = self.after_a_look(misconception, id(call))
            with torch.inference_mode():  # each operation is quicker; none needs autograd
                mistaken = called(lambda a, k: answer(*a, **k), call.args, call.kwargs)
            self.calls[key] = what_counts(self.exercise, mistaken)
        return self.calls[key]

    def pairs_of(self, calls: Sequence[Call]) -> list[Pair]:
        """Return the calls paired with the truth, without calls for which it has no result."""
        pairs = map(self._pair_of, calls[:CALLS])
        return [pair for pair in pairs if pair is not None]

    def _pair_of(self, call: Call) -> Pair | None:
        if id(call) not in self.pairs:
            self.pairs[id(call)] = pair_of(self.exercise, call)
        return self.pairs[id(call)]

    def after_a_look(self, misconception: Misconception, inputs: Hashable) -> Function:
        """Return its answer; misconceptions with one `look` call it once for the inputs named."""
        look = misconception.look
        if look is None:
            return misconception.answer

        def answer(*args: Any, **kwargs: Any) -> Any:
            if (look, inputs) not in self.looks:
                self.looks[look, inputs] = look(*args, **kwargs)
            return misconception.rest(self.looks[look, inputs])

        return answer

    def like(self, misconception: Misconception, calls: Sequence[Call]) -> bool:
        """Return whether `misconception` does what the learner's answer did in each of `calls`."""
        return all(self.of(misconception, call).like(call, TOLERANCES[1]) for call in calls)

    def is_refuted(self, misconception: Misconception, calls: Sequence[Call]) -> bool:
        """Return whether the answer gets a call right that `misconception` gets wrong."""
        whole = [call for call in calls if call.error is None and not call.changed]
        return any(self._refutes(misconception, call) for call in whole[:CALLS])

    def _refutes(self, misconception: Misconception, call: Call) -> bool:
        mistaken = self.of(misconception, call)
        if _return_the_same(mistaken, call):  # quicker than to ask the truth
            return False
        pair = self._pair_of(call)
        if pair is None or not pair.is_right(TOLERANCES[0]):
            return False
        return mistaken.error is not None or not replace(pair, got=mistaken.result).is_right(
            TOLERANCES[1]
        )

    def returns_as(self, misconception: Misconception, calls: Sequence[Call]) -> bool:
        """Return whether `misconception` returns exactly what the learner's answer returned."""
        return all(_return_the_same(self.of(misconception, call), call) for call in calls)


def _return_the_same(first: Call, second: Call) -> bool:
    """Return whether two calls returned the same numbers or words, to the last digit."""
    if first.error or second.error or first.changed or second.changed:
        return False
    return _is_same(first.result, second.result)


def _is_same(left: Any, right: Any) -> bool:
    """Return whether two plain values or tensors are equal in all that a check can see."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(_is_same, left, right))
    if type(left) is dict:
        return [*left] == [*right] and all(map(_is_same, left.values(), right.values()))
    if type(left) is torch.Tensor:
        return _is_same_tensor(left, right)
    return type(left) in PLAIN_TYPES and repr(left) == repr(right)


def _is_same_tensor(left: torch.Tensor, right: torch.Tensor) -> bool:
    for x in (left, right):
        if x.layout is not torch.strided or x.device.type != "cpu" or x.is_nested:
            return False
    of_left, of_right = ((x.dtype, x.stride(), x.requires_grad) for x in (left, right))
    return of_left == of_right and torch.equal(left, right)


def explanations(mistaken: MistakenCalls, calls: Sequence[Call]) -> Iterator[Misconception]:
    """Yield the misconceptions that do what the learner's answer did in all `calls`, best first.

    `calls` are the calls of the failed checks, so that a match explains the whole failure;
    without calls nothing is yielded. It is quicker if the calls in which most misconceptions
    differ come first. Loose matches are dropped if the numbers are right ones rounded to a
    shorter dtype: many misconceptions come near them.
    """
    if not calls:
        return
    narrow = TOLERANCES[0]
    later = []
    for misconception in mistaken.exercise.misconceptions:
        if not mistaken.like(misconception, calls):
            continue
        if _has_another_dtype(mistaken, misconception, calls):
            continue
        if all(mistaken.of(misconception, call).like(call, narrow) for call in calls):
            yield misconception
        elif not any(_right_but_dtype(mistaken, misconception, call) for call in calls):
            later.append(misconception)
    if later and not any(map(rounded, _items(mistaken, calls))):
        yield from later


def _has_another_dtype(
    mistaken: MistakenCalls, misconception: Misconception, calls: Sequence[Call]
) -> bool:
    """Return whether a misconception has right numbers in a dtype other than the learner's.

    It is not the mistake if its dtype is right, or if the learner's numbers only come near.
    """
    whole = [call for call in calls if call.error is None]
    if all(_dtype(mistaken.of(misconception, one).result) == _dtype(one.result) for one in whole):
        return False
    pairs = mistaken.pairs_of(whole)
    results = [mistaken.of(misconception, pair.call).result for pair in pairs]
    narrow, both = TOLERANCES[0], [*zip(pairs, results, strict=True)]
    if not all(replace(pair, got=result).is_right(narrow) for pair, result in both):
        return False
    return any(
        _dtype(result) != _dtype(pair.got)
        and (
            _dtype(result) == _dtype(pair.want) or not close(pair.got, result, rtol=narrow, atol=0)
        )
        for pair, result in both
    )


def _dtype(value: Any) -> torch.dtype | None:
    return getattr(value, "dtype", None)


def _items(mistaken: MistakenCalls, calls: Sequence[Call]) -> Iterator[list[Numbers]]:
    whole = [call for call in calls if call.error is None]
    return (pairs for _, pairs in items(mistaken.pairs_of(whole), TOLERANCES[0]))


def _right_but_dtype(mistaken: MistakenCalls, misconception: Misconception, call: Call) -> bool:
    """Return whether dtypes differ, and the learner's numbers are right, the misconception's wrong.

    An example is float32 in place of float64: then the mistake is the dtype.
    """
    narrow, result = TOLERANCES[0], mistaken.of(misconception, call).result
    if _dtype(result) == _dtype(call.result):
        return False
    return any(
        pair.is_right(narrow) and not replace(pair, got=result).is_right(narrow)
        for pair in mistaken.pairs_of([call])
    )
