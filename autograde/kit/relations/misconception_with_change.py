"""A misconception of the exercise and a change of the inputs, both at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

from autograde.kit.answer import deep_copy
from autograde.kit.compare import close
from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.exercise import Misconception
from autograde.kit.relations.change import Change
from autograde.kit.relations.combined_cause import combined_cause, computed
from autograde.kit.relations.inputs import ChangedTruths, explains
from autograde.kit.relations.pair import Pair
from autograde.kit.verdict import Cause
from bilingual import Text

NARROW, TOLERANCE = TOLERANCES
MOST = 140  # results of misconceptions for changed inputs; counted, not timed


def misconception_with_change(
    mistaken: MistakenCalls,
    changes: Sequence[Change],
    pairs: Sequence[Pair],
    truths: ChangedTruths,
) -> Cause | None:
    """Return a misconception that gives every result for changed inputs, None if none does."""
    first = pairs[0]
    misconceptions = [
        misconception
        for misconception in mistaken.exercise.misconceptions
        if not mistaken.of(misconception, first.call).error
    ]
    in_shape = [
        misconception
        for misconception in misconceptions
        if _shape(mistaken.of(misconception, first.call).result) == _shape(first.got)
    ]
    # a changed size may undo a mistake: an exponent twice too large is right for twice the size
    tried = _in_turn([change for change in changes if not _of_a_size(change, first)])
    most = MOST // max(len(misconceptions), 1)
    for change in islice(_telling(tried, first, truths), most):
        # with inputs of the same shapes, a misconception keeps the shape of its result
        for mistake in in_shape if _keeps_shapes(change, first) else misconceptions:
            if all(explains(_result(mistaken, mistake, change, p), p, TOLERANCE) for p in pairs):
                words = computed(change)
                second = Text(en=f": {words.en}", zh=f"：{words.zh}")
                return combined_cause(mistake.name, mistake.sentence, change.name, second)
    return None


def _telling(changes: Sequence[Change], pair: Pair, truths: ChangedTruths) -> Iterator[Change]:
    """Yield the changes that alter the right result; of several that alter it alike, only one."""
    results = [pair.want]
    for change in changes:
        result = truths.of(change, pair)
        if result is None or any(close(result, one, rtol=NARROW, atol=NARROW) for one in results):
            continue
        results.append(result)
        yield change


def _keeps_shapes(change: Change, pair: Pair) -> bool:
    changed = change.change(pair.inputs)
    return all(_shape(value) == _shape(changed[name]) for name, value in pair.inputs.items())


def _shape(value: Any) -> Any:
    return getattr(value, "shape", None)


def _in_turn(changes: Sequence[Change]) -> list[Change]:
    """Return the changes, one of each input in turn: the likeliest of each come first."""
    of_inputs: dict[str, list[Change]] = {}
    for change in changes:
        of_inputs.setdefault(change.name, []).append(change)
    return [change for turn in zip_longest(*of_inputs.values()) for change in turn if change]


def _of_a_size(change: Change, pair: Pair) -> bool:
    value = pair.inputs.get(change.name.removeprefix("input_"))
    return isinstance(value, int) and not isinstance(value, bool)


def _result(
    mistaken: MistakenCalls, misconception: Misconception, change: Change, pair: Pair
) -> Any:
    answer = mistaken.after_a_look(misconception, (change.words.en, id(pair.call)))
    try:
        result = answer(**deep_copy(change.change(pair.inputs)))
    except Exception:  # of any kind: changed inputs may be nonsense
        return None
    return mistaken.exercise.part_of(result, *pair.call.args, **pair.call.kwargs)
