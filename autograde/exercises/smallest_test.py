"""Exercise smallest_test: the smallest case on which a broken program shows, and where."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograde.exercises import _spoiled_programs as programs
from autograde.exercises._spoiled_programs import KINDS, VOCABULARY, Program, reaching
from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import excerpt, expect
from bilingual import Text

exercise = Exercise(
    id="smallest_test",
    chapter="14_under_glass",
    title=Text(en="The smallest test", zh="最小的测试"),
    task=Text(
        en=r"""Find the smallest case on which a fault shows, and where. `right` and `broken` are
programs that map tokens `(B, L)` to logits `(B, L, V)` of float32: the model, and the model with a
fault. `cases` is a list of token tensors, the smallest first. Return `(case, position)`: the index
of the first case on which the two differ, and the first position $t$ at which they do, whatever the
row; None if they agree on all cases.

- Two logits differ if their distance exceeds $10^{-4}$ times the largest finite $|$logit$|$ in
the output of `right` for this case (it has at least one).
- NaN or an infinity in one of the two alone is a difference; the same one in both is not.
- If `broken` raises an exception or returns a different shape, that is a difference at position 0.

Models are slow: run neither program twice on a case, and neither on a case after the one you
return.""",
        zh=r"""找出能让错误显形的最小用例，以及它在哪里显形。`right`和`broken`是两个程序，
把词元`(B, L)`变成float32的logits `(B, L, V)`：一个是模型，一个是带错误的模型。
`cases`是词元张量的列表，小的在前。返回`(case, position)`：第一个让两者不同的用例的下标，
以及两者不同的第一个位置$t$，不论在哪一行；所有用例上都一致就返回None。

- 两个logit相差超过$10^{-4}$乘以`right`在这个用例上最大的有限$|$logit$|$（至少有一个），才算不同。
- NaN或无穷大只出现在其中一个里，算不同；两个里都是同一个，不算。
- `broken`抛出异常，或者返回的形状不同，算在位置0处不同。

模型很慢：同一个用例，两个程序都不要跑第二遍；返回的用例之后的那些，都不要跑。""",
    ),
    signature="smallest_test(right, broken, cases) -> (case, position) or None",
    points=4,
    difficulty=5,
    minutes=30,
    hints=(
        Text(
            en="Begin with one case and numbers that are all finite: which entries differ, (B, L, "
            "V)? From that, at which positions does any entry of any row differ, (L,)?",
            zh="先看一个用例，数都有限：哪些项不同，形状(B, L, V)？"
            "由此，哪些位置上有某行某项不同，形状(L,)？",
        ),
        Text(
            en="What is `NaN > limit`, and what is ∞ − ∞? `torch.isclose(…, rtol=0, atol=limit, "
            "equal_nan=True)` has an answer to both.",
            zh="`NaN > limit`是什么？∞ − ∞是什么？"
            "`torch.isclose(…, rtol=0, atol=limit, equal_nan=True)`两样都处理好了。",
        ),
        Text(
            en="The limit: `want[want.isfinite()].abs().max()`. One −∞ among the logits, and "
            "`want.abs().max()` allows everything.",
            zh="界限：`want[want.isfinite()].abs().max()`。"
            "logits里只要有一个−∞，`want.abs().max()`就成了无穷大，什么都算相同。",
        ),
        Text(
            en="Compare the shapes before the numbers: (L, V) broadcasts to (1, L, V), and nothing "
            "is noticed.",
            zh="先比较形状，再比较数：(L, V)会广播成(1, L, V)，什么也发现不了。",
        ),
        Text(
            en="A loop over `enumerate(cases)`; `want = right(tokens)`; `got = broken(tokens)` "
            "inside `try … except Exception`; return as soon as something differs.",
            zh="对`enumerate(cases)`循环；`want = right(tokens)`；`got = broken(tokens)`放在"
            "`try … except Exception`里；一有不同就返回。",
        ),
    ),
)

Found = tuple[int, int] | None
Wrong = Callable[[Tensor, Tensor], Tensor]  # got and want, (B, L, V) → what differs, (B, L, V)


def _limit(want: Tensor) -> float:
    return 1e-4 * want[want.isfinite()].abs().max().item()


def _apart(got: Tensor, want: Tensor) -> Tensor:
    """Return where the two differ, (B, L, V)."""
    same = (got == want) | (got.isnan() & want.isnan()) | ((got - want).abs() <= _limit(want))
    return ~same


def _position(wrong: Tensor) -> int | None:
    """Return the first position at which anything is wrong, None where nothing is."""
    positions = wrong.any(-1).any(0).nonzero().flatten()
    return int(positions[0]) if len(positions) else None


def _at(
    right: Program,
    broken: Program,
    tokens: Tensor,
    *,
    wrong: Wrong = _apart,
    position: Callable[[Tensor], int | None] = _position,
) -> int | None:
    """Return where the two differ on one case."""
    want = right(tokens)
    try:
        got = broken(tokens)
    except Exception:  # of any type: a fault may raise what it likes
        return 0
    return 0 if got.shape != want.shape else position(wrong(got, want))


def _search(right: Program, broken: Program, cases: list[Tensor], **how: Any) -> Found:
    for number, tokens in enumerate(cases):
        position = _at(right, broken, tokens, **how)
        if position is not None:
            return number, position
    return None


@exercise.truth
def case_by_case(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    """Return the first case, and its first position, at which anything differs."""
    return _search(right, broken, cases)


LENGTHS = (1, 2, 3, 5, 8, 13, 21)
ROWS = 3


def _cases(rng: torch.Generator, rows: int = ROWS) -> list[Tensor]:
    return [torch.randint(KINDS, (rows, length), generator=rng) for length in LENGTHS]


def _expect_found(answer: Function, right: Program, broken: Program, cases: list[Tensor]) -> None:
    both = [programs.callback(program, cases) for program in (right, broken)]
    _expect_same(answer(*both, cases), exercise.true_answer(*both, cases), cases)


def _expect_same(got: Any, want: Found, cases: list[Tensor]) -> None:
    try:
        mine = got if got is None else tuple(map(int, got))
    except (TypeError, ValueError):
        mine = excerpt(got)
    shapes = [tuple(tokens.shape) for tokens in cases]
    expect(
        mine == want,
        f"for cases of the shapes {shapes} yours is {mine}, expected {want}",
        f"用例的形状为{shapes}时，你的结果是{mine}，应为{want}",
    )


def _draw(rng: torch.Generator, *limits: int) -> list[int]:
    return [int(torch.randint(limit, (), generator=rng)) for limit in limits]


@exercise.check(en="the first case, and the first position", zh="第一个用例，第一个位置", weight=2)
def plain(answer: Function, rng: torch.Generator) -> None:
    for start in (0, 4, 6, *_draw(rng, 20)):
        cases, right, entry = _cases(rng), programs.model(rng), 1 + _draw(rng, VOCABULARY - 1)[0]
        here = programs.with_number(row=2, at=start, entry=entry, share=0.2)
        for late in ({"row": 2, "share": 0.0}, {"row": 0, "share": 0.1}, {"row": 2, "share": 0.5}):
            both = programs.then(programs.with_number(at=-1, entry=entry, **late), here)
            _expect_found(answer, right, reaching(start, right, both), cases)
    _expect_found(answer, right, right, cases)
    _expect_found(answer, right, reaching(21, right, here), cases)


@exercise.check(
    en="one entry, a little more or less than the limit", zh="一项之差，略大或略小于界限", weight=2
)
def limits(answer: Function, rng: torch.Generator) -> None:
    start, entry = _draw(rng, 12, VOCABULARY - 1)
    at_largest, at_small = {"row": 1, "at": -1, "entry": 0}, {"row": 1, "at": 0, "entry": 1 + entry}
    for scale, peak, place, share in (
        (1.0, 8.0, at_largest, 3e-7),  # each is wrong for one kind of limit more than those before
        (0.005, 8.0, at_largest, 0.6e-4),
        (0.005, 8.0, at_small, 0.6e-4),
        (1000.0, 8.0, at_largest, 0.6e-4),
        (0.005, -8.0, at_largest, 0.6e-4),
    ):
        cases, right = _cases(rng), programs.model(rng, scale, peak)
        little = reaching(0, right, programs.with_number(**place, share=share))
        _expect_found(answer, right, little, cases)
        enough = programs.with_number(row=2, at=start, entry=1 + entry, share=-1.5e-4)
        _expect_found(answer, right, reaching(start, little, enough), cases)
    start, cases, right = 8 + _draw(rng, 4)[0], _cases(rng), programs.model(rng)
    little = programs.with_number(row=1, at=start, entry=1 + entry, share=1.5e-4)
    huge = programs.with_number(row=0, at=-1, entry=1 + entry, share=40.0)  # behind the little one
    _expect_found(answer, right, reaching(start, right, programs.then(little, huge)), cases)


@exercise.check(en="NaN and infinities", zh="NaN和无穷大", weight=2)
def not_finite(answer: Function, rng: torch.Generator) -> None:
    start, entry = _draw(rng, 12, VOCABULARY - 1)
    for same in (-torch.inf, torch.nan):
        plain, cases = programs.model(rng), _cases(rng)
        right = reaching(
            0, plain, programs.with_number(row=1, at=0, entry=VOCABULARY - 1, value=same)
        )
        _expect_found(answer, right, right, cases)
        for value in (torch.nan, torch.inf, -torch.inf, 0.5):
            broken = reaching(
                start, right, programs.with_number(row=2, at=start, entry=entry, value=value)
            )
            _expect_found(answer, right, broken, cases)
        share = programs.with_number(row=0, at=start, entry=entry, share=0.01)
        _expect_found(answer, right, reaching(start, right, share), cases)
    opposite = programs.with_number(row=1, at=0, entry=0, value=torch.inf)
    _expect_found(
        answer, reaching(0, plain, opposite), reaching(0, plain, programs.negated(opposite)), cases
    )


@exercise.check(
    en="a program that raises, or returns a different shape", zh="抛出异常或返回其他形状的程序"
)
def crashes(answer: Function, rng: torch.Generator) -> None:
    cases, single, right = _cases(rng), _cases(rng, rows=1), programs.model(rng)
    for error in (RuntimeError("positions"), IndexError("too far"), ValueError("length")):
        start, later = _draw(rng, 6, 5)
        _expect_found(answer, right, reaching(start + 1, right, programs.raising(error)), cases)
        small = reaching(
            start + later, right, programs.with_number(row=0, at=0, entry=0, share=0.1)
        )
        _expect_found(answer, right, reaching(start + 4, small, programs.raising(error)), cases)
    for spoil in (lambda x: x[0], lambda x: x[:, -1:], lambda x: x[..., :-1]):
        start = 1 + _draw(rng, 10)[0]
        _expect_found(answer, right, reaching(start, right, spoil), single)


@exercise.check(en="no program runs more often than it must", zh="程序没有多跑", counts_calls=True)
def economy(answer: Function, rng: torch.Generator) -> None:
    cases, right = _cases(rng), programs.model(rng)
    for no_waste in (_expect_none_behind, _expect_none_twice):  # either mistake fails at its own
        for start in (2, 7, 30):
            spoil = programs.with_number(row=0, at=-1, entry=3, share=2.0)
            broken, runs = reaching(start, right, spoil), []
            want = exercise.true_answer(right, broken, cases)
            counted = (programs.counted(program, runs) for program in (right, broken))
            both = [programs.callback(program, cases) for program in counted]
            _expect_same(answer(*both, cases), want, cases)
            no_waste(runs, len(cases) if want is None else want[0] + 1)


def _expect_none_behind(runs: list[int], needed: int) -> None:
    behind = sum(length > LENGTHS[needed - 1] for length in runs)
    expect(
        not behind,
        f"{needed} of {len(LENGTHS)} cases are needed; yours ran a program on later ones "
        f"{behind} times",
        f"{len(LENGTHS)}个用例里需要{needed}个；在更靠后的用例上，你的还跑了{behind}次",
    )


def _expect_none_twice(runs: list[int], needed: int) -> None:
    expect(
        len(runs) <= 2 * needed,
        f"{needed} of {len(LENGTHS)} cases are needed, {2 * needed} runs of the two programs "
        f"together; yours ran them {len(runs)} times",
        f"{len(LENGTHS)}个用例里需要{needed}个，两个程序合起来跑{2 * needed}次；"
        f"你的跑了{len(runs)}次",
    )


def _where(wrong: Tensor) -> int | None:
    """Return the position of the first entry that is wrong, row after row."""
    return int(wrong.nonzero()[0][1]) if bool(wrong.any()) else None


@exercise.misconception(
    en="You ran the programs more than once on a case: keep what they return.",
    zh="同一个用例你跑了不止一遍：把返回值存下来。",
)
def runs_twice(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    for number, tokens in enumerate(cases):
        if _at(right, broken, tokens) is not None:
            return number, _at(right, broken, tokens)
    return None


@exercise.misconception(
    en="A NaN passed: `NaN > limit` is false, like every comparison of NaN by size. Ask for what "
    "is near, and take its opposite.",
    zh="NaN没有被查出来：与NaN比大小从来不成立，`NaN > limit`也不例外。应当问哪些是接近的，"
    "再取反。",
)
def nan_passes(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: (g - w).abs() > _limit(w))


@exercise.misconception(
    en="Where both programs give −∞, or both NaN, you found a difference: ∞ − ∞ is NaN, and NaN is "
    "not below the limit.",
    zh="两个程序都给出−∞，或者都是NaN，你却判为不同：∞ − ∞是NaN，而NaN不小于界限。",
)
def same_infinity_differs(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: ~((g - w).abs() <= _limit(w)))


@exercise.misconception(
    en="Two NaN at the same place were taken for a difference. `torch.isclose` does so too, unless "
    "it is told `equal_nan=True`.",
    zh="同一处两个都是NaN，你判为不同。`torch.isclose`不写`equal_nan=True`时就是这样。",
)
def same_nan_differs(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: _apart(g, w) | w.isnan())


@exercise.misconception(
    en="One −∞ or NaN among the logits of `right`, and your limit is infinite or NaN. Take the "
    "largest of the finite ones.",
    zh="`right`的logits里只要有一个−∞或NaN，你的界限就成了无穷大或NaN。要在有限的数里取最大。",
)
def limit_not_finite(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    def wrong(got: Tensor, want: Tensor) -> Tensor:
        limit = 1e-4 * want.abs().max().item()
        return ~torch.isclose(got, want, rtol=0, atol=limit, equal_nan=True)

    return _search(right, broken, cases, wrong=wrong)


@exercise.misconception(
    en="The limit is fixed at 0.0001. Logits in the thousands differ by more when nothing is "
    "wrong, and small ones differ by less when everything is.",
    zh="你的界限固定为0.0001。logits上千时，没有错也会差这么多；logits很小时，错了也差不到这么多。",
)
def fixed_limit(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    wrong = _isclose(rtol=0, atol=1e-4)
    return _search(right, broken, cases, wrong=wrong)


def _isclose(**tolerances: float) -> Wrong:
    return lambda got, want: ~torch.isclose(got, want, equal_nan=True, **tolerances)


@exercise.misconception(
    en="What `broken` returns goes into your limit: one huge logit there widens it, and a smaller "
    "error in the same case passes. `right` alone sets the limit.",
    zh="你的界限用到了`broken`的输出：那里只要有一个logit大得出奇，界限就跟着放宽，"
    "同一用例里较小的错误就漏过去了。界限只由`right`的输出决定。",
)
def limit_from_broken(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    def wrong(got: Tensor, want: Tensor) -> Tensor:
        return ~torch.isclose(got, want, rtol=0, atol=_limit(got), equal_nan=True)

    return _search(right, broken, cases, wrong=wrong)


@exercise.misconception(
    en="Every logit was measured against its own size: a logit near 0 may not move at all then. "
    "The limit is a share of the *largest*.",
    zh="你拿每个logit跟它自己的大小比：接近0的logit就一点也不许动。界限是*最大*那个的一部分。",
)
def entry_by_entry(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=_isclose(rtol=1e-4, atol=0))


@exercise.misconception(
    en="You left `allclose` or `isclose` its own tolerances, a hundred-thousandth of each entry: "
    "rounding is taken for a fault.",
    zh="你用了`allclose`或`isclose`自带的容差，即每一项的十万分之一：舍入也被当成了错误。",
)
def default_tolerances(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=_isclose())


@exercise.misconception(
    en="You left `allclose` or `isclose` as it comes: a hundred-thousandth of each entry, so that "
    "rounding is taken for a fault; and without `equal_nan=True` two NaN at the same place differ.",
    zh="你直接用了`allclose`或`isclose`，没有给参数：容差是每一项的十万分之一，舍入也被当成了错误；"
    "没有写`equal_nan=True`，同一处两个都是NaN也判为不同。",
)
def default_comparison(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: ~torch.isclose(g, w))


@exercise.misconception(
    en="You asked for equality to the last bit. Two right programs rarely agree that far.",
    zh="你要求每一位都相同。两个都正确的程序也很少做得到。",
)
def to_the_last_bit(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=_isclose(rtol=0, atol=0))


@exercise.misconception(
    en="`==`, `!=` and `torch.equal` ask for equality to the last bit. Two right programs rarely "
    "agree that far, and NaN is not even equal to itself.",
    zh="`==`、`!=`和`torch.equal`比的是完全相等：每一位都要相同，两个都正确的程序也很少做得到；"
    "而NaN连自己都不等于。",
)
def equal_as_numbers(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: g != w)


@exercise.misconception(
    en="The limit comes from the largest logit with its sign. Where the largest in size is "
    "negative, a smaller one sets the limit: take |logit|.",
    zh="界限取自带符号的最大logit。绝对值最大的logit若为负，界限就取自较小的：要取|logit|。",
)
def signed_limit(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    def wrong(got: Tensor, want: Tensor) -> Tensor:
        limit = 1e-4 * want[want.isfinite()].max().item()
        return ~torch.isclose(got, want, rtol=0, atol=max(limit, 0.0), equal_nan=True)

    return _search(right, broken, cases, wrong=wrong)


@exercise.misconception(
    en="You compared which token each program would choose. Most faults move logits long before "
    "they change a choice.",
    zh="你比较的是两个程序各会选哪个词元。多数错误早就让logits变了，选择却还没变。",
)
def choices_alone(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    def wrong(got: Tensor, want: Tensor) -> Tensor:
        return (got.argmax(-1) != want.argmax(-1))[..., None]

    return _search(right, broken, cases, wrong=wrong)


@exercise.misconception(
    en="The first row alone was compared. Faults in padding or in the batch may show in other "
    "rows alone.",
    zh="你只比较了第一行。与填充、批次有关的错误，可能只在别的行里显形。",
)
def first_row(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, wrong=lambda g, w: _apart(g, w)[:1])


@exercise.misconception(
    en="The last position alone was compared. A fault at an earlier one then goes unseen.",
    zh="你只比较了最后一个位置。错误若出在更早的位置，就看不到了。",
)
def last_position(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    def wrong(got: Tensor, want: Tensor) -> Tensor:
        earlier = torch.arange(want.shape[1])[:, None] < want.shape[1] - 1
        return _apart(got, want) & ~earlier

    return _search(right, broken, cases, wrong=wrong)


@exercise.misconception(
    en="You return the position of the first wrong entry, row after row. A later row may be wrong "
    "at an earlier position: take `any` over the rows first, then the position.",
    zh="你返回的是逐行找到的第一个错项的位置。后面的行可能在更早的位置就错了：先对各行取`any`，"
    "再找位置。",
)
def row_after_row(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, broken, cases, position=_where)


@exercise.misconception(
    en="You return where the difference is largest. The task asks where it begins.",
    zh="你返回的是差别最大的位置。要的是从哪里开始有差别。",
)
def largest_difference(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    pair = case_by_case(right, broken, cases)
    if pair is None:
        return None
    try:
        apart = (broken(cases[pair[0]]) - right(cases[pair[0]])).abs()
        return pair[0], int(apart.amax((0, 2)).argmax())
    except Exception:  # what cannot be compared differs at 0
        return pair


@exercise.misconception(
    en="An exception of `broken` ends your search. That it raises is the difference: the case is "
    "found.",
    zh="`broken`一抛出异常，你的查找就中断了。它抛出异常本身就是不同：用例找到了。",
)
def not_caught(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    for number, tokens in enumerate(cases):
        want, got = right(tokens), broken(tokens)
        position = 0 if got.shape != want.shape else _position(_apart(got, want))
        if position is not None:
            return number, position
    return None


@exercise.misconception(
    en="You went on to the next case when `broken` raised. That is the plainest difference of all.",
    zh="`broken`抛出异常时，你跳到了下一个用例。这本是最明显的不同。",
)
def crash_passes(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return _search(right, _or_right(broken, right), cases)


def _or_right(broken: Program, right: Program) -> Program:
    def spared(tokens: Tensor) -> Tensor:
        try:
            return broken(tokens)
        except Exception:  # the mistake itself
            return right(tokens)

    return spared


@exercise.misconception(
    en="You did not compare the shapes: (L, V) broadcasts to (1, L, V), and a lost axis goes "
    "unnoticed.",
    zh="你没有比较形状：(L, V)会广播成(1, L, V)，丢了一个轴也看不出来。",
)
def shapes_broadcast(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    for number, tokens in enumerate(cases):
        want = right(tokens)
        try:
            position = _position(_apart(broken(tokens), want))
        except Exception:  # raised, or does not broadcast
            position = 0
        if position is not None:
            return number, position
    return None


@exercise.misconception(
    en="You ran a case that comes after the one to return: all of them first, or by jumps, as in "
    "bisection. Go from the first on and stop at the first difference: the large ones cost most.",
    zh="你跑了排在该返回的用例之后的用例：要么先全部跑完，要么像二分查找那样跳着跑。"
    "应从第一个起逐个跑，一有差异就停：越大的用例越费时间。",
)
def runs_all(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    pairs = [(n, _at(right, broken, tokens)) for n, tokens in enumerate(cases)]
    return next(((n, at) for n, at in pairs if at is not None), None)


@exercise.misconception(
    en="You return the last case on which they differ. The smallest is the first one.",
    zh="你返回的是最后一个不同的用例。最小的是第一个。",
)
def last_case(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    pairs = [(n, _at(right, broken, tokens)) for n, tokens in enumerate(cases)]
    return next(((n, at) for n, at in reversed(pairs) if at is not None), None)


@exercise.misconception(
    en="Position and case are exchanged: the case should come first.",
    zh="位置和用例写反了：应当用例在前。",
)
def exchanged(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    pair = case_by_case(right, broken, cases)
    return pair and pair[::-1]


@exercise.misconception(
    en="You return the index alone. The task asks for two numbers, the case and the position.",
    zh="你只返回了下标。要返回两个数：用例和位置。",
)
def index_alone(right: Program, broken: Program, cases: list[Tensor]) -> int | None:
    pair = case_by_case(right, broken, cases)
    return pair and pair[0]


@exercise.misconception(
    en="Where they agree on all cases you return a pair. What is asked for then is None.",
    zh="所有用例都一致时，你返回了一对数。这时要返回None。",
)
def pair_for_none(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    return case_by_case(right, broken, cases) or (-1, -1)


@exercise.misconception(
    en="You catch errors of one type alone. A fault may raise any type: write `except Exception`.",
    zh="你只捕获一种异常。错误可能抛出任何一种：要写`except Exception`。",
)
def one_type_caught(right: Program, broken: Program, cases: list[Tensor]) -> Found:
    for number, tokens in enumerate(cases):
        want = right(tokens)
        try:
            got = broken(tokens)
        except RuntimeError:
            return number, 0
        position = 0 if got.shape != want.shape else _position(_apart(got, want))
        if position is not None:
            return number, position
    return None
