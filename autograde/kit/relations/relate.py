"""Tries the relations in turn: one that holds in every call that failed explains the failure."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograde.kit.answer import Call
from autograde.kit.diagnose import TOLERANCES, MistakenCalls
from autograde.kit.relations import precision
from autograde.kit.relations.as_numbers import items
from autograde.kit.relations.dtype import in_a_list, in_another_dtype, in_numpy, is_numpy
from autograde.kit.relations.in_place import changed_alone
from autograde.kit.relations.inputs import ChangedTruths
from autograde.kit.relations.partly_right import in_which_calls, in_which_places
from autograde.kit.relations.single_cause import of_items, single_cause
from autograde.kit.relations.two_mistakes import two_mistakes
from autograde.kit.verdict import Cause


def relation(
    mistaken: MistakenCalls, failed: Sequence[Call], every: Sequence[Call]
) -> Cause | None:
    """Return the relation that holds in all of `failed`, None if no relation is sure.

    failed: the calls of the checks that failed. every: the calls of all checks, to tell inputs
    with a right result from inputs with a wrong one.
    """
    exercise = mistaken.exercise
    if exercise.true_answer is None or any(call.error for call in failed):
        return None
    if all(isinstance(call.result, bool) for call in failed):  # too little to be sure of
        return None
    if all(call.result is None for call in every):  # nothing is returned: a check says so
        return None
    if any(is_numpy(call.result) for call in failed):
        return in_numpy(mistaken.pairs_of(failed))
    if listed := in_a_list(mistaken.pairs_of(failed)):
        return listed
    with torch.inference_mode():
        return _relation(mistaken, failed, every)


def _relation(
    mistaken: MistakenCalls, failed: Sequence[Call], every: Sequence[Call]
) -> Cause | None:
    exercise = mistaken.exercise
    pairs = mistaken.pairs_of(failed)
    narrow, wide = TOLERANCES
    whole = [call for call in every if not call.error and not call.changed]
    if any(call.changed for call in failed):
        return changed_alone(pairs, wide) if len(pairs) == len(failed) else None
    if all(pair.is_right(narrow) for pair in pairs):
        return in_another_dtype(pairs) or of_items([*items(pairs, narrow)], precision.RELATIONS)
    # a check may pass without looking at numbers: they may be wrong there too
    passed = mistaken.pairs_of([call for call in whole if not any(call is one for one in failed)])
    wrong = [*pairs, *(pair for pair in passed if not pair.is_right(wide))]
    truths = ChangedTruths(exercise)
    near = all(pair.is_right(wide) for pair in pairs)
    loose = None if near else single_cause(wrong, wide, truths)
    if near or loose:  # what does not hold loosely does not hold strictly
        return single_cause(wrong, narrow, truths) or loose
    return (
        two_mistakes(mistaken, wrong, truths)
        or in_which_places(pairs, mistaken)
        or in_which_calls(mistaken.pairs_of(whole), mistaken)
    )
