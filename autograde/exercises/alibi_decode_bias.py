"""Exercise alibi_decode_bias: one step's bias, from the positions that the cache keeps."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import Wrong, expect_shape
from autograde.kit.expect_values import expect_agreement, expect_close
from bilingual import Text

exercise = Exercise(
    id="alibi_decode_bias",
    chapter="08_kv_cache",
    title=Text(en="ALiBi's row for a cache with gaps", zh="缓存有缺口时ALiBi的那一行"),
    task=Text(
        en=r"""One new token for each row of a batch is at `position`. The cache keeps the
position of each column and which columns are real tokens; after eviction positions have gaps.
Return what is added to the scores of the step: $m_h\,(j-i)$ with $i$ and $j$ the *positions* of
query and key, and $-\infty$ at padding.

In: `position` `(B,)`, `positions` `(B, L)`, `visible` `(B, L)`, boolean, `slopes` `(H,)`.
Out: `(B, H, 1, L)`.""",
        zh=r"""批次里每一行有一个新词元，位置是`position`。缓存里存着每一列的位置，以及哪些列是实际词元；
驱逐之后，位置会有缺口。返回这一步要加到得分上的数：$m_h\,(j-i)$，其中$i$、$j$是查询与键的*位置*；
填充处为$-\infty$。

输入：`position`，形状`(B,)`；`positions`，形状`(B, L)`；`visible`，形状`(B, L)`，布尔；
`slopes`，形状`(H,)`。输出：`(B, H, 1, L)`。""",
    ),
    signature="alibi_decode_bias(position, positions, visible, slopes) -> (B, H, 1, L)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="A cache kept tokens 0, 1, 17, 18, 19, and the new token is at 20. How far away is "
            "token 1? Which input holds it?",
            zh="缓存里留下了词元0、1、17、18、19，新词元在20。词元1离它多远？"
            "哪个输入里有这个信息？",
        ),
        Text(
            en="`positions - position[:, None]` is key minus query, shape (B, L). Where do the "
            "axes of the heads and of the one query belong?",
            zh="`positions - position[:, None]`就是键减查询，形状为(B, L)。"
            "头和唯一的查询这两个轴该添在哪里？",
        ),
        Text(
            en="`slopes[:, None, None]` is (H, 1, 1), `relative[:, None, None]` is (B, 1, 1, L); "
            "then `.masked_fill(~visible[:, None, None], -torch.inf)`.",
            zh="`slopes[:, None, None]`是(H, 1, 1)，`relative[:, None, None]`是(B, 1, 1, L)；"
            "再`.masked_fill(~visible[:, None, None], -torch.inf)`。",
        ),
    ),
)


@exercise.truth
def penalty_by_position(
    position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor
) -> Tensor:
    """Return slope times (key − query) at words, −∞ at padding."""
    return _bias(positions - position[:, None], visible, slopes)


def _bias(relative: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    bias = slopes[:, None, None] * relative[:, None, None]
    return bias.masked_fill(~visible[:, None, None], -torch.inf)


def _caches(rng: torch.Generator, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return position, positions and words of five rows: see below; padding holds any number."""
    left, right, far, gap = torch.randint(1, 4, (4,), generator=rng).tolist()
    column = torch.arange(length)
    rows = torch.stack(
        (
            column,  # whole
            column + 10 * gap * (column >= 2),  # evicted
            column - left,  # padded on the left
            column,  # padded on the right
            (column + 30_000 * far).roll(2),  # a ring buffer that has come round
        )
    )
    words = torch.ones(5, length, dtype=torch.bool)
    words[2, :left] = words[3, -right:] = False
    position = rows.masked_fill(~words, -1).amax(1)  # the newest word
    noise = torch.randint(length, 300, words.shape, generator=rng)
    return position, rows.where(words, noise), words


@exercise.check(en="one row for each head and text", zh="每个头、每段文本一行")
def shape(answer: Function, rng: torch.Generator) -> None:
    position, positions, visible = _caches(rng, 6)
    expect_shape(answer(position, positions, visible, torch.ones(3)), (5, 3, 1, 6))
    one = position[:1], positions[:1, :1], visible[:1, :1]
    expect_shape(answer(*one, torch.ones(1)), (1, 1, 1, 1))


@exercise.check(en="equals m (j − i) on a whole cache", zh="缓存完整时等于m (j − i)", weight=2)
def whole(answer: Function, rng: torch.Generator) -> None:
    for length, heads in ((6, 4), (220, 1)):
        cache = (x[:1] for x in _caches(rng, length))
        slopes = torch.rand(heads, generator=rng)
        expect_agreement(answer, exercise.true_answer, *cache, slopes)


@exercise.check(
    en="measures distances in the text, not in the cache, after eviction",
    zh="驱逐之后，量的是文本里的距离，不是缓存里的",
    weight=2,
)
def evicted(answer: Function, rng: torch.Generator) -> None:
    position, *cache = (x[:2] for x in _caches(rng, 7))
    # the newest word of the cache is the query itself, or else an earlier word
    for later in (0, int(torch.randint(1, 5, (), generator=rng))):
        slopes = torch.rand(2, generator=rng)
        expect_agreement(answer, exercise.true_answer, position + later, *cache, slopes)


@exercise.check(en="padding gets −∞, and nothing else does", zh="填充处为−∞，别处都不是", weight=2)
def padded(answer: Function, rng: torch.Generator) -> None:
    (length,) = torch.randint(6, 12, (1,), generator=rng).tolist()
    for columns, heads in ((length, 3), (length + 210, 1)):
        # a ring buffer first: its newest word stands neither at the end nor at column L - 1
        cache = [x.flip(0) for x in _caches(rng, columns)]
        slopes = torch.rand(heads, generator=rng)
        got, want = answer(*cache, slopes), exercise.true_answer(*cache, slopes)
        at_padding = expect_shape(got, tuple(want.shape)).detach()[want.isinf()]
        finite = at_padding[at_padding.isfinite()]
        if len(finite):
            raise Wrong(
                f"padding gets {finite[0].item():g}, a finite number; −∞ is what hides it",
                f"填充处是{finite[0].item():g}，一个有限的数；要遮住它，得是−∞",
            )
        expect_close(got, want)


@exercise.misconception(
    en="You measured in columns of the cache. With left padding that happens to be right, but "
    "after eviction far keys come too near: if tokens 0, 1, 17, 18, 19 are kept and the new one "
    "is at 20, token 1 looks 4 tokens away instead of 19.",
    zh="你按缓存的列来量。左填充时碰巧没错，但驱逐之后远处的键显得太近：词元1看上去在4个词元之外，"
    "其实是19个。",
)
def columns(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    length = positions.shape[1]
    relative = torch.arange(length) - (length - 1)
    return _bias(relative.expand_as(positions), visible, slopes)


@exercise.misconception(
    en="What you add is the distance, query minus key: far keys get a bonus instead of a penalty.",
    zh="你加的是距离，即查询减键：远处的键不但不扣分，反而加分。",
)
def bonus(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(position[:, None] - positions, visible, slopes)


@exercise.misconception(
    en="The query is at 0 here: the row is m·j. The softmax of a row forgives a constant, but "
    "not once a logit from outside the row joins in (a learned sink).",
    zh="这里查询的位置成了0，这一行成了m·j。如果softmax只对这一行来做，整行多一个常数没有影响；"
    "但一旦加入行外的logit（如可学习的attention sink），就不是这样了。",
)
def query_at_zero(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions, visible, slopes)


@exercise.misconception(
    en="Padding is not masked: the new token attends to keys that are not real tokens.",
    zh="没有遮住填充：新词元会注意到不是实际词元的键。",
)
def sees_padding(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions - position[:, None], torch.ones_like(visible), slopes)


@exercise.misconception(
    en="The mask is the wrong way round: tokens get −∞ and padding stays.",
    zh="掩码反了：词元成了−∞，填充倒留着。",
)
def mask_reversed(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions - position[:, None], ~visible, slopes)


@exercise.misconception(
    en="The query's position is right, but keys are numbered by *column*: after eviction a key "
    "is where `positions` says.",
    zh="查询的位置没错，键却按*列号*来数。驱逐之后，键的位置要看`positions`。",
)
def keys_by_column(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(torch.arange(positions.shape[1]) - position[:, None], visible, slopes)


@exercise.misconception(
    en="The query's position was read from the last column. With right padding that column is not "
    "a real token: use `position`.",
    zh="查询的位置取自最后一列。右填充时，那一列不是实际词元：请用`position`。",
)
def last_column(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions - positions[:, -1:], visible, slopes)


@exercise.misconception(
    en="You put the query at the newest token of the cache. As long as the new token's own key has "
    "not been joined on, it is later than all of them: use `position`.",
    zh="你把缓存里最新的词元当成了查询。新词元自己的键还没接进缓存时，它比缓存里的都晚："
    "请用`position`。",
)
def newest_word(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    newest = positions.where(visible, -1).amax(1)
    return _bias(positions - newest[:, None], visible, slopes)


@exercise.misconception(
    en="All rows were measured from the position of the first; each row of the batch has its own.",
    zh="所有行都从第一行的位置量起，而批次里每一行有自己的位置。",
)
def first_row(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions - position[:1], visible, slopes)


@exercise.misconception(
    en="Padding got the bias 0, which is not a mask but the largest bias of the row: it is what "
    "the "
    "token itself gets. Hiding takes −∞.",
    zh="填充处加的是0，这不是掩码，反而是一行里最大的偏置，和词元自己的一样。要遮住，得是−∞。",
)
def zero_at_padding(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return slopes[:, None, None] * ((positions - position[:, None]) * visible)[:, None, None]


@exercise.misconception(
    en="The mask was multiplied by −∞ and added: at tokens that is 0 · ∞, NaN. Use `masked_fill` "
    "or "
    "`torch.where`.",
    zh="你把掩码乘以−∞再加上去：在词元处成了0·∞，也就是NaN。请用`masked_fill`或`torch.where`。",
)
def zero_times_infinity(
    position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor
) -> Tensor:
    bias = slopes[:, None, None] * (positions - position[:, None])[:, None, None]
    return bias + ~visible[:, None, None] * -torch.inf


@exercise.misconception(
    en="The tokens are numbered one after the other, which closes the gaps that eviction has left. "
    "`position` and `positions` know where they are in the text.",
    zh="你把词元一个接一个地重新编号，驱逐留下的缺口就没了。它们在文本里的位置，"
    "要看`position`和`positions`。",
)
def numbered_words(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    number = visible.long().cumsum(-1)
    return _bias(number - number[:, -1:], visible, slopes)


@exercise.misconception(
    en="The query was put at column L − 1, and `position` was not used. After eviction or with "
    "padding it is elsewhere in the text.",
    zh="你把查询放在了第L − 1列，没有用`position`。有驱逐或填充时，它在文本里另有位置。",
)
def query_by_column(position: Tensor, positions: Tensor, visible: Tensor, slopes: Tensor) -> Tensor:
    return _bias(positions - (positions.shape[1] - 1), visible, slopes)
