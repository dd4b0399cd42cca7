"""Whatever a learner's function does, the kit gives a reason in both languages and goes on."""

import os
import sys
import threading
import time
import warnings
from dataclasses import replace

import pytest
import torch

from autograde import check
from autograde.kit.answer import Answer
from autograde.kit.catalogue import exercise
from autograde.kit.expect import Wrong
from autograde.kit.expect_values import expect_close
from autograde.kit.scoring import evaluate
from autograde.kit.verdict import Outcome, Verdict
from autograde.notebook.report import report
from bilingual import Text

pytestmark = pytest.mark.usefixtures("no_collection")
X = torch.arange(3.0)
FIRST = torch.full((1,), 2.0)


def raises(x):
    return x + undefined  # noqa: F821 - the point of it


def exits(x):
    sys.exit(3)


def stops_the_loop(x):
    raise GeneratorExit


def recurses(x):
    return recurses(x)


def loops(x):
    while True:
        pass


def swallows(x):
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            continue


def swallows_twice(x):
    def inner():
        while True:
            try:
                x.sum()
            except BaseException:
                continue

    try:
        inner()
    except Exception:
        return x


def sleeps(x):
    time.sleep(60)


def loops_in_torch(x):
    while True:
        x = torch.sin(x)


def changes_input(x):
    x += 0.5
    return x


def two_arguments(x, y):
    return x * 2


class Doubler:
    def __init__(self, x):
        self.x = 2 * x


class Silent(Exception):
    def __str__(self):
        return ""


def raises_silently(x):
    raise Silent


def raises_lines(x):
    raise ValueError("oops\n\n✓ all passed\n3 / 3")


def raises_torch(x):
    return x.view(7)


WRONG = [
    (raises, "NameError: name 'undefined' is not defined — return x + undefined", "运行时抛出"),
    (raises_silently, "it raised Silent", "运行时抛出Silent"),
    (raises_lines, "it raised ValueError: oops ✓ all passed 3 / 3 — raise", "ValueError"),
    (raises_torch, "shape '[7]' is invalid", "return x.view(7)"),
    (exits, "SystemExit: 3", "运行时抛出SystemExit"),
    (stops_the_loop, "GeneratorExit", "运行时抛出GeneratorExit"),
    (recurses, "RecursionError", "运行时抛出RecursionError"),
    (changes_input, "changes its input in place", "原地修改了输入"),
    (two_arguments, "missing 1 required positional argument: 'y'", "TypeError"),
    (Doubler, "returned a Doubler, expected a torch.Tensor", "返回了Doubler"),
    (3, "expected a function, got an int", "应为函数，却是int"),
    (None, "expected a function, got a NoneType", "应为函数"),
    (X, "expected a function, got a Tensor", "应为函数"),
    (lambda x: None, "returned None: does every path", "是不是有哪条路径漏了`return`"),
    (lambda x: [2.0, 4.0], "returned a list", "返回了list"),
    (lambda x: (2 * x, (x, [x])), "returned a tuple", "返回了tuple"),
    (lambda x: (2 * x).numpy(), "returned an ndarray", "返回了ndarray"),
    (lambda x: 2 * x * float("nan"), "contains NaN at [0]", "结果中有NaN"),
    (lambda x: 2 * x / 0, "contains ∞ at [0]", "结果中有∞"),
    (lambda x: FIRST.expand(10**7 + 1), "huge: shape (10000001,)", "结果大得离谱"),
    (lambda x: torch.empty(10**6, 10**9, device="meta"), "huge", "结果大得离谱"),
    (lambda x: torch.zeros(10**15), "RuntimeError", "RuntimeError"),
    (lambda x: (2 * x).to_sparse(), "sparse", "稀疏"),
    (lambda x: 2 * x.to(torch.complex64), "dtype is torch.complex64", "dtype为torch.complex64"),
    (
        lambda x: torch.empty_like(x, device="meta"),
        "cannot be checked (NotImplementedError",
        "返回的结果无法检查",
    ),
    (lambda x: torch.quantize_per_tensor(x, 1, 0, torch.qint8), "cannot be", "无法"),
]


ENDLESS = [loops, swallows, swallows_twice, sleeps, loops_in_torch]


def reasons(verdict):
    return [outcome.reason for outcome in verdict.outcomes if outcome.reason]


@pytest.mark.parametrize(("answer", "en", "zh"), WRONG)
def test_a_wrong_answer_gets_a_reason_in_both_languages(answer, en, zh, capsys):
    verdict = evaluate(exercise("double"), answer)
    assert verdict.score < 2
    assert en in reasons(verdict)[-1].en
    assert zh in reasons(verdict)[-1].zh
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("answer", ENDLESS)
def test_an_answer_that_never_ends_is_ended(answer):
    verdict = evaluate(replace(exercise("double"), seconds=0.3), answer)
    assert verdict.score == 0
    assert verdict.cause is None
    assert "no result after 0.3 s" in reasons(verdict)[0].en
    assert "0.3秒后仍没有结果" in reasons(verdict)[0].zh


def test_each_check_says_at_which_line_the_time_was_up():
    verdict = evaluate(replace(exercise("double"), seconds=0.3), sleeps)
    assert {one.en.partition(" — ")[2] for one in reasons(verdict)} == {"time.sleep(60)"}


def test_a_result_in_place_of_a_function_is_explained():
    words = report(evaluate(exercise("double"), X))
    assert "➤ `check` takes the function itself, not its result" in words


def test_the_time_of_all_calls_is_added(monkeypatch):
    now = iter(range(0, 1000, 10))  # each call takes ten seconds by this clock
    answer = Answer(lambda x: 2 * x, seconds=35)
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: next(now))
        for _ in range(4):
            answer(X)
        with pytest.raises(Wrong, match="no result after 35 s"):
            answer(X)
    assert answer.spent == 40


def test_checks_count_by_their_weight():
    def right_shape(x):
        return x.clone()

    assert evaluate(exercise("double"), right_shape).score == 2 * 1 / 4  # the other weighs 3


def test_points_that_a_teacher_sets_replace_the_exercises_own(capsys):
    assert check("double", lambda x: 2 * x, points=5) == 5.0
    assert check("double", lambda x: x.clone(), points=5) == 5 * 1 / 4


@pytest.mark.parametrize(
    ("passed", "points", "score"),
    [(1, 1, 0.25), (5, 1, 0.75), (1, 3, 0.5), (5, 3, 2.5), (1, 0.2, 0.0), (6, 0.2, 0.2)],
)
def test_points_come_in_quarters_and_all_of_them_only_for_all_checks(passed, points, score):
    one = exercise("double").checks[0]
    outcomes = tuple(Outcome(one, Text("no", "不") if n >= passed else None, ()) for n in range(6))
    task = replace(exercise("double"), points=points)
    actual = Verdict(task, outcomes, False, None, "").score
    assert actual == score
    assert type(actual) is float


def followed(x):
    coefficient = torch.tensor(2.0, requires_grad=True)
    return x * coefficient


def test_a_result_that_autograd_follows_may_be_fed_back():
    task = replace(exercise("double"), checks=[])

    @task.check(en="four times", zh="四倍")
    def twice(answer, rng):
        expect_close(answer(answer(X)), 4 * X)

    assert evaluate(task, followed).full


def test_once_the_time_is_spent_the_answer_is_not_called_again():
    called = []

    def counts(x):
        called.append(x)
        time.sleep(60)

    verdict = evaluate(replace(exercise("double"), seconds=0.3), counts)
    assert len(called) == 1
    assert len(reasons(verdict)) == 2


@pytest.mark.parametrize("answer", [loops, swallows, sleeps, loops_in_torch])
def test_the_time_is_limited_on_other_threads_too(answer, monkeypatch):
    verdicts = []
    short = replace(exercise("double"), seconds=0.3)
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.4)))
    thread = threading.Thread(target=lambda: verdicts.append(evaluate(short, answer)), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    assert "no result" in reasons(verdicts[0])[0].en


def prints(x):
    print("a" * 5000)
    print("to stderr", file=sys.stderr)
    warnings.warn("a warning of Python", stacklevel=2)
    torch.meshgrid(x, x)  # warns: indexing is not given
    torch.view_as_complex(torch.stack((x, x), -1)).to(torch.float32)  # warns: imaginary part
    return 2 * x


class Module(torch.nn.Module):
    def forward(self, x):
        return 2 * x


class Callable:
    def __call__(self, x):
        return 2 * x


@pytest.mark.parametrize(
    "answer",
    [
        prints,
        lambda x: 2 * x,
        lambda x: 2 * x.double(),
        lambda x: (2 * x).requires_grad_(),
        lambda x: torch.nn.Parameter(2 * x),
        lambda x, *, scale=2: scale * x,
        Module(),
        Callable(),
        torch.jit.ignore(lambda x: x + x),
    ],
)
def test_a_right_answer_is_right_however_it_is_computed(answer, capsys):
    assert evaluate(exercise("double"), answer).score == 2.0
    assert capsys.readouterr() == ("", "")


def test_a_reason_shared_by_checks_is_reported_once(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    text = report(evaluate(exercise("double"), raises))
    assert text.count("NameError") == 2  # in each language
    assert text.count("for the same reason") == text.count("原因同上") == 1


def test_what_the_function_prints_is_shown_and_cut(capsys):
    assert check("double", prints) == 2.0
    printed = capsys.readouterr()
    assert "Your function printed:\naaa" in printed.out
    assert printed.out.count("a" * 100) == 20
    assert printed.err == ""


def test_a_flood_of_prints_is_not_kept(capsys):
    def floods(x):
        while True:
            print("water" * 1000)

    verdict = evaluate(replace(exercise("double"), seconds=0.5), floods)
    assert len(verdict.printed) == 2001
    assert "no result" in reasons(verdict)[0].en


def test_file_descriptors_are_restored():
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        evaluate(exercise("double"), raises)
    assert len(os.listdir("/dev/fd")) == before


def test_a_keyboard_interrupt_is_passed_on():
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("double", interrupted)


def test_a_stub_is_unsolved_and_a_reason_of_ones_own_is_not():
    def stub(x):
        raise NotImplementedError

    def explained(x):
        raise NotImplementedError("only on Tuesdays")

    assert evaluate(exercise("double"), stub).unsolved
    assert not evaluate(exercise("double"), explained).unsolved
    assert "only on Tuesdays" in reasons(evaluate(exercise("double"), explained))[0].en


@pytest.mark.parametrize("unwritten", [1, 2])
def test_a_branch_that_is_still_the_stub_costs_its_check_alone(unwritten):
    calls = []

    def half_written(x):
        calls.append(x)
        if len(calls) == unwritten:
            raise NotImplementedError
        return 2 * x

    verdict = evaluate(exercise("double"), half_written)
    assert not verdict.unsolved
    assert verdict.score == {1: 2 * 3 / 4, 2: 2 * 1 / 4}[unwritten]  # the second check weighs 3
    assert reasons(verdict)[0].en == "it raised NotImplementedError — raise NotImplementedError"


def test_an_answer_that_does_anything_else_is_not_a_stub():
    errors = iter([ValueError, NotImplementedError])

    def never_returns(x):
        raise next(errors)

    assert not evaluate(exercise("double"), never_returns).unsolved


def test_streams_warnings_and_tracing_are_as_they_were():
    before = (sys.stdout, sys.stderr, sys.gettrace(), list(warnings.filters))
    for answer in (prints, raises, swallows, exits):
        evaluate(replace(exercise("double"), seconds=0.3), answer)
    assert before == (sys.stdout, sys.stderr, sys.gettrace(), list(warnings.filters))


def test_the_answer_never_sees_the_inputs_themselves():
    arguments = []

    def keeps(x):
        arguments.append(x)
        return 2 * x

    verdict = evaluate(exercise("double"), keeps)
    arguments[0].zero_()
    assert verdict.full
    assert torch.equal(verdict.outcomes[0].calls[0].args[0], X)


@pytest.mark.parametrize(
    "x",
    [torch.rand(2, 3, 4).transpose(0, 1), torch.rand(4, 6)[:, ::2], torch.rand(3).expand(2, 3)],
    ids=["transposed", "sliced", "expanded"],
)
def test_an_answer_gets_a_copy_with_the_strides_of_the_input(x):
    strides, pointer = Answer(lambda x: (x.stride(), x.data_ptr()), 1.0)(x)
    assert strides == x.stride()
    assert pointer != x.data_ptr()


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_nested_tensor_that_a_check_feeds_back_does_not_stop_the_grader():
    x = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    call = Answer(lambda x: x.is_nested, 1.0).try_on(x)
    assert call.error is None
    assert call.result is True
