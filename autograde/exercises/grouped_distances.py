"""Exercise grouped_distances: what distance Self-Extend lets a query see."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text
from posenc_ref.self_extend import self_extend_relative

exercise = Exercise(
    id="grouped_distances",
    chapter="06_rope_scaling",
    title=Text(en="Self-Extend's distances", zh="Self-Extend的距离"),
    task=Text(
        en=r"""Return the relative position (key minus query) by which Self-Extend rotates each key
against each query. With query $i$ and key $j$, window $w$ and group size $G$: as it is, $j-i$,
where $i-j<w$; else

$$\lfloor j/G\rfloor-\bigl(\lfloor i/G\rfloor+w-\lfloor w/G\rfloor\bigr).$$

In: `length`, `window`, `group`, positive integers; positions are 0, 1, …. Out: integers of shape
`(length, length)`, queries in rows.""",
        zh=r"""对每个查询和每个键，返回Self-Extend旋转时所用的相对位置（键减查询）。查询为$i$，键为$j$，
窗口为$w$，每组$G$个：$i-j<w$时照旧是$j-i$，否则是

$$\lfloor j/G\rfloor-\bigl(\lfloor i/G\rfloor+w-\lfloor w/G\rfloor\bigr).$$

输入：`length`、`window`、`group`，正整数；位置为0、1……
输出：形状为`(length, length)`的整数，每行一个查询。""",
    ),
    signature="grouped_distances(length, window, group) -> (length, length)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="Two tables of the same shape: one of exact, one of grouped relative positions. "
            "Which entry comes from which?",
            zh="先写两张同样形状的表：一张是精确的相对位置，一张是分组之后的。每一项取哪一张的？",
        ),
        Text(
            en="`p // group` rounds down. Divide the positions, not the distance: the borders of "
            "the groups are fixed in the text.",
            zh="`p // group`向下取整。要除的是位置，不是距离：组的边界在文本里是固定的。",
        ),
        Text(
            en="`torch.where(near > -window, near, far)`, with `far` from `p // group` for keys "
            "and `p // group + window - window // group` for queries.",
            zh="`torch.where(near > -window, near, far)`，`far`里键用`p // group`，"
            "查询用`p // group + window - window // group`。",
        ),
    ),
)


@exercise.truth
def exact_then_grouped(length: int, window: int, group: int) -> Tensor:
    p = torch.arange(length)
    return self_extend_relative(p, p, window=window, group=group)


def _near(length: int) -> Tensor:
    p = torch.arange(length)
    return p[None, :] - p[:, None]


def _joined(far: Tensor, window: int) -> Tensor:
    near = _near(len(far))
    return torch.where(near > -window, near, far)


def _grouped(length: int, group: int) -> Tensor:
    p = torch.arange(length) // group
    return p[None, :] - p[:, None]


@exercise.check(en="one number for each query and key", zh="每个查询、每个键一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(1, 1, 1), (1, 1))
    got = expect_shape(answer(9, 3, 2), (9, 9))
    expect(
        not got.is_floating_point(),
        f"the dtype is {got.dtype}, expected integers: `//` rounds down",
        f"dtype为{got.dtype}，应为整数：`//`会向下取整",
    )


@exercise.check(en="near keys stay where they are", zh="近处的键不变", weight=2)
def near(answer: Function, rng: torch.Generator) -> None:
    length, window = int(torch.randint(12, 20, (), generator=rng)), 5
    got = expect_shape(answer(length, window, 3), (length, length))
    exact = _near(length)
    expect(
        bool((got == exact)[exact > -window].all()),
        "a key less than `window` tokens back, or ahead, is not at j − i",
        "距离小于`window`的键（以及之后的键）不在j − i处",
    )


@exercise.check(en="groups of one are plain RoPE", zh="每组一个就是普通的RoPE")
def plain(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, exercise.true_answer, 20, 6, 1)


@exercise.check(en="equals the formula", zh="与公式一致", weight=4)
def values(answer: Function, rng: torch.Generator) -> None:
    for low, high in ((2, 5), (5, 12)):
        window, group = torch.randint(low, high, (2,), generator=rng).tolist()
        expect_agreement(answer, exercise.true_answer, 40, window, group)
    expect_agreement(answer, exercise.true_answer, 30, 8, 3)
    expect_agreement(answer, exercise.true_answer, 30, 7, 4)


@exercise.misconception(
    en="The query is not moved on: grouped distances begin near w/G in place of w, and a key "
    "outside of the window seems nearer than one inside. Add w − ⌊w/G⌋ to the query.",
    zh="查询没有后移：分组后的距离从w/G附近起，不是从w起，窗口外的键反而显得比窗口内的近。"
    "查询要加上w − ⌊w/G⌋。",
)
def not_moved(length: int, window: int, group: int) -> Tensor:
    return _joined(_grouped(length, group), window)


@exercise.misconception(
    en="The query is moved on by w: that leaves a gap. ⌊w/G⌋ of the distance is in the groups "
    "already.",
    zh="查询后移了w：中间就空出一截。分组的距离里已经含有⌊w/G⌋。",
)
def moved_too_far(length: int, window: int, group: int) -> Tensor:
    return _joined(_grouped(length, group) - window, window)


@exercise.misconception(
    en="The shift has the wrong sign: far keys come nearer by w − ⌊w/G⌋ than without a shift, "
    "some even ahead of the query.",
    zh="移动的方向反了：与不移动相比，远处的键反而近了w − ⌊w/G⌋，甚至跑到查询之后。",
)
def moved_back(length: int, window: int, group: int) -> Tensor:
    return _joined(_grouped(length, group) + window - window // group, window)


divided = exercise.misconception(
    en="You divided the distance, not the positions. The two rotations can only be made from "
    "positions, each rounded down by itself.",
    zh="你除的是距离，不是位置。旋转只能按位置来做，两个位置要各自向下取整。",
)


@divided
def distance_divided(length: int, window: int, group: int) -> Tensor:
    far = -(-_near(length) // group) - window + window // group
    return _joined(far, window)


@divided
def relative_position_divided(length: int, window: int, group: int) -> Tensor:
    return _joined(_near(length) // group - window + window // group, window)


@exercise.misconception(
    en="The sign is that of query − key: the past comes out positive.",
    zh="你算成了查询−键：过去成了正数。",
)
def query_minus_key(length: int, window: int, group: int) -> Tensor:
    return -exact_then_grouped(length, window, group)


@exercise.misconception(
    en="A key exactly w tokens back still counts as near: the window holds i − j < w.",
    zh="恰好在w个词元之前的键也算近了：窗口是i − j < w。",
)
def window_and_one(length: int, window: int, group: int) -> Tensor:
    far = _grouped(length, group) - window + window // group
    return torch.where(_near(length) >= -window, _near(length), far)


@exercise.misconception(
    en="This is ReRoPE: all far keys stand at −w. Self-Extend still tells them apart, by group.",
    zh="这是ReRoPE：远处的键全在−w处。Self-Extend仍按组区分它们。",
)
def rerope(length: int, window: int, group: int) -> Tensor:
    return _near(length).clamp(min=-window)


@exercise.misconception(
    en="Everything is grouped, near keys too: neighbours fall together.",
    zh="全都分了组，近处也不例外：相邻的词元合到了一起。",
)
def all_grouped(length: int, window: int, group: int) -> Tensor:
    return _grouped(length, group) - window + window // group


@exercise.misconception(
    en="Near and far are exchanged: exact positions outside of the window, groups inside.",
    zh="远近颠倒了：窗口外用了精确位置，窗口内用了分组。",
)
def exchanged(length: int, window: int, group: int) -> Tensor:
    far = _grouped(length, group) - window + window // group
    return torch.where(_near(length) > -window, far, _near(length))


@exercise.misconception(
    en="The table is transposed: queries belong in rows.",
    zh="表转置了：查询应在行上。",
)
def transposed(length: int, window: int, group: int) -> Tensor:
    return exact_then_grouped(length, window, group).T


@exercise.misconception(
    en="The positions are divided but not rounded down: every token is a group of its own, at a "
    "fractional position.",
    zh="位置做了除法，却没有向下取整：每个词元自成一组，位置是分数。",
)
def not_rounded(length: int, window: int, group: int) -> Tensor:
    p = torch.arange(length) / group
    far = p[None, :] - p[:, None] - window + window // group
    return torch.where(_near(length) > -window, _near(length).float(), far)


@exercise.misconception(
    en="Nothing is rounded down: `/` in place of `//`, for both positions and for w/G.",
    zh="都没有向下取整：两个位置和w/G都用了`/`，应为`//`。",
)
def nothing_rounded(length: int, window: int, group: int) -> Tensor:
    far = _near(length) / group - window + window / group
    return torch.where(_near(length) > -window, _near(length).float(), far)


@exercise.misconception(
    en="Keys ahead of the query are grouped as well: you compared the absolute distance with the "
    "window. Keys ahead of the query stay as they are.",
    zh="查询之后的键也分了组：你拿距离的绝对值与窗口比了。查询之后的一律照旧。",
)
def grouped_ahead(length: int, window: int, group: int) -> Tensor:
    far = _grouped(length, group) - window + window // group
    return torch.where(_near(length).abs() < window, _near(length), far)


@exercise.misconception(
    en="The query is moved by w//G, not by w − w//G.",
    zh="查询移动了w//G，应为w − w//G。",
)
def moved_by_groups(length: int, window: int, group: int) -> Tensor:
    return _joined(_grouped(length, group) - window // group, window)
