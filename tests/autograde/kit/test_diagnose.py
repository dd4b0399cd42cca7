"""A misconception is named when it does exactly what the answer did, and only then."""

from dataclasses import replace

import pytest
import torch

from autograde import check
from autograde.kit import scoring
from autograde.kit.answer import Call
from autograde.kit.catalogue import exercise
from autograde.kit.diagnose import MistakenCalls, explanations
from autograde.kit.exercise import Misconception
from autograde.kit.expect import expect, expect_dtype
from autograde.kit.expect_values import expect_close
from autograde.kit.scoring import evaluate
from autograde.kit.verdict_record import VerdictRecord
from autograde.notebook.report import NO_POINTS, report
from bilingual import Text


def misconception_of(answer):
    cause = evaluate(exercise("double"), answer).cause
    return cause.name if cause and cause.kind == "misconception" else None


def right_but_in_place(x):
    return x.mul_(2)


def raises(x):
    raise ValueError("x")


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda x: x * x, "squares"),
        (lambda x: x.double() ** 2, "squares"),
        (lambda x: torch.stack([value * value for value in x]), "squares"),
        (right_but_in_place, "in_place"),
        (lambda x: x * x + 1e-2, None),
        (lambda x: x, None),
        (lambda x: 2 * x, None),
        (raises, None),
        (None, None),
        (lambda: None, None),
    ],
)
def test_the_misconception_that_explains_the_answer(answer, name):
    assert misconception_of(answer) == name


@pytest.fixture
def of_dtype():
    """Return an exercise whose check of the dtype has numbers at which twice is the square."""
    task = replace(exercise("double"), checks=[*exercise("double").checks])
    task.check(en="keeps the dtype", zh="数据类型不变")(
        lambda answer, rng: expect_dtype(answer(torch.tensor([0.0, 2.0])), torch.float32)
    )
    return task


def test_right_numbers_of_a_wrong_dtype_are_not_a_misconception(of_dtype):
    assert evaluate(of_dtype, lambda x: 2 * x.double()).cause is None
    assert evaluate(of_dtype, lambda x: x.double() ** 2).cause.name == "squares"


def test_a_misconception_explains_every_call_or_none():
    x, y = torch.tensor([1.0, 3.0]), torch.tensor([2.0, 5.0])
    squared, other = Call((x,), {}, x * x), Call((y,), {}, y + 1)
    mistaken = MistakenCalls(exercise("double"))
    assert [one.name for one in explanations(mistaken, [squared])] == ["squares"]
    assert list(explanations(mistaken, [squared, other])) == []
    assert list(explanations(mistaken, [other, squared])) == []


def test_the_report_names_it_in_both_languages(capsys, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    check("double", lambda x: x * x)
    report = capsys.readouterr().out
    assert "➤ 很可能的原因：你求了平方。\n  Likely cause: You squared it.\n" in report
    assert 'hint("double")' in report


@pytest.mark.parametrize(
    ("size", "off", "alike"),
    [(1.0, 4e-4, True), (1e-2, 4e-4, False), (1e-2, 4e-6, True), (1e-7, 1e-7, True)],
)
def test_small_results_are_compared_more_closely_than_large_ones(size, off, alike):
    right, other = (Call((), {}, torch.tensor([0.0, x])) for x in (size, size + off))
    assert right.like(other, tolerance=1e-3) is alike


@pytest.mark.parametrize(
    ("right", "other", "alike"),
    [
        (torch.tensor([1.0, 300.0]).bfloat16(), torch.tensor([1.0078125, 302.0]).bfloat16(), True),
        (torch.tensor([1.0, 300.0]).bfloat16(), torch.tensor([1.015625, 300.0]).bfloat16(), False),
        (torch.tensor([1.0]).half(), torch.tensor([1.0]).bfloat16(), False),
        (torch.tensor([1.0]).half(), torch.tensor([1.0]), False),
        (torch.tensor([1, 0]), torch.tensor([True, False]), False),
        (torch.tensor([1.0]), torch.tensor([1.0]).double(), True),
        ((torch.tensor([1]), 2), (torch.tensor([1.0]), 2), False),
    ],
)
def test_results_are_alike_up_to_a_rounding_and_of_one_kind(right, other, alike):
    assert Call((), {}, right).like(Call((), {}, other), tolerance=1e-5) is alike


def test_what_does_not_count_of_a_result_hides_no_misconception():
    def lower_squares(x):
        return (x * x).tril() + 1e3 * torch.rand(len(x), len(x)).triu(1)

    task = replace(exercise("double"), checks=[], true_answer=lambda x: 2 * x)

    @task.check(en="right", zh="对")
    def lower(answer, rng):
        x = torch.rand(4, 4, generator=rng)
        expect_close(answer(x).tril(), 2 * x.tril())

    assert evaluate(task, lower_squares).cause is None
    task.counts(lambda result, x: result.tril())
    assert evaluate(task, lower_squares).cause.name == "squares"
    assert evaluate(task, lambda x: None).cause is None


def adds_three(x):
    return x + torch.zeros(len(x) + 3)


def multiplies_five(x):
    return x * torch.zeros(len(x) + 5)


def test_another_error_of_the_same_type_is_not_taken_for_a_misconception():
    sentence = Text(en="You added three.", zh="你加了三。")
    misconception = Misconception("adds_three", sentence, adds_three)
    task = replace(exercise("double"), misconceptions=[misconception])
    assert evaluate(task, adds_three).cause.name == "adds_three"
    assert evaluate(task, multiplies_five).cause.kind == "error"


def mending_task():
    """Return an exercise that mends `halves`, whose failing call cannot tell it from `first`."""
    halves = Misconception("unchanged", Text(en="Still broken.", zh="还是有错。"), lambda x: x / 2)
    task = replace(exercise("double"), checks=[], misconceptions=[halves])
    for name, numbers in (("ones", [1.0, 1.0]), ("zero", [0.0, 4.0])):

        def run(answer, rng, numbers=tuple(numbers)):
            x = torch.tensor(numbers)
            expect_close(answer(x)[:1], 2 * x[:1])

        run.__name__ = name
        task.check(en=name, zh=name)(run)
    return task


def test_code_is_called_unchanged_only_where_it_does_the_same_in_every_call():
    assert evaluate(mending_task(), lambda x: x / 2).cause.name == "unchanged"
    assert evaluate(mending_task(), lambda x: x[:1].expand(2) / 2).cause is None


@pytest.fixture
def mending():
    """Return an exercise whose broken code adds: right for 2, where it passes checks of weight 2.

    One of weight 1 for 3 and one of weight 3 for 5 are left to mend.
    """
    task = replace(exercise("double"), points=2, checks=[], misconceptions=[])
    task.misconception(en="Still broken.", zh="还是有错。")(unchanged)
    for number, weight in ((2, 2), (3, 1), (5, 3)):

        def run(answer, rng, number=number):
            expect(answer(number) == 2 * number, "no", "不对")

        run.__name__ = f"of_{number}"
        task.check(en=run.__name__, zh=run.__name__, weight=weight)(run)
    return task


def unchanged(x):
    return x + 2


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        (unchanged, 0.0),
        (lambda x: x + 2.003, 0.0),  # spoilt, and no longer what the broken code is named for
        (lambda x: 2 * x if x < 5 else x, 2 * 1 / 4),
        (lambda x: 2 * x if x != 3 else x, 2 * 3 / 4),
        (lambda x: 2 * x if x != 2 else x, 2 * (4 - 2) / 4),  # mended, and spoilt what worked
        (lambda x: 2 * x if x == 3 else x, 0.0),  # loses more than it gains
        (lambda x: 2 * x, 2.0),
    ],
)
def test_points_begin_at_what_the_broken_code_passes(mending, answer, points):
    assert evaluate(mending, answer).score == points


def test_a_report_marks_the_checks_that_earn_nothing(mending, monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "en")
    verdict = evaluate(mending, lambda x: 2 * x if x < 5 else x)
    stored = VerdictRecord.of(verdict)
    assert stored.unchanged == ("of_2",)
    assert VerdictRecord.from_json(stored.to_json()) == stored
    lines = report(verdict).splitlines()
    assert [line for line in lines if "passes unchanged" in line] == ["✓ of_2 (passes unchanged)"]
    assert str(NO_POINTS) in lines
    assert str(NO_POINTS) not in report(evaluate(mending, lambda x: 2 * x))


def test_a_missing_key_in_one_check_does_not_hide_the_mistake_in_another():
    wrong = Misconception(
        "added", Text(en="Added.", zh="加了。"), lambda entry: entry.get("a", 0) + 1
    )
    task = replace(exercise("double"), checks=[], misconceptions=[wrong])
    for name, entry in (("there", {"a": 5}), ("missing", {})):

        def run(answer, rng, entry=entry):
            expect(answer(entry) == 2 * entry.get("a", 0), "no", "不对")

        run.__name__ = name
        task.check(en=name, zh=name)(run)
    assert evaluate(task, lambda entry: entry["a"] + 1).cause.name == "added"
    assert evaluate(task, lambda entry: entry["a"] * 2).cause.name == "KeyError"


def test_what_misconceptions_look_at_alike_is_looked_at_once():
    looks = []

    def look(x):
        looks.append(x)
        return x.sum()

    task = replace(exercise("double"), checks=[], misconceptions=[])
    for name in ("first", "second"):

        def one_more(total):
            return total + 1

        one_more.__name__ = name
        task.misconception(en=f"{name}.", zh=f"{name}。", look=look)(one_more)
    calls = [Call((torch.ones(2),), {}, torch.tensor(3.0))]
    assert len([*explanations(MistakenCalls(task), calls)]) == 2
    assert len(looks) == 1
    assert task.misconceptions[0].answer(torch.ones(2)) == 3.0


def test_a_check_that_counts_calls_is_run_again():
    def once(program):
        return program()

    def twice(program):
        return program() and program()

    task = replace(exercise("double"), checks=[], misconceptions=[])
    task.misconception(en="Once.", zh="一次。")(once)
    task.misconception(en="Twice.", zh="两次。")(twice)

    def economy(answer, rng):
        runs = []
        expect(answer(lambda: runs.append(1) or True), "no", "不对")
        expect(len(runs) == 1, "too often", "太多")

    task.check(en="economy", zh="economy", counts_calls=True)(economy)
    assert evaluate(task, twice).cause.name == "twice"


def test_a_diagnosis_that_never_ends_names_nothing():
    def endless(x):
        while True:
            print("still here")

    task = replace(exercise("double"), misconceptions=[], seconds=0.2)
    task.misconception(en="Endless.", zh="没完没了。")(endless)
    assert evaluate(task, lambda x: x + 1).cause is None


def test_what_a_misconception_prints_is_not_shown(capsys):
    def loud(x):
        print("here")
        return x + 1

    task = replace(exercise("double"), misconceptions=[])
    task.misconception(en="Loud.", zh="很吵。")(loud)
    assert evaluate(task, lambda x: x + 1).cause.name == "loud"
    assert capsys.readouterr().out == ""


def test_a_fault_of_the_diagnosis_costs_no_verdict(monkeypatch):
    def fault(*outcomes):
        raise NotImplementedError("round_vml_cpu")

    monkeypatch.setattr(scoring, "_diagnose", fault)
    with pytest.warns(RuntimeWarning, match="no diagnosis: NotImplementedError"):
        verdict = scoring.evaluate(exercise("double"), lambda x: x)
    assert not verdict.full
    assert verdict.cause is None


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_nested_tensor_which_has_no_strides_is_like_no_other():
    nested = torch.nested.nested_tensor([torch.ones(2)])
    calls = [Call((torch.ones(1, 2),), {}, nested)]
    (squares,) = (one for one in exercise("double").misconceptions if one.name == "squares")
    assert not MistakenCalls(exercise("double")).returns_as(squares, calls)


def test_the_truth_is_asked_once_about_a_call():
    questions = []
    task = replace(exercise("double"), true_answer=lambda x: questions.append(x) or 2 * x)
    mistaken, calls = MistakenCalls(task), [Call((torch.ones(2),), {}, torch.ones(2))]
    assert mistaken.pairs_of(calls)[0] is mistaken.pairs_of(calls)[0]
    assert len(questions) == 1
