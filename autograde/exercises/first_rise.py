"""Exercise first_rise: where the dot product of sinusoidal encodings first goes up again."""

import math

import torch

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect
from autograde.kit.expect_values import expect_number
from bilingual import Text

exercise = Exercise(
    id="first_rise",
    chapter="02_sinusoidal",
    title=Text(en="Where the dot product first rises", zh="点积第一次回升在哪里"),
    task=Text(
        en=r"""Return the smallest integer $k\ge1$ with $s(k)>s(k-1)$, where
$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$ (the dot product of two sinusoidal encodings):
the first step that takes you *further away* but makes the dot product *larger*.

In: `dim` even, up to 768. Out: an int. How far you must look is not known beforehand. For
large `dim` neighbouring values are close: sum in float64.""",
        zh=r"""返回最小的整数$k\ge1$，使$s(k)>s(k-1)$，其中
$s(k)=\mathrm{PE}(p)\cdot\mathrm{PE}(p+k)$（两个正弦位置编码的点积）：也就是第一次离得*更远*、点积反而*更大*的那一步。

输入：`dim`为偶数，不超过768。输出：整数。要找多远，事先并不知道。`dim`大时相邻两值很接近，
求和请用float64。""",
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
            en="How do you know that you have looked far enough? A list of fixed length must "
            "contain a rise; a loop that stops at the first one needs no such care.",
            zh="怎么知道找得够远了？固定长度的列表里必须真有一次回升；遇到第一次回升就停的循环没有这个问题。",
        ),
    ),
)


@exercise.truth
def step_by_step(dim: int, base: float = 10000.0) -> int:
    omega, k = _frequencies(dim, base), 0
    before, dot = math.inf, dim / 2
    while dot <= before:
        k, before = k + 1, dot
        dot = (k * omega).cos().sum().item()
    return k


def _frequencies(dim: int, base: float) -> torch.Tensor:
    return base ** (-torch.arange(0, dim, 2).double() / dim)


def _is_clear(dim: int, base: float) -> bool:
    """Return whether float32, too, sees the sum fall up to its first rise, and rise there."""
    k = step_by_step(dim, base)
    return bool((_dots(dim, base, k + 1).diff().abs() > 2e-3).all())


def _case(rng: torch.Generator, fixed_base: float | None = None) -> tuple[int, float]:
    """Return a dimension from 32 to 254 and a base from 32 to 316 228."""
    while True:
        dim = 2 * int(torch.randint(16, 128, (), generator=rng))
        base = fixed_base or 10 ** (1.5 + 4 * torch.rand((), generator=rng).item())
        if _is_clear(dim, base):
            return dim, base


@exercise.check(en="d=64: the first rise is at k=6", zh="d=64时第一次回升在k=6", weight=1)
def sixty_four(answer: Function, rng: torch.Generator) -> None:
    _compare(answer(64), 64, 10000.0)


@exercise.check(
    en="right for narrow and for wide encodings, d = 2 to 704",
    zh="编码无论宽窄都正确，d从2到704",
    weight=3,
)
def widths(answer: Function, rng: torch.Generator) -> None:
    for dim in (2, _case(rng, 10000.0)[0], 448, 512):
        _compare(answer(dim), dim, 10000.0)
    base = 1000.0 + 800 * torch.rand((), generator=rng).item()
    _compare(answer(704, base), 704, base)


@exercise.check(en="right for other bases", zh="换别的base也正确", weight=2)
def bases(answer: Function, rng: torch.Generator) -> None:
    small = 32 + 32 * torch.rand((), generator=rng).item()
    for dim, base in (_case(rng), _case(rng), (128, small), (128, 1e6)):
        _compare(answer(dim, base), dim, base)


def _compare(got: object, dim: int, base: float) -> None:
    expect(
        got is not None,
        f"you found no rise for dim={dim}: look further, the dot product does rise",
        f"dim={dim}时你没有找到回升：再往远处找，点积确实会回升",
    )
    expect_number(got, step_by_step(dim, base))


def _dots(dim: int, base: float, length: int) -> torch.Tensor:
    distances = torch.arange(length, dtype=torch.float64)
    return (distances[:, None] * _frequencies(dim, base)).cos().sum(1)


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
    en="You stopped looking too early. d = 512 rises at 44, but d = 704 with base 1000 only at 69.",
    zh="你找得不够远。d=512在44处回升，而d=704、base=1000时要到69。",
)
def looked_at_fifty(dim: int, base: float = 10000.0) -> int | None:
    rises = (_dots(dim, base, 50).diff() > 0).nonzero()
    return int(rises[0]) + 1 if len(rises) else None


@exercise.misconception(
    en="You watched one pair only (ω₀ = 1, a cosine that turns at π). The sum over all pairs turns "
    "elsewhere, at a place that depends on d.",
    zh="你只看了一对（ω₀=1，余弦在π处转向）。对所有对求和后，转向的位置不同，而且随d变化。",
)
def fastest_pair(dim: int, base: float = 10000.0) -> int:
    return 4


@exercise.misconception(
    en="You looked for the first negative value. At d = 64 the sum rises at 6, but is not negative "
    "before 725.",
    zh="你找的是第一个负值。d=64时，s(k)在6处就回升了，到725才变负。",
)
def first_negative(dim: int, base: float = 10000.0) -> int | None:
    negative = (_dots(dim, base, 8192) < 0).nonzero()
    return int(negative[0]) if len(negative) else None


@exercise.misconception(
    en="You stopped looking too early: no step of your list goes up, so there is no first one to "
    "take. d = 512 rises at 44, but d = 704 with base 1000 only at 69.",
    zh="你找得不够远：你的列表里没有一步上升，也就没有“第一个”可取。d=512在44处回升，而d=704、base=1000时要到69。",
)
def nothing_to_take(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 50).diff() > 0).nonzero()[0]) + 1


@exercise.misconception(
    en="You stopped looking too early: where no step of your list goes up, argmax gives 0, and "
    "your k is 1. d = 512 rises at 44, but d = 704 with base 1000 only at 69.",
    zh="你找得不够远：列表里没有一步上升时，argmax给出0，你的k就成了1。"
    "d=512在44处回升，而d=704、base=1000时要到69。",
)
def argmax_of_nothing(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 50).diff() > 0).int().argmax()) + 1


@exercise.misconception(
    en="One too far: before the k that you returned, the value has already risen at k − 1. (The "
    "entry j of `diff()` compares j + 1 with j.)",
    zh="多了一：在你返回的k之前，到k−1时值就已经变大了。（`diff()`的第j项比较的是j+1与j。）",
)
def one_too_far(dim: int, base: float = 10000.0) -> int:
    return int((_dots(dim, base, 1000).diff() > 0).nonzero()[0]) + 2


@exercise.misconception(
    en="`base` is not used: your frequencies are always those of base 10000. With a smaller base "
    "the slow waves are faster, and the sum rises elsewhere.",
    zh="没有用到`base`：你的频率总是按10000算的。base更小时，低频的波会变快，s(k)就在别处回升。",
)
def base_unused(dim: int, base: float = 10000.0) -> int:
    return step_by_step(dim)


@exercise.misconception(
    en="You return 1, but the step to k = 1 goes *down*: every cosine begins at its largest value. "
    "One gets 1 by looking for the first `diff()` below 0, or by adding sines to the sum, which do "
    "rise at once.",
    zh="你返回的是1，可是到k=1的这一步是*下降*：每个余弦都从最大值开始。得到1，往往是因为找了"
    "`diff()`第一次小于0的地方，或者在求和时加进了正弦，而正弦一开始就上升。",
)
def first_fall(dim: int, base: float = 10000.0) -> int:
    return 1


@exercise.misconception(
    en="This is how much the sum rises, not where. Return the distance k.",
    zh="这是回升了多少，不是在哪里回升。要返回距离k。",
)
def height_of_the_rise(dim: int, base: float = 10000.0) -> float:
    k = step_by_step(dim, base)
    return _dots(dim, base, k + 1).diff()[-1].item()


@exercise.misconception(
    en="You asked where the slope is positive *at* k. The curve may rise there while s(k) is still "
    "below s(k − 1), or fall there after the step from k − 1 to k went up: compare two neighbours.",
    zh="你看的是k*那一点*的斜率是否为正。曲线在k处上升时，s(k)可能仍低于s(k−1)；从k−1到k上升了，"
    "曲线在k处也可能又在下降：要比较相邻的两个值。",
)
def slope(dim: int, base: float = 10000.0) -> int:
    omega, k = _frequencies(dim, base), 1
    while (omega * (k * omega).sin()).sum() >= 0:  # minus the slope
        k += 1
    return k


@exercise.misconception(
    en="The exponent is −i/d in place of −2i/d: your frequencies stop at 1/√base, and the sum "
    "rises elsewhere, for d = 64 at 12, not at 6.",
    zh="指数写成了−i/d，应为−2i/d：你的频率只降到1/√base，s(k)就在别处回升，d=64时是12，应为6。",
)
def no_two(dim: int, base: float = 10000.0) -> int:
    return step_by_step(dim, base**0.5)


looked_as_far_as_dim = exercise.misconception(
    en="You looked `dim` steps far. The first rise of d = 2 is at 4: how far one must look does "
    "not go by d.",
    zh="你只找了`dim`步。d=2时第一次回升在4：要找多远，不由d决定。",
)


@looked_as_far_as_dim
def dim_if_none(dim: int, base: float = 10000.0) -> int:
    rises = (_dots(dim, base, dim + 1).diff() > 0).nonzero()
    return int(rises[0]) + 1 if len(rises) else dim


@looked_as_far_as_dim
def looked_dim_far(dim: int, base: float = 10000.0) -> int | None:
    rises = (_dots(dim, base, dim).diff() > 0).nonzero()
    return int(rises[0]) + 1 if len(rises) else None
