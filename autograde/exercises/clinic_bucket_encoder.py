"""Exercise clinic_bucket_encoder: an encoder whose buckets do not tell past from future."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_effect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.t5 import t5_bucket

exercise = Exercise(
    id="clinic_bucket_encoder",
    chapter="12_bug_clinic",
    title=Text(
        en="Fix: an encoder without left and right",
        zh="改错：不分左右的编码器",
    ),
    task=Text(
        en=r"""Fix `case_12`, the bucket of T5's encoder: 16 buckets for the past and the token
itself, 16 more, numbers 16 … 31, for the future (16 itself stays unused: the future begins at
distance 1). Within a side, as there: 0 … 7 exact, then wider, and from 91 on all in the last
bucket (128 remains the largest distance of the formula).

In: `relative` = key − query, int64, any shape. Out: int64, the same shape.""",
        zh=r"""修好`case_12`：T5编码器的桶。过去和词元自身用16个桶，未来另用16个，
编号16到31（未来从距离1开始，16号空着）。
每一侧仍照原样：0到7精确，之后越来越宽，从91起全在最后一个桶（公式里的最大距离仍取128）。

输入：`relative`，即键−查询，int64，任意形状。输出：int64，形状相同。""",
    ),
    signature="clinic_bucket_encoder(relative) -> buckets",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print the buckets of −3 and 3.",
            zh="打印−3和3的桶号。",
        ),
        Text(
            en="A table of 32 rows is read: which rows does the broken version never read?",
            zh="表有32行：有错的版本从不读哪些行？",
        ),
        Text(
            en="The bucket within a side is right. The future needs 16 more; to which side does "
            "the token itself, at 0, belong?",
            zh="一侧之内的桶号没有问题。未来要再加16；词元自身在0处，它算哪一侧？",
        ),
    ),
)


@exercise.truth
def both_sides(relative: Tensor) -> Tensor:
    """Return the buckets of T5's encoder, as the reference does."""
    return t5_bucket(relative, bidirectional=True)


@exercise.check(en="integers of the same shape", zh="整数，形状相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 3), (1, 1), ()):
        relative = torch.randint(-7, 7, shape, generator=rng)
        expect_shape(expect_dtype(answer(relative), torch.int64), shape)


@exercise.check(en="past and future share no bucket", zh="过去与未来没有共用的桶", weight=2)
def directions(answer: Function, rng: torch.Generator) -> None:
    after, before = torch.arange(1, 300), -torch.arange(300)
    ahead = expect_effect(answer(after), (299,), after)
    behind = expect_effect(answer(before), (300,), before)
    shared = set(ahead.tolist()) & set(behind.tolist())
    expect(
        not shared,
        f"bucket {min(shared, default=0)} is used for both past and future",
        f"{min(shared, default=0)}号桶过去和未来都在用",
    )


@exercise.check(en="the buckets of T5's encoder", zh="与T5编码器的桶相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    few = torch.tensor([-200, -9, -3, 0, 3, 9, 200])  # by hand
    expect_close(answer(few), torch.tensor([15, 8, 3, 0, 19, 24, 31]))
    shuffled = torch.randperm(400, generator=rng) - 199
    far = torch.randint(-(10**6), 10**6, (3, 1, 2), generator=rng)
    for relative in (shuffled, shuffled.view(20, 20).T, far):
        expect_agreement(answer, exercise.true_answer, relative)


def _side(distance: Tensor, buckets: int, whole: Function = torch.floor) -> Tensor:
    exact = buckets // 2
    far = exact + exact * (distance.clamp(min=1) / exact).log() / math.log(128 / exact)
    return torch.where(distance < exact, distance, whole(far).long().clamp(max=buckets - 1))


@exercise.misconception(
    en="The numbers are right, but the type is not: buckets are the rows of a table, so int64.",
    zh="数对了，类型不对：桶号是表的行号，要用int64。",
)
def not_whole(relative: Tensor) -> Tensor:
    return (16 * (relative > 0) + _side(relative.abs(), 16)).float()


@exercise.misconception(
    en="Still the broken version: 3 tokens back and 3 ahead share bucket 3, and half of the table "
    "is never read.",
    zh="还是有错的那个版本：3个词元之前和3个词元之后共用3号桶，表有一半从未读过。",
)
def unchanged(relative: Tensor) -> Tensor:
    return _side(relative.abs(), 16)


@exercise.misconception(
    en="The halves are swapped: you gave 16 … 31 to the past. In T5 the future has them.",
    zh="两半弄反了：你把16到31给了过去，T5里是给未来的。",
)
def swapped(relative: Tensor) -> Tensor:
    return 16 * (relative < 0) + _side(relative.abs(), 16)


@exercise.misconception(
    en="The token itself counts as future: relative 0 must be in bucket 0.",
    zh="你把词元自身算作了未来：相对位置0应在0号桶。",
)
def itself_ahead(relative: Tensor) -> Tensor:
    return 16 * (relative >= 0) + _side(relative.abs(), 16)


@exercise.misconception(
    en="You kept all 32 buckets a side and then added 16: the sides overlap, and numbers exceed "
    "31.",
    zh="每一侧还是32个桶，又加了16：两侧重叠，编号超过31。",
)
def not_halved(relative: Tensor) -> Tensor:
    return 16 * (relative > 0) + _side(relative.abs(), 32)


@exercise.misconception(
    en="You add the 16 to the far buckets alone: 3 tokens back and 3 ahead still share bucket 3.",
    zh="你只给远处的桶加了16：3个词元之前和3个词元之后仍共用3号桶。",
)
def far_alone(relative: Tensor) -> Tensor:
    near = relative.abs() < 8
    return _side(relative.abs(), 16) + 16 * ((relative > 0) & ~near)


@exercise.misconception(
    en="You add the 16 to the exact buckets alone: 20 tokens back and 20 ahead still share bucket "
    "10. Add it after `torch.where`.",
    zh="你只给精确的桶加了16：20个词元之前和20个词元之后仍共用10号桶。要在`torch.where`之后再加。",
)
def near_alone(relative: Tensor) -> Tensor:
    near = relative.abs() < 8
    return _side(relative.abs(), 16) + 16 * ((relative > 0) & near)


@exercise.misconception(
    en="These are the buckets of the decoder: all of the future shares bucket 0. An encoder "
    "looks both ways.",
    zh="这是解码器的桶：未来全都挤在0号桶。编码器两边都要看。",
)
def decoder(relative: Tensor) -> Tensor:
    return t5_bucket(relative, bidirectional=False)


@exercise.misconception(
    en="You added 15 for the future: its buckets run from 16 to 30, each one too low; in T5 they "
    "run from 17 to 31. Each side has 16 buckets, so add 16.",
    zh="给未来加的是15：桶号成了16到30，T5里是17到31，个个少了1。每一侧有16个桶，该加16。",
)
def fifteen(relative: Tensor) -> Tensor:
    return 15 * (relative > 0) + _side(relative.abs(), 16)


@exercise.misconception(
    en="You clamp at 31 after adding 16, not each side at 15: the far past runs into the "
    "buckets of the future.",
    zh="你加了16之后才在31处截断，而不是每一侧在15处截断：遥远的过去就跑进了未来的桶。",
)
def clamped_late(relative: Tensor) -> Tensor:
    n = relative.abs()
    far = (8 + 8 * (n.clamp(min=1) / 8).log() / math.log(16)).long()
    return (torch.where(n < 8, n, far) + 16 * (relative > 0)).clamp(max=31)


@exercise.misconception(
    en="The sides share buckets, and there are 32 of them: 3 tokens back and 3 ahead are both in "
    "bucket 3. Each side should have 16, and those of the future begin at 16.",
    zh="两侧共用32个桶：3个词元之前和3个词元之后都在3号桶。每一侧有16个，未来的从16号起。",
)
def shared_by_both(relative: Tensor) -> Tensor:
    return _side(relative.abs(), 32)


@exercise.misconception(
    en="All of the future is in bucket 0: its distances are negative and were clamped. An encoder "
    "looks both ways: take |relative|, and add 16 for the future.",
    zh="未来全在0号桶：它的距离是负的，被截断了。编码器两边都要看：取|relative|，未来再加16。",
)
def future_clamped(relative: Tensor) -> Tensor:
    return _side((-relative).clamp(min=0), 16)


@exercise.misconception(
    en="The distance has its sign: all of the past gets negative numbers. The bucket goes by "
    "|relative|; the sign only decides the side.",
    zh="距离带了符号：过去的桶号成了负数。桶按|relative|来分，符号只决定在哪一侧。",
)
def distance_with_a_sign(relative: Tensor) -> Tensor:
    return _side(relative, 16) + 16 * (relative > 0)


@exercise.misconception(
    en="Each side has all 32 buckets, 64 together. The table has 32: 16 for each side.",
    zh="每一侧都用了32个桶，一共64个。表只有32行：每侧16个。",
)
def two_tables(relative: Tensor) -> Tensor:
    return _side(relative.abs(), 32) + 32 * (relative > 0)


@exercise.misconception(
    en="The number of the bucket has a sign. Buckets are rows of a table, 0 to 31: those of one "
    "side are moved up by 16 instead.",
    zh="桶号带了正负号。桶号是表的行号，从0到31：应当把一侧的桶整体加16。",
)
def bucket_with_a_sign(relative: Tensor) -> Tensor:
    return _side(relative.abs(), 16) * relative.sign()


@exercise.misconception(
    en="You rounded the bucket of a far distance to the nearest integer. T5 rounds down: 10 tokens "
    "away gives 8.64, which is bucket 8, not 9.",
    zh="远处的桶号你四舍五入了。T5是向下取整：相距10个词元时算得8.64，是8号桶，不是9号。",
)
def rounded(relative: Tensor) -> Tensor:
    return _side(relative.abs(), 16, whole=torch.round) + 16 * (relative > 0)


@exercise.misconception(
    en="The last bucket has no limit: from distance 128 on the numbers run into those of the "
    "other direction, or past the table. Clamp to 15 before the 16 is added.",
    zh="最后一个桶没有封顶：距离从128起，桶号会闯进另一个方向的桶，或者超出表外。加16之前先限制到15。",
)
def without_the_limit(relative: Tensor) -> Tensor:
    distance = relative.abs()
    far = 8 + 8 * (distance.clamp(min=1) / 8).log() / math.log(16)
    return 16 * (relative > 0) + torch.where(distance < 8, distance, far.floor().long())
