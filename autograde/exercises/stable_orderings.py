"""Exercise stable_orderings: which methods beat which others in every seed."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="stable_orderings",
    chapter="09_extrapolation",
    title=Text(en="Stable in every seed", zh="每个种子都成立"),
    task=Text(
        en=r"""An ordering is *stable* if it holds in every seed, seed by seed. Return a boolean
table whose entry `[a, b]` says whether method $a$ has a smaller excess than method $b$ in each
seed. Equal is not smaller.

In: `excess` of shape `(methods, seeds)`. Out: shape `(methods, methods)`, dtype `torch.bool`.""",
        zh=r"""一个先后次序若在每个种子上逐一比较都成立，就说它*稳定*。返回一张布尔表，
`[a, b]`表示方法$a$的超额损失是否在每个种子上都小于方法$b$。相等不算小于。

输入：`excess`，形状`(methods, seeds)`。输出：形状`(methods, methods)`，dtype为`torch.bool`。""",
    ),
    signature="stable_orderings(excess) -> (methods, methods)",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Compare every method with every other one, in each seed: a table with three axes.",
            zh="每个方法与每个方法在每个种子上比较：一张三维的表。",
        ),
        Text(
            en="`excess[:, None]` and `excess[None, :]` broadcast to (methods, methods, seeds).",
            zh="`excess[:, None]`与`excess[None, :]`广播成(methods, methods, seeds)。",
        ),
        Text(
            en="Compare with `<`, then `.all(dim=-1)`.",
            zh="用`<`比较，再`.all(dim=-1)`。",
        ),
    ),
)


@exercise.truth
def seed_by_seed(excess: Tensor) -> Tensor:
    """Return whether a is smaller than b in each seed, for all a and b."""
    return torch.stack([(excess < b).all(1) for b in excess], dim=1)


# Row 1 is above row 0 in each seed, although the seeds differ by more than the methods. Row 2 is
# above row 0 by mean and median and below it in most seeds; row 3 equals row 0 in one seed. Row 4
# is above rows 0, 1 and 3 in each seed, but scatters so much that its mean ± deviation covers them.
PAIRED = (
    (0.10, 0.5, 0.9),
    (0.20, 0.6, 1.0),
    (0.05, 2.0, 0.7),
    (0.10, 0.6, 1.5),
    (1.60, 1.7, 9.0),
)


@exercise.check(en="one entry for every pair of methods", zh="每两个方法一项")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_dtype(expect_shape(answer(torch.tensor(PAIRED)), (5, 5)), torch.bool)
    expect_dtype(expect_shape(answer(torch.tensor(PAIRED[:1])), (1, 1)), torch.bool)


@exercise.check(
    en="smaller in every seed, compared seed by seed", zh="逐个种子比较，每次都更小", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    methods, seeds = torch.randint(3, 8, (2,), generator=rng).tolist()
    paired = torch.tensor(PAIRED)[torch.randperm(len(PAIRED), generator=rng)]
    around_0 = torch.randn(110 + methods, 2, generator=rng)
    equal_ones = torch.randint(3, (methods, seeds), generator=rng) / 4
    close = 1 + paired / 1e5  # equal in half precision
    for excess in (around_0, paired, equal_ones, close, equal_ones[:, :1], equal_ones.T):
        got = expect_shape(answer(excess), (len(excess), len(excess)))
        expect_close(got.double(), exercise.true_answer(excess).double())


@exercise.check(
    en="no method beats itself, and no two beat each other",
    zh="没有方法胜过自己，也没有两个方法互相胜过",
    weight=2,
)
def an_order(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(torch.rand(7, 2, generator=rng)), (7, 7)).bool()
    expect(
        not (got & got.T).any(),
        "two methods beat each other, or a method beats itself",
        "有两个方法互相胜过，或有方法胜过自己",
    )
    expect(got.any(), "no method beats any other", "没有一个方法胜过别的方法")


@exercise.misconception(
    en="You compared the means. One bad seed can decide a mean; it does not make an ordering "
    "stable.",
    zh="你比的是平均值。一个坏种子就能左右平均值，次序并不因此稳定。",
)
def by_mean(excess: Tensor) -> Tensor:
    mean = excess.mean(1)
    return mean[:, None] < mean[None, :]


@exercise.misconception(
    en="You tested whether the ordering holds in *some* seed. Then two methods can beat each "
    "other.",
    zh="你问的是在*某个*种子上是否成立。这样两个方法可以互相胜过。",
)
def in_some(excess: Tensor) -> Tensor:
    return (excess[:, None] < excess[None, :]).any(-1)


@exercise.misconception(
    en="Your table is transposed: entry [a, b] says that b beats a.",
    zh="你的表转置了：[a, b]说的是b胜过a。",
)
def transposed(excess: Tensor) -> Tensor:
    return (excess[:, None] > excess[None, :]).all(-1)


@exercise.misconception(
    en="You count equal as smaller, so every method beats itself.",
    zh="你把相等也算成小于，于是每个方法都胜过自己。",
)
def or_equal(excess: Tensor) -> Tensor:
    return (excess[:, None] <= excess[None, :]).all(-1)


@exercise.misconception(
    en="You compared the worst seed of one with the best of the other. Same seed, same batches: "
    "pairs tell more, and you miss orderings that hold in each of them.",
    zh="你拿一种方法最坏的种子和另一种方法最好的种子比。种子相同，训练批次就完全相同："
    "成对比较能说明更多，你漏掉了每一对都成立的次序。",
)
def worst_against_best(excess: Tensor) -> Tensor:
    return excess.max(1).values[:, None] < excess.min(1).values[None, :]


@exercise.misconception(
    en="You tested whether the ordering holds in *most* seeds. Stable means all of them.",
    zh="你问的是在*多数*种子上是否成立。稳定要求所有种子都成立。",
)
def in_most(excess: Tensor) -> Tensor:
    return (excess[:, None] < excess[None, :]).double().mean(-1) > 0.5


@exercise.misconception(
    en="You checked whether the two intervals, mean ± standard deviation, are apart. That forgets "
    "which seeds belong together: same seed, same batches.",
    zh="你看的是两者的平均±标准差是否不重叠。这就丢掉了配对：两种方法种子相同，"
    "训练批次就完全相同。",
)
def bars_apart(excess: Tensor) -> Tensor:
    mean, spread = excess.mean(1), excess.std(1)
    return (mean + spread)[:, None] < (mean - spread)[None, :]


@exercise.misconception(
    en="The seeds of each method were sorted first. Then best meets best and worst meets worst, "
    "and a seed is no longer compared with the same seed.",
    zh="你先给每种方法的各个种子排了序。这样是最好的对最好的、最差的对最差的，"
    "不再是同一个种子相比。",
)
def sorted_first(excess: Tensor) -> Tensor:
    ranked = excess.sort(1).values
    return (ranked[:, None] < ranked[None, :]).all(-1)


@exercise.misconception(
    en="You compared the medians. One seed decides a median; it does not make an ordering stable.",
    zh="你比的是中位数。中位数由一个种子决定，次序并不因此稳定。",
)
def by_median(excess: Tensor) -> Tensor:
    median = excess.median(1).values
    return median[:, None] < median[None, :]


@exercise.misconception(
    en="Only the entries above the diagonal are filled, b > a. Which of two methods comes first in "
    "the list says nothing: a later one may beat an earlier one.",
    zh="你只填了对角线以上的部分，即b > a。两种方法在列表中谁先谁后不说明什么："
    "排在后面的也可能胜过前面的。",
)
def above_the_diagonal(excess: Tensor) -> Tensor:
    return (excess[:, None] < excess[None, :]).all(-1).triu()


@exercise.misconception(
    en="`all` ran over an axis of methods, and the seeds are left: shape (methods, seeds). Run it "
    "over the seeds, the last axis: `.all(dim=-1)`.",
    zh="`all`沿着方法的轴做了，留下的是种子：形状为(methods, seeds)。应沿最后一轴即种子做："
    "`.all(dim=-1)`。",
)
def all_over_methods(excess: Tensor) -> Tensor:
    return (excess[:, None] < excess[None, :]).all(1)


@exercise.misconception(
    en="You counted the seeds in which a is smaller. Stable means all of them: `.all(dim=-1)`.",
    zh="你数的是a更小的种子有几个。稳定要求所有种子都成立：`.all(dim=-1)`。",
)
def seeds_counted(excess: Tensor) -> Tensor:
    return (excess[:, None] < excess[None, :]).sum(-1)
