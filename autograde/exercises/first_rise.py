"""Exercise first_rise: where the dot product of sinusoidal encodings first goes up again."""

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_number
from bilingual import Text
from posenc_ref.sinusoidal import frequencies

exercise = Exercise(
    id="first_rise",
    chapter="02_sinusoidal",
    title=Text(en="Where the dot product first rises", zh="点积第一次回升在哪里"),
    task=Text(
        en=r"""Return the smallest integer $k\ge1$ with $s(k)>s(k-1)$, where
$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$: the first step that takes you *further away* but makes
the dot product *larger*.

In: `dim` even. Out: an int. How far you must look is not known beforehand.""",
        zh=r"""返回最小的整数$k\ge1$，使$s(k)>s(k-1)$，其中
$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$：也就是第一次离得*更远*、点积反而*更大*的那一步。

输入：`dim`为偶数。输出：整数。要找多远，事先并不知道。""",
    ),
    signature="first_rise(dim, base=10000.0) -> int",
    points=3,
    difficulty=3,
    minutes=10,
    hints=(
        Text(
            en="You already have s(k) as a sum of cosines. Walk k = 1, 2, 3, … and compare.",
            zh="s(k)就是一串余弦之和，你已经会算了。让k依次取1、2、3……逐个比较。",
        ),
        Text(
            en="A `while` loop that goes on as long as s(k) ≤ s(k − 1) needs no upper end; for "
            "large d neighbouring values are close, so sum in float64.",
            zh="用`while`循环，只要s(k)≤s(k−1)就继续，不必设上限；d大时相邻的值很接近，求和请用float64。",
        ),
        Text(
            en="`k = 1`, then `while s(k) <= s(k - 1): k += 1`, then `return k`, where `s(k)` is "
            "`(k * frequencies).cos().sum()`.",
            zh="先`k = 1`，再`while s(k) <= s(k - 1): k += 1`，最后`return k`，"
            "其中`s(k)`是`(k * frequencies).cos().sum()`。",
        ),
    ),
)


@exercise.check(en="d=64: the first rise is at k=6", zh="d=64时第一次回升在k=6", weight=1)
def sixty_four(answer: Function, rng: torch.Generator) -> None:
    expect_number(answer(64), _by_definition(64, 10000.0))


@exercise.check(
    en="right for narrow and for wide encodings, d = 2 to 2048",
    zh="窄的宽的都正确，d从2到2048",
    weight=3,
)
def widths(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, 32, 128, 512, 2048):
        _compare(answer(dim), dim, 10000.0)


@exercise.check(en="right for other bases", zh="换别的base也正确", weight=2)
def bases(answer: Function, rng: torch.Generator) -> None:
    for dim, base in ((64, 100.0), (128, 1e6), (512, 100.0)):
        _compare(answer(dim, base), dim, base)


def _compare(got: object, dim: int, base: float) -> None:
    want = _by_definition(dim, base)
    expect(
        got is not None,
        f"nothing was found for dim={dim}: look further, the dot product does rise",
        f"dim={dim}时什么也没找到：再往远处找，点积确实会回升",
    )
    expect_number(got, want)


def _by_definition(dim: int, base: float) -> int:
    distances = torch.arange(1000, dtype=torch.float64)
    dots = (distances[:, None] * frequencies(dim, base=base)).cos().sum(1)
    return int((dots.diff() > 0).nonzero()[0]) + 1


def _dots(dim: int, base: float, length: int) -> torch.Tensor:
    distances = torch.arange(length, dtype=torch.float64)
    return (distances[:, None] * base ** (-torch.arange(0, dim, 2).double() / dim)).cos().sum(1)


@exercise.misconception(
    en="Off by one: you returned the last distance before the rise, k − 1. Return the k at which "
    "the value has become larger (`diff()[j]` compares j + 1 with j).",
    zh="差了一：你返回的是回升之前的距离k−1。要的是值已经变大的那个k（`diff()[j]`比较的是j+1与j）。",
)
def off_by_one(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 1000).diff() > 0).nonzero()[0])


@exercise.misconception(
    en="You returned the distance of the smallest value: the global minimum comes far later than "
    "the first rise.",
    zh="你返回的是最小值所在的距离：全局最小值比第一次回升晚得多。",
)
def global_minimum(dim: int, base: float = 10000.0) -> int:
    return int(_dots(dim, base, 4096).argmin())


@exercise.misconception(
    en="You stopped looking too early. d = 512 rises at 44, but d = 2048 only at 132.",
    zh="你找得不够远。d=512在44处回升，而d=2048要到132。",
)
def looked_at_fifty(dim: int, base: float = 10000.0) -> int | None:
    rises = (_dots(dim, base, 50).diff() > 0).nonzero()
    return int(rises[0]) + 1 if len(rises) else None


@exercise.misconception(
    en="You watched one pair only (ω₀ = 1, a cosine that turns at π). The sum over all pairs turns "
    "at another place, which depends on d.",
    zh="你只看了一对（ω₀=1，余弦在π处转向）。对所有对求和后，转向的位置不同，而且随d变化。",
)
def fastest_pair(dim: int, base: float = 10000.0) -> int:
    return 4


@exercise.misconception(
    en="You looked for the first negative value. At d = 64 the sum rises at 6, but is not negative "
    "before 725.",
    zh="你找的是第一个负值。d=64时，和在6处就回升了，到725才变负。",
)
def first_negative(dim: int, base: float = 10000.0) -> int | None:
    negative = (_dots(dim, base, 8192) < 0).nonzero()
    return int(negative[0]) if len(negative) else None


@exercise.misconception(
    en="You stopped looking too early: no step of your list goes up, so there is no first one to "
    "take. d = 512 rises at 44, but d = 2048 only at 132.",
    zh="你找得不够远：你的列表里没有一步上升，也就没有“第一个”可取。d=512在44处回升，而d=2048要到132。",
)
def nothing_to_take(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 50).diff() > 0).nonzero()[0]) + 1


@exercise.misconception(
    en="You stopped looking too early: where no step of your list goes up, argmax gives 0, and "
    "your k is 1. d = 512 rises at 44, but d = 2048 only at 132.",
    zh="你找得不够远：列表里没有一步上升时，argmax给出0，你的k就成了1。"
    "d=512在44处回升，而d=2048要到132。",
)
def argmax_of_nothing(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 50).diff() > 0).int().argmax()) + 1


@exercise.misconception(
    en="`base` does not reach your frequencies: the result is that of 10000 for every base.",
    zh="`base`没有传到频率那里：无论base是多少，你算的都是10000的结果。",
)
def fixed_base(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, 10000.0, 1000).diff() > 0).nonzero()[0]) + 1
