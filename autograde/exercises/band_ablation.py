"""Exercise band_ablation: pairs of a rotary encoding that stand still."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="band_ablation",
    chapter="14_under_glass",
    title=Text(en="Stop a band", zh="让一个频段停转"),
    task=Text(
        en=r"""To see what a band of frequencies is for, let it stand still: its pairs then compare
content alone, wherever the words are. Return frequencies in which the pairs `lo` to `hi − 1` no
longer turn, all others as before. The model goes on using its own, so leave them as they are.

In: `omega` `(D/2,)`, RoPE's frequencies in radians per token, pair 0 the fastest; `band`, the two
whole numbers `(lo, hi)`, $0\le$ `lo` $\le$ `hi` $\le D/2$, so a band may be empty or hold all
pairs. Out: shape `(D/2,)`, the dtype of `omega`.""",
        zh=r"""想知道一个频段有什么用，就让它不转：那几对只比较内容，不管词在哪里。返回这样一组频率：
从`lo`到`hi − 1`的各对不再旋转，其余照旧。模型还要用它自己的那一组，所以传入的不能改动。

输入：`omega`，形状`(D/2,)`，RoPE的频率，单位弧度/词元，第0对频率最高；`band`，两个整数`(lo, hi)`，
$0\le$`lo`$\le$`hi`$\le D/2$，频段可以为空，也可以包含所有的对。
输出：形状`(D/2,)`，dtype与`omega`相同。""",
    ),
    signature="band_ablation(omega, band) -> (D/2,)",
    points=2,
    difficulty=1,
    minutes=4,
    hints=(
        Text(
            en="A pair at position p turns by the angle pω. For which ω does it stand still at "
            "every p?",
            zh="位置p处的一对转过的角度是pω。ω取多少，它在每个p处都不转？",
        ),
        Text(
            en="A slice stops before its end, as the band does: for band (1, 3), which pairs are "
            "these?",
            zh="切片不含末端，频段也一样：band为(1, 3)时是哪几对？",
        ),
        Text(
            en="`omega[lo:hi] = …` would change the model's own numbers. Make a copy first, with "
            "`clone()`.",
            zh="`omega[lo:hi] = …`会改掉模型自己的数。先用`clone()`复制一份。",
        ),
    ),
)


@exercise.truth
def pair_by_pair(omega: Tensor, band: tuple[int, int]) -> Tensor:
    """Return 0 for the pairs in the band, their own frequency for the others."""
    lo, hi = band
    values = [0.0 if lo <= i < hi else w for i, w in enumerate(omega.tolist())]
    return torch.tensor(values, dtype=omega.dtype)


def _frequencies(rng: torch.Generator, pairs: int) -> Tensor:
    """Return those of a model with some base, interpolated by some factor."""
    base, factor = 10 ** (3 + 3 * torch.rand(2, generator=rng).double())
    return base ** (-torch.arange(pairs).double() / pairs) * 1000 / factor


def _bands(rng: torch.Generator, pairs: int) -> list[tuple[int, int]]:
    lo, hi = torch.randint(pairs + 1, (2,), generator=rng).sort().values.tolist()
    ends = [(0, pairs), (0, 1), (pairs - 1, pairs), (lo, lo), (0, hi), (lo, pairs)]
    return [(pairs // 3, pairs - pairs // 4), *ends, (lo, hi)]


@exercise.check(en="the number and the dtype of the frequencies stay", zh="频率个数不变，dtype不变")
def kind(answer: Function, rng: torch.Generator) -> None:
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        omega = _frequencies(rng, 8).to(dtype)
        expect_dtype(expect_shape(answer(omega, (2, 5)), (8,)), dtype)


@exercise.check(
    en="the band stands still, and only the band", zh="频段内不转，频段外照旧", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    (drawn,) = torch.randint(9, 40, (1,), generator=rng).tolist()
    for pairs in (8, 3, 1, drawn, 128):
        omega = _frequencies(rng, pairs)
        for band in _bands(rng, pairs):
            want = exercise.true_answer(omega, band)
            expect_close(answer(omega, band), want, rtol=1e-12, atol=0)


@exercise.check(en="two bands, one after the other", zh="先后让两个频段停转")
def one_after_the_other(answer: Function, rng: torch.Generator) -> None:
    omega = _frequencies(rng, 13)
    first = expect_shape(answer(omega, (2, 5)), (13,))
    want = exercise.true_answer(exercise.true_answer(omega, (2, 5)), (7, 9))
    expect_close(answer(first, (7, 9)), want, rtol=1e-12, atol=0)


def _still(omega: Tensor, lo: int, hi: int, value: float = 0.0) -> Tensor:
    return omega.index_fill(0, torch.arange(lo, max(lo, hi)), value)


@exercise.misconception(
    en="You wrote into `omega` itself. The model would go on with the ablated frequencies, and the "
    "next band would be stopped on top of this one.",
    zh="你直接改了`omega`。模型从此就用这组改过的频率，再停下一个频段时，这个频段也还停着。",
)
def in_place(omega: Tensor, band: tuple[int, int]) -> Tensor:
    omega[slice(*band)] = 0
    return omega


@exercise.misconception(
    en="You took pair `hi` as well. The band ends before it, as a slice does.",
    zh="你把第`hi`对也算进去了。频段和切片一样，不含末端。",
)
def end_included(omega: Tensor, band: tuple[int, int]) -> Tensor:
    lo, hi = band
    return _still(omega, lo, min(hi + 1, len(omega)))


@exercise.misconception(
    en="You left pair `lo` out of the band. The band begins with that pair.",
    zh="频段里漏了第`lo`对。频段从它开始。",
)
def start_excluded(omega: Tensor, band: tuple[int, int]) -> Tensor:
    lo, hi = band
    return _still(omega, lo + 1, hi)


@exercise.misconception(
    en="You kept the band and stopped all others. Asked for is the band standing still.",
    zh="你留下了频段，让其余的都不转了。要的是只让这个频段停转。",
)
def band_alone(omega: Tensor, band: tuple[int, int]) -> Tensor:
    return omega - _still(omega, *band)


@exercise.misconception(
    en="The frequencies of the band are gone, and the tensor is shorter. A pair that stands still "
    "has the frequency 0; its channels are still there.",
    zh="你把频段内的频率删掉了，张量变短了。不转的那一对频率是0，它的通道还在。",
)
def removed(omega: Tensor, band: tuple[int, int]) -> Tensor:
    lo, hi = band
    return torch.cat((omega[:lo], omega[hi:]))


@exercise.misconception(
    en="The band got frequency 1: its pairs turn by 1 radian per token. They stand still at 0.",
    zh="你把频段内的频率设成了1：它们每个词元转1弧度。频率为0才不转。",
)
def set_to_one(omega: Tensor, band: tuple[int, int]) -> Tensor:
    return _still(omega, *band, value=1.0)


@exercise.misconception(
    en="You counted from the slowest pair. Pair 0 is the fastest, the first in `omega`.",
    zh="你从频率最低的一对数起了。第0对频率最高，在`omega`里排第一。",
)
def from_the_slowest(omega: Tensor, band: tuple[int, int]) -> Tensor:
    return _still(omega.flip(0), *band).flip(0)


@exercise.misconception(
    en="You counted channels, two to a pair. `omega` has one number per pair already.",
    zh="你数的是通道，每对两个。`omega`本来就是每对一个数。",
)
def channels_for_pairs(omega: Tensor, band: tuple[int, int]) -> Tensor:
    lo, hi = (min(2 * end, len(omega)) for end in band)
    return _still(omega, lo, hi)


@exercise.misconception(
    en="You took pairs `lo` and `hi` alone. The band is all pairs from `lo` on, up to `hi` − 1.",
    zh="你只让第`lo`对和第`hi`对不转。频段是从`lo`起、直到`hi` − 1的所有对。",
)
def two_pairs(omega: Tensor, band: tuple[int, int]) -> Tensor:
    ends = [end for end in band if end < len(omega)]
    return omega.index_fill(0, torch.tensor(ends, dtype=torch.long), 0.0)


@exercise.misconception(
    en="You took `hi` for the width of the band: it ended at lo + hi. `hi` is where it ends.",
    zh="你把`hi`当成了频段的宽度，停在了lo + hi处。`hi`就是频段的末端。",
)
def width_for_end(omega: Tensor, band: tuple[int, int]) -> Tensor:
    lo, hi = band
    return _still(omega, lo, min(lo + hi, len(omega)))


@exercise.misconception(
    en="The numbers are right, but in float32, whatever `omega` is. A new tensor made of a list "
    "takes `dtype=omega.dtype`.",
    zh="数是对的，但不管`omega`是什么dtype，你返回的都是float32。用列表新建张量时要写"
    "`dtype=omega.dtype`。",
)
def single_precision(omega: Tensor, band: tuple[int, int]) -> Tensor:
    return pair_by_pair(omega, band).float()
