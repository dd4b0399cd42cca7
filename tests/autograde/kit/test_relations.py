"""A relation that was planted is named, whatever the numbers; noise never is."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograde.kit.exercise import Exercise
from autograde.kit.expect import expect, expect_dtype
from autograde.kit.expect_values import expect_close
from autograde.kit.scoring import evaluate
from bilingual import Text

WORDS = Text(en="x", zh="x")
seeds = st.integers(0, 10**6)
often = settings(max_examples=6, deadline=None)


def exercise_of(truth, *inputs, signature="f(x) -> y"):
    """Return an exercise with one check: each result equals the truth, dtype and shape aside."""
    task = Exercise("t", "c", WORDS, WORDS, signature, 2, 1, 1, ())
    task.truth(truth)

    @task.check(en="is right", zh="正确")
    def right(answer, rng):
        results = [(answer(*one), truth(*one)) for one in inputs]
        equal = [
            isinstance(a, torch.Tensor)
            and a.shape == b.shape
            and torch.allclose(a.double(), b.double(), equal_nan=True)
            for a, b in results
        ]
        expect(all(equal), "no", "不对")

    return task


def relation_of(truth, answer, *inputs):
    """Return the name of the relation found and its English sentence."""
    cause = evaluate(exercise_of(truth, *inputs), answer).cause
    return (cause.name, cause.sentence.en) if cause else (None, "")


def table(x):
    return x.sin() + 0.3 * x**2 - x.roll(1, -1)


def draw(seed, *shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def interleaved(t):
    return t.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)


PLANTED = {
    "minus": (lambda t: -t, "factor", "other sign"),
    "twice": (lambda t: 2 * t, "factor", "2 times"),
    "some factor": (lambda t: 3.7 * t, "factor", "3.7 times"),
    "width": (lambda t: t * t.shape[-1] ** 0.5, "factor", "√x.shape[-1] times"),
    "mean of pairs": (lambda t: t * 2 / t.shape[-1], "factor", "2/x.shape[-1] times"),
    "NaN everywhere": (lambda t: t * math.nan, "uniform", "print the first step"),
    "infinity everywhere": (lambda t: t * 0 - math.inf, "uniform", "an exp that overflows"),
    "one more": (lambda t: t + 1, "constant", "1 more"),
    "something less": (lambda t: t - 0.37, "constant", "0.37 less"),
    "absolute": (torch.abs, "function_of_truth", "absolute value of the right one"),
    "softmax": (lambda t: t.softmax(-1), "function_of_truth", "softmax of the right one"),
    "exponential": (torch.exp, "function_of_truth", "exp of the right one"),
    "mean": (lambda t: t.mean(0), "function_of_truth", "mean of the right one along axis -2"),
    "transposed": (lambda t: t.mT, "transposed", "right one transposed"),
    "reversed": (lambda t: t.flip(-1), "moved", "along the last axis, in reverse"),
    "rows reversed": (lambda t: t.flip(0), "moved", "along axis -2, in reverse"),
    "rolled": (lambda t: t.roll(1, 0), "moved", "one place further on"),
    "interleaved": (interleaved, "moved", "interleaved, where the right one is half-split"),
    "shifted": (
        lambda t: torch.cat((t[1:], torch.zeros_like(t[:1]))),
        "shifted",
        "holds what belongs at i + 1",
    ),
    "shuffled": (lambda t: t[[3, 0, 4, 2, 5, 1]], "permuted", "3, 0, 4, 2, 5, 1"),
    "one short": (lambda t: t[:-1], "cut", "beginning of the right one"),
    "an axis more": (lambda t: t[None], "squeezed", "too many"),
    "flattened": (torch.flatten, "reshaped", "in order"),
    "cut": (lambda t: (3 * t).trunc() / 3 * 0 + t.trunc(), None, ""),
    "bfloat16": (lambda t: t.bfloat16().double(), "rounded", "bfloat16"),
    "float16": (lambda t: t.half().double(), "rounded", "float16"),
    "integers": (lambda t: t.long(), "integers", "integer dtype"),
    "first row": (
        lambda t: torch.cat((t[:1], t[1:] + torch.linspace(1, 2, 36)[6:].reshape(5, 6))),
        "in_places",
        "only at index 0",
    ),
    "signs": (lambda t: t * torch.tensor([1.0, -1, 1, 1, -1, 1]), "signs", "but for the sign"),
}


@often
@given(seeds)
@pytest.mark.parametrize("name", [name for name in PLANTED if PLANTED[name][1]])
def test_what_was_done_to_the_result_is_named(name, seed):
    change, relation, words = PLANTED[name]
    inputs = [(draw(seed, 6, 6),), (draw(seed + 1, 6, 6),)]
    actual, sentence = relation_of(table, lambda x: change(table(x)), *inputs)
    assert actual == relation
    assert words in sentence


def attention(q, k):
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1)


def angles(positions, dim, base=10000.0):
    return positions[:, None].double() * base ** (-torch.arange(0, dim, 2).double() / dim)


def waves(positions, dim, base=10000.0):
    return torch.stack((angles(positions, dim, base).sin(), angles(positions, dim, base).cos()), -1)


CHANGED = {
    "one further": (lambda p, d, b=1e4: waves(p + 1, d, b), "`positions` + 1"),
    "one back": (lambda p, d, b=1e4: waves(p - 1, d, b), "`positions` − 1"),
    "rows": (lambda p, d, b=1e4: waves(torch.arange(len(p)), d, b), "0, 1, 2, … in place of"),
    "integers": (lambda p, d, b=1e4: waves(p.long(), d, b), "cut to whole numbers"),
    "base": (lambda p, d, b=1e4: waves(p, d), "`base` = 10000 whatever is passed"),
    "distance": (lambda p, d, b=1e4: waves(p.abs(), d, b), "absolute value of `positions`"),
}


@often
@given(seeds)
@pytest.mark.parametrize("name", CHANGED)
def test_what_was_done_to_an_input_is_named(name, seed):
    answer, words = CHANGED[name]
    inputs = [(5 * draw(seed, 7), 8, 50.0), (9 * draw(seed + 1, 4), 6, 300.0)]
    for positions, _, _ in inputs:
        positions[0] = -1 - positions[0].abs()  # of others the absolute value changes nothing
    assert words in relation_of(waves, answer, *inputs)[1]


@often
@given(seeds)
def test_exchanged_inputs_and_a_missing_scale_are_named(seed):
    inputs = [(draw(seed, 4, 8), draw(seed + 1, 5, 8)), (draw(seed, 3, 4), draw(seed + 2, 3, 4))]
    assert (
        "`q` and `k` exchanged" in relation_of(attention, lambda q, k: attention(k, q), *inputs)[1]
    )
    actual = relation_of(attention, lambda q, k: (q @ k.T).softmax(-1), *inputs)
    assert "√" in actual[1]


def alibi(slopes, length):
    distance = torch.arange(length) - torch.arange(length)[:, None]
    bias = slopes[:, None, None] * distance.double()
    return bias.masked_fill(distance > 0, -torch.inf)


@often
@given(seeds)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda s, n: alibi(s, n).nan_to_num(neginf=0.0), "yours is 0"),
        (lambda s, n: alibi(s, n).nan_to_num(neginf=-1e9), "a large negative number"),
        (lambda s, n: alibi(s, n) + torch.ones(n, n).triu(1) * -torch.inf, "0·∞ is NaN"),
        (lambda s, n: alibi(s, n).mT, "last two axes swapped"),
    ],
)
def test_what_happened_to_a_mask_is_named(answer, words, seed):
    inputs = [(draw(seed, 3).abs() + 0.1, 5), (draw(seed + 1, 2).abs() + 0.1, 7)]
    assert words in relation_of(alibi, answer, *inputs)[1]


def test_a_mask_the_wrong_way_round_is_named():
    def mask(x):
        return x > 0.3

    inputs = [(draw(1, 8, 8),), (draw(2, 8, 8),)]
    assert relation_of(mask, lambda x: ~mask(x), *inputs)[0] == "inverted"


@settings(max_examples=40, deadline=None)
@given(seeds, st.lists(st.integers(1, 7), min_size=0, max_size=3))
def test_noise_is_never_named(seed, shape):
    noise = iter(range(seed + 10, seed + 10**6))
    inputs = [(draw(seed, *shape),), (draw(seed + 1, *shape),)]

    def truth(x):
        return x.sin() + 0.3 * x**2

    assert relation_of(truth, lambda x: draw(next(noise), *shape), *inputs) == (None, "")


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(6, 9))  # of 4 rows, one in 10 000 hides nothing that is to be seen
def test_a_random_mask_is_never_named(seed, size):
    noise = iter(range(seed + 10, seed + 10**6))
    inputs = [(draw(seed, size, size),), (draw(seed + 1, size, size),)]
    answer = lambda x: draw(next(noise), size, size) > 0
    assert relation_of(lambda x: x > 0, answer, *inputs) == (None, "")


@often
@given(seeds)
def test_the_right_answer_has_no_cause(seed):
    inputs = [(draw(seed, 6, 6),), (draw(seed + 1, 2, 3),)]
    assert relation_of(table, lambda x: table(x) + 1e-12, *inputs) == (None, "")


def test_a_symmetric_truth_is_not_called_transposed():
    inputs = [(draw(3, 4, 4),), (draw(4, 5, 5),)]
    gram = relation_of(lambda x: x @ x.T, lambda x: -(x @ x.T).T, *inputs)
    assert gram[0] == "factor"


def test_one_number_is_not_evidence_for_a_factor():
    def total(x):
        return x.sum()

    assert relation_of(total, lambda x: 3.7 * total(x), (draw(1, 4),)) == (None, "")
    three = [(draw(seed, 4),) for seed in range(4)]
    assert relation_of(total, lambda x: 2 * total(x), *three)[0] == "factor"


def test_a_relation_of_one_call_alone_is_not_named():
    def answer(x):
        return -table(x) if len(x) == 6 else table(x) * table(x) + 0.1

    assert relation_of(table, answer, (draw(1, 6, 6),), (draw(2, 5, 6),)) == (None, "")


def test_an_item_of_several_is_named_by_its_place():
    def both(x):
        return table(x), x.cos()

    actual = relation_of(both, lambda x: (table(x), -x.cos()), (draw(1, 6, 6),))
    assert actual == (
        "factor",
        "Item [1] of what you return: Your result is the right one with the other sign, "
        "everywhere.",
    )


def test_where_the_result_is_right_is_named_where_inputs_tell():
    def answer(x, start):
        return table(x) if start == 0 else draw(int(start), *x.shape)

    inputs = [(draw(n, 3, 4), n % 2 * n) for n in range(8)]
    truth = lambda x, start: table(x)
    assert relation_of(truth, answer, *inputs)[1] == (
        "Your result is right where `start` is 0, and wrong in every other call."
    )


def clockwise(x, angles):
    """Turn neighbours by minus the angle."""
    c, s = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c + b * s, b * c - a * s), -1).flatten(-2)


def anticlockwise(x, angles):
    return clockwise(x, -angles)


def stretched(x, angles):
    return anticlockwise(x, 2 * angles) * angles.shape[-1]


TWO = {
    "twice": (lambda x, a: 2 * clockwise(x, a), "clockwise_and_named_factor"),
    "transposed": (lambda x, a: clockwise(x, a).mT, "clockwise_and_transposed"),
    "half-split": (lambda x, a: clockwise(x, a).unflatten(-1, (-1, 2)).mT.flatten(-2),
                   "clockwise_and_moved"),
    "first row": (lambda x, a: clockwise(x, a[:1].expand_as(a)), "clockwise_and_input_angles"),
    "two inputs": (lambda x, a: -anticlockwise(x, a[:1].expand_as(a)),
                   "input_angles_and_named_factor"),
}  # fmt: skip


def of_rotations(seed):
    inputs = [
        (draw(seed, rows, 6), 3 * draw(seed + rows, rows, 3) + torch.arange(3.0)) for rows in (5, 4)
    ]
    task = exercise_of(anticlockwise, *inputs, signature="f(x, angles) -> y")
    task.misconception(en="You turned clockwise.", zh="你转成了顺时针。")(clockwise)
    task.misconception(en="Stretched.", zh="拉长了。")(stretched)
    return task


@often
@given(seeds)
@pytest.mark.parametrize("name", TWO)
def test_two_mistakes_at_once_are_named(name, seed):
    answer, cause = TWO[name]
    actual = evaluate(of_rotations(seed), answer).cause
    assert actual.name == cause
    assert actual.sentence.en.startswith("Two things together give your result. One: ")


def test_a_right_shape_is_not_the_second_of_two_mistakes():
    inputs = [(draw(rows, rows, 6), 3 * draw(9 + rows, rows, 3)) for rows in (5, 4)]
    task = exercise_of(anticlockwise, *inputs, signature="f(x, angles) -> y")
    task.misconception(en="Columns.", zh="成了列。")(lambda x, a: clockwise(x, a).mT.contiguous())
    cause = evaluate(task, lambda x, a: clockwise(x, a).mT.reshape(x.shape)).cause
    assert cause is None or "reshaped" not in cause.name


def test_a_misconception_that_appends_to_a_list_of_its_inputs_spoils_no_other_call():
    lists = []
    inputs = [(draw(rows, rows, 6), 3 * draw(9 + rows, rows, 3), []) for rows in (5, 4)]
    truth = lambda x, angles, done: anticlockwise(x, angles)
    task = exercise_of(truth, *inputs, signature="f(x, angles, done) -> y")

    @task.misconception(en="You turned clockwise.", zh="你转成了顺时针。")
    def mistake(x, angles, done):
        lists.append([*done])
        done.append(1)
        return clockwise(x, angles)

    cause = evaluate(task, lambda x, a, done: clockwise(x, a[:1].expand_as(a))).cause
    assert cause.name == "mistake_and_input_angles"
    assert not any(lists)


@often
@given(seeds)
def test_noise_is_not_two_mistakes(seed):
    assert evaluate(of_rotations(seed), lambda x, a: draw(seed + 99, *x.shape)).cause is None


def strict_exercise():
    """Return an exercise that wants whole numbers as float32, and the truth in them."""
    task = exercise_of(lambda x: x.round().float())

    @task.check(en="in float32", zh="float32")
    def in_float32(answer, rng):
        x = 10 * draw(1, 4, 5)
        expect_close(expect_dtype(answer(x), torch.float32), x.round().float())

    return task


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda x: x.round(), "dtype"),
        (lambda x: x.round().long(), "dtype"),
        (lambda x: x.round().bfloat16(), "dtype"),  # small integers lose nothing there
        (lambda x: x.round() + 0.7 * x.sin(), None),
        (lambda x: x, "an_input"),
    ],
)
def test_a_dtype_is_named_where_a_cast_mends_it(answer, expected):
    cause = evaluate(strict_exercise(), answer).cause
    assert (cause and cause.name) == expected


@pytest.mark.parametrize(
    ("answer", "is_named"),
    [
        (lambda x: (2 * x).tolist(), True),
        (lambda x: tuple(2 * x), True),
        (lambda x: [*(2 * x).T], True),  # columns
        (lambda x: (3 * x).tolist(), False),
        (lambda x: [[1.0], [2.0, 3.0]], False),
        (lambda x: [], False),
        (lambda x: (False, []), False),
        (lambda x: [10**400] * 3, False),
    ],
)
def test_right_numbers_in_a_list_are_told(answer, is_named):
    task = exercise_of(lambda x: 2 * x, (draw(3, 4),))
    cause = evaluate(task, answer).cause
    assert (cause is not None and cause.name == "list") is is_named


def test_right_numbers_in_another_dtype_are_not_a_misconception_with_almost_the_same():
    task = strict_exercise()
    task.misconception(en="a little off", zh="略有偏差")(lambda x: x.round().float() + 3e-4)
    assert evaluate(task, lambda x: x.round()).cause.name == "dtype"


def test_the_dtype_of_one_of_two_results_is_named():
    task = exercise_of(lambda x: (x, x.round().long()))
    task.check(en="int64", zh="int64")(lambda f, rng: expect_dtype(f(draw(1, 5))[1], torch.int64))
    cause = evaluate(task, lambda x: (x, x.round())).cause
    assert cause.name == "dtype"
    assert "expected int64" in cause.sentence.en


@pytest.mark.parametrize(
    ("dtype", "answer"),
    [
        (torch.float16, lambda x: table(x).bfloat16()),
        (torch.float16, lambda x: table(x).bfloat16().half()),
        (torch.float16, lambda x: table(x.float()).bfloat16().half()),
        (torch.float32, lambda x: table(x).half().float()),
    ],
)
def test_a_rounding_on_the_way_is_named_before_a_misconception_as_near(dtype, answer):
    x = draw(1, 6, 6).sin() / 9
    task = exercise_of(lambda x: table(x).to(dtype), (x,))
    task.misconception(en="a little off", zh="略有偏差")(lambda x: (table(x) + 6e-5).to(dtype))
    assert evaluate(task, answer).cause.name == "rounded"


def doubles_in_place(x):
    return x.mul_(2)


def shifts_in_place(x):
    return x.mul_(2) + 1


def test_an_input_that_is_changed_is_named_where_the_results_are_right():
    inputs = [(draw(seed, 3, 4),) for seed in (1, 2)]
    assert relation_of(lambda x: 2 * x, doubles_in_place, *inputs)[0] == "in_place"
    assert relation_of(lambda x: 2 * x, shifts_in_place, *inputs)[0] is None


def counting_task():
    """Return an exercise that wants two ints."""
    truth = lambda x: (len(x), 2 * len(x))
    task = Exercise("t", "c", WORDS, WORDS, "f(x) -> (int, int)", 2, 1, 1, ())
    task.truth(truth)

    @task.check(en="counts", zh="计数")
    def right(answer, rng):
        got = answer(torch.zeros(3))
        expect(got == truth(torch.zeros(3)) and all(type(one) is int for one in got), "no", "不对")

    return task


def test_floats_are_named_where_ints_are_asked():
    assert evaluate(counting_task(), lambda x: (len(x), len(x) / 0.5)).cause.name == "floats"
    assert evaluate(counting_task(), lambda x: (len(x), len(x) / 0.25)).cause is None


def test_two_items_with_one_relation_are_named_together():
    inputs = [(draw(seed, 3, 4),) for seed in (1, 2)]
    task = exercise_of(lambda x: (x, 2 * x), *inputs)
    cause = evaluate(task, lambda x: (x + 1, 2 * x + 1)).cause
    assert "Items [0], [1] of what you return, each:" in cause.sentence.en


def test_positions_are_looked_for_in_every_call():
    inputs = [(torch.tensor(at),) for at in ([1.0], [4.0, 5.0, 9.0], [7.0, 3.0])]
    answer = lambda x: table(x - x[..., :1])
    assert relation_of(table, answer, *inputs)[0] == "input_x"


def test_a_shift_explains_positions_and_no_order_that_leaves_its_range():
    """Row −1 is the last row: one less is the inverse of [2, 0, 1]."""

    def name(table, *orders):
        rows = lambda x: table[x]
        return relation_of(rows, lambda x: rows(x - 1), *[(torch.tensor(x),) for x in orders])[0]

    assert name(torch.eye(3), *[[2, 0, 1]] * 3) is None
    assert name(draw(1, 9, 3), [0], [0, 1, 2]) == "input_x"


def test_what_is_true_of_most_mistakes_explains_none():
    inputs = [(draw(seed, 6, 6),) for seed in (1, 2)]
    first_row = lambda x: torch.cat((table(x)[:1], draw(9, *x[1:].shape)))
    assert evaluate(exercise_of(table, *inputs), first_row).cause.name == "in_places"
    task = exercise_of(table, *inputs)
    for noise in (10, 11):
        task.misconception(en="x", zh="x")(
            lambda x, noise=noise: torch.cat((table(x)[:1], draw(noise, *x[1:].shape)))
        )
        task.misconceptions[-1] = replace(task.misconceptions[-1], name=f"noise_{noise}")
    assert evaluate(task, first_row).cause is None


class Strange:
    def __len__(self):
        raise ValueError("no length")


HOSTILE = [
    lambda x: None,
    lambda x: Strange(),
    lambda x: [[[[[x]]]]],
    lambda x: dict.fromkeys(range(10**4), x),
    lambda x: "x" * 10**6,
    lambda x: 10**400,
    lambda x: math.nan,
    lambda x: x.to_sparse(),
    lambda x: x.to("meta"),
    lambda x: x.to(torch.complex128),
    lambda x: x.float().expand(10**9, 6, 6),
    lambda x: torch.quantize_per_tensor(x.float(), 1, 0, torch.qint8),
    lambda x: x * math.nan,
    lambda x: x * math.inf,
    lambda x: x[:0],
    lambda x: x.new_empty(0, 10**7),
    lambda x: torch.nested.nested_tensor([x, x[:2]]),
    lambda x: table(x).requires_grad_() * 7 + x,
]


@pytest.mark.parametrize("answer", HOSTILE)
def test_a_strange_result_breaks_nothing(answer):
    verdict = evaluate(exercise_of(table, (draw(1, 6, 6),), (draw(2, 5, 6),)), answer)
    assert verdict.score == 0
    assert verdict.cause is None or verdict.cause.kind in ("relation", "error")


def test_sizes_that_do_not_fit_the_truth_raise_nothing():
    def truth(x, n):
        return x.reshape(n, -1).cumsum(1)

    assert relation_of(truth, lambda x, n: -truth(x, n), (draw(1, 12), 3))[0] == "factor"
    assert relation_of(truth, lambda x, n: draw(5, 3, 4), (draw(1, 12), 3)) == (None, "")


def test_the_truth_is_called_a_bounded_number_of_times():
    calls = []

    def truth(a, b, c, d, e):
        calls.append(1)
        return a.sin() + b * c - d @ e

    inputs = tuple(draw(n, 5, 5) for n in range(5))
    assert relation_of(truth, lambda *x: draw(9, 5, 5), inputs) == (None, "")
    assert len(calls) < 300
