"""Exercise bucket_of_distance: T5's buckets, exact near by and logarithmic further away."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text
from posenc_ref.t5 import t5_bucket

exercise = Exercise(
    id="bucket_of_distance",
    chapter="04_relative",
    title=Text(en="T5's buckets", zh="T5的桶"),
    task=Text(
        en=r"""Return T5's bucket of each relative position (key minus query).

One direction (`bidirectional=False`): $m$ is `buckets`, $n=\max(0,-\text{relative})$, so that keys
ahead fall into bucket 0. Both directions: $m$ is half of `buckets`, $n=|\text{relative}|$, and to
the bucket of a key ahead of the query (relative $>0$) $m$ is added.

In either case, with its own $m$ and $e=\lfloor m/2\rfloor$, the bucket is $n$ if $n<e$, else

$$\min\Bigl(m-1,\;e+\Bigl\lfloor\frac{\ln(n/e)}{\ln(\text{max\_distance}/e)}\,(m-e)\Bigr\rfloor
\Bigr).$$

In: `relative`, integers of any shape; `max_distance` is larger than $e$. Out: integers, the same
shape.""",
        zh=r"""返回每个相对位置（键减查询）在T5中所属的桶。

单向（`bidirectional=False`）：$m$就是`buckets`，$n=\max(0,-\text{relative})$，
于是查询之后的键都进0号桶。
双向：$m$取`buckets`的一半，$n=|\text{relative}|$，查询之后的键（relative $>0$），桶号再加上$m$。

单向、双向各用自己的$m$，记$e=\lfloor m/2\rfloor$：$n<e$时桶号就是$n$，否则为

$$\min\Bigl(m-1,\;e+\Bigl\lfloor\frac{\ln(n/e)}{\ln(\text{max\_distance}/e)}\,(m-e)\Bigr\rfloor
\Bigr).$$

输入：`relative`，任意形状的整数；`max_distance`大于$e$。输出：同样形状的整数。""",
    ),
    signature="bucket_of_distance(relative, bidirectional, buckets=32, max_distance=128) -> (…)",
    points=4,
    difficulty=3,
    minutes=15,
    hints=(
        Text(
            en="Do the one-directional case first: distance, exact buckets, logarithmic buckets. "
            "`torch.where` chooses between the two.",
            zh="先做单向：距离、精确的桶、对数的桶，用`torch.where`二选一。",
        ),
        Text(
            en="Compute the logarithm for all distances, near ones too. Distance 0 gives log 0 = "
            "−inf, which `torch.where` never chooses; `.long()` rounds down what is not negative.",
            zh="所有距离都算对数，近的也算。距离0会得到log 0 = −inf，`torch.where`不会选到它；"
            "对非负数，`.long()`就是向下取整。",
        ),
        Text(
            en="For both directions three things change: how many buckets there are (half), what "
            "the distance is (its absolute value), and what is added at the end "
            "(`(relative > 0) * buckets`).",
            zh="双向时变的有三处：桶数（减半），距离（取绝对值），最后加上什么"
            "（`(relative > 0) * buckets`）。",
        ),
    ),
)


@exercise.truth
def t5(relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128) -> Tensor:
    return t5_bucket(
        relative, bidirectional=bidirectional, buckets=buckets, max_distance=max_distance
    )


def _distances(rng: torch.Generator, exact: int, buckets: int, max_distance: int) -> Tensor:
    """Return relative positions, in any order, near and far, of both signs, some twice.

    None lies at the border of two buckets, where rounding decides, but the exact ones.
    """
    near = torch.randint(0, 2 * max_distance, (60,), generator=rng)
    n = torch.cat((near, torch.arange(exact), torch.tensor([5000, 10**6])))
    step = (n.clamp(min=1).double() / exact).log() / math.log(max_distance / exact)
    step = step * (buckets - exact)
    n = n[((step - step.round()).abs() > 1e-4) | (n < exact)]
    return torch.cat((n, -n))[torch.randperm(2 * len(n), generator=rng)]


@exercise.check(en="integers, the shape of the input", zh="整数，形状与输入相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for shape in ((2, 3), (1, 4, 1), (1,), ()):
        got = expect_shape(answer(torch.zeros(shape, dtype=torch.long), False), shape)
        expect(
            not got.is_floating_point(),
            f"the dtype is {got.dtype}; a bucket chooses a row, so it must be an integer",
            f"dtype为{got.dtype}；桶号要用来选行，应当是整数",
        )


@exercise.check(en="one direction: near, far, very far, ahead", zh="单向：近、远、很远、在查询之后")
def landmarks(answer: Function, rng: torch.Generator) -> None:
    relative = torch.tensor([0, -1, -15, -16, -40, -112, -113, -5000, 7])
    want = torch.tensor([0, 1, 15, 16, 23, 30, 31, 31, 0])
    expect_close(answer(relative, False), want)


@exercise.check(en="one direction, any sizes", zh="单向，任意大小", weight=3)
def causal(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, exercise.true_answer, _distances(rng, 16, 32, 128), False)
    for _ in range(4):
        buckets = int(torch.randint(4, 50, (), generator=rng))  # odd ones too
        far = int(torch.randint(buckets, 300, (), generator=rng))
        relative = _distances(rng, buckets // 2, buckets, far).unflatten(0, (2, -1))
        expect_agreement(answer, exercise.true_answer, relative, False, buckets, far)


@exercise.check(en="both directions, any sizes", zh="双向，任意大小", weight=3)
def both(answer: Function, rng: torch.Generator) -> None:
    expect_agreement(answer, exercise.true_answer, _distances(rng, 8, 16, 128), True)
    for _ in range(4):
        side = int(torch.randint(3, 25, (), generator=rng))
        far = int(torch.randint(side, 300, (), generator=rng))
        relative = _distances(rng, side // 2, side, far).unflatten(0, (2, -1))
        expect_agreement(answer, exercise.true_answer, relative, True, 2 * side, far)


def _bucket(
    distance: Tensor,
    buckets: int,
    max_distance: int,
    *,
    offset: bool = True,
    clip: bool = True,
    above: int | None = None,
    below: int | None = None,
    whole: Callable[[Tensor], Tensor] = torch.floor,
) -> Tensor:
    exact = buckets // 2
    ratio = (distance.clamp(min=1) / (above or exact)).log()
    ratio = ratio / math.log(max_distance / (below or exact))
    far = whole(ratio * (buckets - exact)).long() + (exact if offset else 0)
    far = far.clamp(max=buckets - 1) if clip else far
    return torch.where(distance < exact, distance, far)


def _sided(relative: Tensor, bidirectional: bool, buckets: int, far: int, **how: Any) -> Tensor:
    if not bidirectional:
        return _bucket((-relative).clamp(min=0), buckets, far, **how)
    side = buckets // 2
    return (relative > 0) * side + _bucket(relative.abs(), side, far, **how)


@exercise.misconception(
    en="The numbers are right, but they are floats. A bucket chooses a row of a table: turn it "
    "into an integer, `.long()`.",
    zh="数都对，但类型是浮点数。桶号要用来选表的一行：用`.long()`转成整数。",
)
def floats(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance).float()


@exercise.misconception(
    en="The + e before the logarithm is missing: distance 16 falls into bucket 0 and 40 into "
    "bucket 7 instead of 16 and 23.",
    zh="对数前漏了+e：距离16掉进0号桶，40掉进7号桶，本该是16和23。",
)
def without_exact(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, offset=False)


@exercise.misconception(
    en="In the bidirectional case, m was added to the keys *behind* the query. The keys ahead, "
    "relative > "
    "0, must get it.",
    zh="双向时，你给查询*之前*的键加了m。应当给查询之后的键（relative > 0）加。",
)
def behind_moved(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(-relative if bidirectional else relative, bidirectional, buckets, max_distance)


@exercise.misconception(
    en="The sign is turned: you took query − key. In a decoder the whole past then falls into "
    "bucket 0.",
    zh="符号反了：你用了查询−键。在解码器里，整个过去都会掉进0号桶。",
)
def query_minus_key(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(-relative, bidirectional, buckets, max_distance)


@exercise.misconception(
    en="The last bucket is not the last: nothing keeps far distances at m − 1, and they read the "
    "rows beyond it, or outside the table.",
    zh="最后一个桶没有封顶：很远的距离没有停在m − 1，会读到后面的行，甚至读到表外去。",
)
def unlimited(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, clip=False)


@exercise.misconception(
    en="Past and future share all buckets: with `bidirectional=True` each side must have half of "
    "them, those of the future moved up.",
    zh="过去和未来共用了所有的桶：`bidirectional=True`时应当两侧各占一半，未来那一半整体上移。",
)
def not_halved(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    distance = relative.abs() if bidirectional else (-relative).clamp(min=0)
    return _bucket(distance, buckets, max_distance)


@exercise.misconception(
    en="In the one-directional case, keys ahead of the query got the bucket of their absolute "
    "distance; they "
    "belong in bucket 0 (the mask hides them anyway).",
    zh="单向时，查询之后的键按绝对距离分了桶；它们都应进0号桶（反正会被掩码盖住）。",
)
def absolute_value(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    if bidirectional:
        return _sided(relative, True, buckets, max_distance)
    return _bucket(relative.abs(), buckets, max_distance)


@exercise.misconception(
    en="The logarithm is rounded to the nearest integer. The formula rounds down, ⌊…⌋: a bucket "
    "begins where the step is complete.",
    zh="对数部分四舍五入了。公式是向下取整⌊…⌋：走满一级，才进下一个桶。",
)
def rounded(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, whole=torch.round)


@exercise.misconception(
    en="With `relative >= 0` the token itself got m as well: distance 0 belongs in bucket 0.",
    zh="用了`relative >= 0`，词元自己也加了m：距离0应在0号桶。",
)
def self_moved(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    bucket = _sided(relative, bidirectional, buckets, max_distance)
    return bucket + (relative == 0) * (buckets // 2) if bidirectional else bucket


@exercise.misconception(
    en="In the bidirectional case, each side got all of `buckets`, and the keys ahead read "
    "outside the "
    "table: m is half of `buckets` there.",
    zh="双向时，两侧各用了全部`buckets`个桶，查询之后的键会读到表外去：这时m是`buckets`的一半。",
)
def doubled(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, (1 + bidirectional) * buckets, max_distance)


@exercise.misconception(
    en="In the bidirectional case your e is half of `buckets`, which is m: no bucket is left for "
    "the logarithm, and all distances from m − 1 on share the last one. e is half of m.",
    zh="双向时，你的e取了`buckets`的一半，也就是m：一个桶也没留给对数，"
    "从m − 1起的距离全进了最后一个桶。e应是m的一半。",
)
def exact_of_all(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    if not bidirectional:
        return t5(relative, False, buckets, max_distance)
    side = buckets // 2
    return relative.abs().clamp(max=side - 1) + (relative > 0) * side


@exercise.misconception(
    en="In the bidirectional case you cap at `buckets` − 1 before m is added, but a side has m "
    "buckets. Cap at m − 1: else far keys behind get buckets of the other side, and far keys ahead "
    "get some that the table does not have.",
    zh="双向时，你在加m之前以`buckets` − 1封顶，可一侧只有m个桶，应以m − 1封顶："
    "否则之前很远的键会进另一侧的桶，之后很远的键会读到表外去。",
)
def capped_at_all(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    if not bidirectional:
        return t5(relative, False, buckets, max_distance)
    bucket = _bucket(relative.abs(), buckets // 2, max_distance, clip=False)
    return bucket.clamp(max=buckets - 1) + (relative > 0) * (buckets // 2)


@exercise.misconception(
    en="In the bidirectional case you cap at `buckets` − 1 after m has been added. That holds for "
    "keys ahead, but far keys behind run on into the buckets of the other side: cap at m − 1, and "
    "add m after that.",
    zh="双向时，你先加m，再以`buckets` − 1封顶。查询之后的键没错，之前很远的键却会进另一侧的桶："
    "应先以m − 1封顶，再加m。",
)
def capped_at_the_end(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    far = _sided(relative, bidirectional, buckets, max_distance, clip=False)
    return far.clamp(max=buckets - 1)


@exercise.misconception(
    en="The ratio is ln n / ln(max_distance / e): the /e is missing in the numerator, so that the "
    "logarithmic buckets begin with a jump at n = e instead of with bucket e.",
    zh="比值写成了ln n / ln(max_distance / e)：分子里漏了/e，n = e处就跳了一大截，"
    "而不是从e号桶接着数。",
)
def log_of_distance(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, above=1)


@exercise.misconception(
    en="The ratio is ln(n/e) / ln max_distance: the /e is missing in the denominator, so that the "
    "buckets are too wide and the last ones are reached only long after max_distance.",
    zh="比值写成了ln(n/e) / ln max_distance：分母里漏了/e，桶都太宽，"
    "远远超过max_distance才到最后几个桶。",
)
def log_of_maximum(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, below=1)


@exercise.misconception(
    en="The logarithm is rounded up. The formula rounds down, ⌊…⌋.",
    zh="对数部分向上取整了。公式是向下取整⌊…⌋。",
)
def rounded_up(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, buckets, max_distance, whole=torch.ceil)


@exercise.misconception(
    en="`buckets` and `max_distance` are not used: 32 and 128 are built in. They are the defaults, "
    "and a different model may have different sizes.",
    zh="没有用到`buckets`和`max_distance`：32和128写死了。那只是默认值，换一个模型就可能不同。",
)
def sizes_built_in(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    return _sided(relative, bidirectional, 32, 128)


@exercise.misconception(
    en="Beyond e your buckets are all equally wide. They must widen with the logarithm: narrow "
    "next to e, wide far away.",
    zh="超过e之后，桶的宽度处处一样。桶应按对数变宽：离e近的窄，远的宽。",
)
def linear(
    relative: Tensor, bidirectional: bool, buckets: int = 32, max_distance: int = 128
) -> Tensor:
    side = buckets // 2 if bidirectional else buckets
    exact = side // 2
    distance = relative.abs() if bidirectional else (-relative).clamp(min=0)
    far = exact + (distance - exact) * (side - exact) // (max_distance - exact)
    bucket = torch.where(distance < exact, distance, far.clamp(max=side - 1))
    return bucket + (relative > 0) * side if bidirectional else bucket
