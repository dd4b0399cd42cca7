"""Exercise clinic_bucket_past: buckets for far distances that begin at 0 again."""

import math

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_dtype, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.t5 import t5_bucket

exercise = Exercise(
    id="clinic_bucket_past",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: far is near again",
        zh="修错：远的又成了近的",
    ),
    task=Text(
        en=r"""Mend `case_11`, T5's bucket of a distance into the past, with 32 buckets and
largest distance 128: a bucket for each of 0 … 15, then 16 more, wider and wider, up to number
31.

In: `distance`, int64, any shape, not negative. Out: int64, the same shape.""",
        zh=r"""修好`case_11`：T5中“多少个词元之前”属于哪个桶，共32个桶，最大距离128：
0到15各一个桶，之后再有16个越来越宽的桶，编号到31为止。

输入：`distance`，int64，任意形状，非负。输出：int64，形状相同。""",
    ),
    signature="clinic_bucket_past(distance) -> buckets",
    points=1,
    difficulty=2,
    minutes=5,
    hints=(
        Text(
            en="Print the buckets of 14, 15, 16, 17. Do numbers ever fall?",
            zh="打印14、15、16、17的桶号。编号会变小吗？",
        ),
        Text(
            en="At distance 16 the logarithm is 0. Which bucket should that be?",
            zh="距离16处对数为0。那应是几号桶？",
        ),
        Text(
            en="Add the 16 exact buckets to the logarithmic part, then clamp to 31.",
            zh="对数部分要加上前面那16个桶，再截到31。",
        ),
    ),
)


@exercise.truth
def sixteen_exact(distance: Tensor) -> Tensor:
    """Return the buckets of T5's decoder, as the reference does."""
    return t5_bucket(-distance, bidirectional=False)


@exercise.check(en="integers of the same shape", zh="整数，形状相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for shape in ((3, 4), (1, 1), ()):
        distance = torch.randint(0, 15, shape, generator=rng)
        expect_shape(expect_dtype(answer(distance), torch.int64), shape)


@exercise.check(
    en="a longer distance never has a smaller number", zh="距离变长，桶号不会变小", weight=2
)
def never_falls(answer: Function, rng: torch.Generator) -> None:
    got = expect_shape(answer(torch.arange(300)), (300,))
    steps = got[1:] - got[:-1]
    where = int(steps.argmin())
    expect(
        bool((steps >= 0).all()),
        f"distance {where} is in bucket {int(got[where])}, {where + 1} in {int(got[where + 1])}",
        f"距离{where}在{int(got[where])}号桶，{where + 1}却在{int(got[where + 1])}号桶",
    )
    expect(int(got[-1]) == 31, "the last bucket is 31", "最后一个桶应是31号")


@exercise.check(en="the buckets of T5", zh="与T5的桶相同", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    expect_close(answer(torch.tensor([16, 40, 112, 113, 5000])), torch.tensor([16, 23, 30, 31, 31]))
    shuffled = torch.randperm(200, generator=rng)
    far = torch.randint(200, 10**6, (3, 1, 2), generator=rng)
    for distance in (shuffled, shuffled.view(10, 20).T, far):
        expect_agreement(answer, exercise.true_answer, distance)


def _buckets(distance: Tensor, exact: int, first: int, last: int = 31) -> Tensor:
    far = first + 16 * (distance.clamp(min=1) / exact).log() / math.log(128 / exact)
    return torch.where(distance < exact, distance, far.long().clamp(max=last))


@exercise.misconception(
    en="The numbers are right, the type is not: buckets are the rows of a table, so int64.",
    zh="数对了，类型不对：桶号是表的行号，要用int64。",
)
def not_whole(distance: Tensor) -> Tensor:
    return _buckets(distance, 16, 16).float()


@exercise.misconception(
    en="Still the broken version, as printed in the KERPLE paper: distance 16 falls back to bucket "
    "0, 40 to bucket 7.",
    zh="还是有错的那个版本，KERPLE论文里印的就是它：距离16回到0号桶，40回到7号桶。",
)
def unchanged(distance: Tensor) -> Tensor:
    return _buckets(distance, 16, 0)


@exercise.misconception(
    en="You added 15: 15 and 16 share a bucket, and number 31 begins too late.",
    zh="你加的是15：15和16落进同一个桶，31号桶也来得太晚。",
)
def fifteen(distance: Tensor) -> Tensor:
    return _buckets(distance, 16, 15)


@exercise.misconception(
    en="You made 32 exact buckets: everything beyond 31 shares the last.",
    zh="你做了32个精确的桶：31以外全都挤在最后一个。",
)
def only_exact(distance: Tensor) -> Tensor:
    return distance.clamp(max=31)


@exercise.misconception(
    en="You clamp before you add the 16, or not at all: numbers run beyond 31, and a table of 32 "
    "rows has no row for them.",
    zh="你先截断再加16，或者根本没截断：编号会超过31，而表只有32行。",
)
def clamped_early(distance: Tensor) -> Tensor:
    far = (16 * (distance.clamp(min=1) / 16).log() / math.log(8)).long().clamp(max=31)
    return torch.where(distance < 16, distance, 16 + far)


@exercise.misconception(
    en="Nothing is clamped: past 128 numbers run beyond 31, and a table of 32 rows has no row "
    "for them.",
    zh="没有截断：128以外编号会超过31，而表只有32行。",
)
def not_clamped(distance: Tensor) -> Tensor:
    return _buckets(distance, 16, 16, last=10**6)


@exercise.misconception(
    en="The last bucket is 32: with 32 buckets, counted from 0, the last number is 31.",
    zh="最后一个桶成了32号：32个桶从0数起，最后一个是31号。",
)
def one_bucket_more(distance: Tensor) -> Tensor:
    return _buckets(distance, 16, 16, last=32)


@exercise.misconception(
    en="Only 8 distances have buckets of their own: that is the encoder, which halves its 32. "
    "A decoder has 16.",
    zh="只有8个距离各有自己的桶：那是编码器，它把32个桶分成两半。解码器有16个。",
)
def eight_exact(distance: Tensor) -> Tensor:
    return t5_bucket(-distance.abs(), bidirectional=True)


@exercise.misconception(
    en="The logarithm is divided by log 128, not by log(128/16): buckets are too wide, and "
    "distance 128 gets number 22 instead of 31.",
    zh="对数除的是log 128，应为log(128/16)：桶太宽了，距离128只排到22号，而不是31号。",
)
def log_of_128(distance: Tensor) -> Tensor:
    far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(128)
    return torch.where(distance < 16, distance, far.long().clamp(max=31))


@exercise.misconception(
    en="You round the number of the bucket to the nearest: T5 cuts it off, so each bucket "
    "begins where the next whole number is reached.",
    zh="你把桶号四舍五入了：T5是直接截断，到了下一个整数才换桶。",
)
def rounded(distance: Tensor) -> Tensor:
    far = 16 + 16 * (distance.clamp(min=1) / 16).log() / math.log(8)
    return torch.where(distance < 16, distance, far.round().long().clamp(max=31))


@exercise.misconception(
    en="`distance // 16` is a whole number before the logarithm is taken: all distances from 16 to "
    "31 share a bucket. Divide with `/`, and cut off only the finished number.",
    zh="取对数之前，`distance // 16`已成整数：16到31的距离全落进同一个桶。要用`/`，"
    "只对最后的桶号取整。",
)
def whole_quotient(distance: Tensor) -> Tensor:
    return _buckets(torch.where(distance < 16, distance, distance // 16 * 16), 16, 16)


@exercise.misconception(
    en="The buckets from 16 on are equally wide. They become wider with the distance: the "
    "*logarithm* is cut into equal parts.",
    zh="16以后的桶一样宽。它们应当越远越宽：等分的是距离的*对数*。",
)
def equally_wide(distance: Tensor) -> Tensor:
    far = 16 + (distance - 16) * 16 // (128 - 16)
    return torch.where(distance < 16, distance, far.clamp(max=31))
