"""Functions that an exercise passes to an answer differ in what they return, and in nothing else.

A right program and a broken one refuse the same calls, in the same words: else an answer would know
them by these, without a test.
"""

import pytest
import torch

from autograde.exercises import _lost_rotations as lost
from autograde.exercises import _spoiled_programs, clinic_rotation_test, equivariance_gap
from autograde.kit.answer import Answer, leaves
from autograde.kit.callback import Callback
from autograde.kit.catalogue import exercise
from autograde.kit.expect import QUOTED
from autograde.kit.scoring import SEED, run_checks
from tests.exercises.test_kit import WITH_FUNCTIONS, answer, solution

ONE, TWO = torch.zeros(1, 1, 1, 8), torch.zeros(2, 1, 3, 8)
VALUES = [
    *(None, True, 0, -1, 3.0, 1j, 10**30, "a", b"a", (), [], {}, set(), object(), len, int),
    *(torch.tensor(1), torch.tensor(1.0), torch.tensor(250, dtype=torch.uint8), torch.zeros(3)),
    *(torch.zeros(0), torch.zeros(2, 0), torch.zeros(0, 2), torch.zeros(2, 3), torch.eye(9)),
    *(torch.zeros(1, 1, 8), torch.zeros(1, 0, 1, 8), torch.zeros(1, 2, 0, 8), ONE, TWO),
    *(torch.zeros(0, 2, 3, 8), torch.zeros(1, 1, 1, 0), torch.zeros(1, 1, 1, 3)),
    *(torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 1, 4), torch.zeros(1, 1, 2, 2, 8)),
    *(ONE.bool(), ONE.long(), ONE.double(), ONE.half(), ONE.bfloat16(), ONE.to(torch.complex64)),
    *(ONE.to(torch.float8_e4m3fn), ONE.to("meta"), ONE.to_sparse(), ONE.numpy(), ONE * torch.nan),
    *(torch.zeros(2, 2).long(), torch.zeros(3, 2).long() - 1, torch.zeros(3, 2).long() + 30),
    *(torch.zeros(3, 0).long(), torch.zeros(3, 2).byte(), torch.zeros(3, 2).bool()),
    torch.zeros(0, 2).long(),
]
CALLS = [
    *(((), {}), ((ONE,) * 4, {}), ((), {"y": ONE}), ((), {"input": ONE}), ((ONE, ONE), {"at": 1})),
    *(((value,), {}) for value in VALUES),
    *(((value, value), {}) for value in VALUES),
    *(((value, TWO), {}) for value in VALUES),
    *(((TWO, value), {}) for value in VALUES),
    *(((TWO, TWO, value), {}) for value in VALUES),
    *(((TWO, TWO), {"start": value}) for value in VALUES),
    *(((TWO, ONE, start), {}) for start in (2**31, -(2**31), 2**31 + 1, 2**62, 2**63, -(2**63))),
]


def functions_of(name):
    """Return the functions that a right answer gets."""
    task = exercise(name)
    own = Answer(answer(name, solution(name)), task.seconds)
    calls = [call for outcome in run_checks(task, own, SEED) for call in outcome.calls]
    return [one for one in leaves([[call.args, call.kwargs] for call in calls]) if callable(one)]


def outcome(function, args, kwargs):
    """Return how a call ends: the error, or the shapes and dtypes of what comes back."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
    return [(x.shape, x.dtype) for x in leaves(result)]


@pytest.mark.parametrize("name", WITH_FUNCTIONS)
def test_all_that_an_exercise_passes_refuse_alike(name):
    functions, refusals = functions_of(name), set()
    for args, kwargs in CALLS:
        ends = [outcome(one, args, kwargs) for one in functions]
        refused = [end for end in ends if isinstance(end, tuple)]
        assert len(refused) in (0, len(ends)), (args, kwargs)  # all of them refuse it, or none
        refusals |= set(refused)
    assert len(refusals) == 1, "one refusal, whatever the call and the function"
    assert next(iter(refusals))[0] is TypeError


def test_a_message_can_repeat_a_refusal():
    for owner in (_spoiled_programs, clinic_rotation_test, equivariance_gap):
        assert len(owner.NEEDS.in_language("both", separator=" · ")) < QUOTED


def rotations():
    rng = torch.Generator().manual_seed(3)
    ropes = [lost.draw(rng) for _ in range(6)]
    broken = [fault(rope) for fault, _ in lost.FAULTS.values() for rope in ropes[:3]]
    return [*map(lost.right, ropes), *broken, lambda q, k, start=0: (q.clone(), k.clone())]


def test_right_and_broken_rotations_return_the_same_shapes_and_dtypes():
    needs, arguments = clinic_rotation_test.NEEDS, clinic_rotation_test._arguments
    functions = [Callback(program, needs, arguments) for program in rotations()]
    answered = 0
    for args, kwargs in CALLS:
        first, *others = (outcome(one, args, kwargs) for one in functions)
        assert all(other == first for other in others), (args, kwargs)
        answered += isinstance(first, list)
    assert 0 < answered < len(CALLS)


def test_no_program_raises_over_what_is_let_through():
    """Otherwise a learner with a right call would be told to mend it."""
    for args, kwargs in CALLS:
        try:
            accepted = clinic_rotation_test._arguments(*args, **kwargs)
        except Exception:
            continue
        for program in rotations():
            program(*accepted)


def test_no_function_of_a_sequence_raises_over_what_is_let_through():
    gap = equivariance_gap
    functions = (gap.cumulative_sum, gap.falling_sum, gap.times_place, gap.one_channel, torch.exp)
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        for shape in ((1, 1), (4, 3), (1, 5)):
            for f in (*functions, gap.self_attention):
                assert len(f(*gap._arguments(torch.zeros(shape, dtype=dtype)))) == shape[0]
