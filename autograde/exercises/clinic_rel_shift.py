"""Exercise clinic_rel_shift: a relative shift padded at the wrong end."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text
from posenc_ref.rel_shift import rel_shift

exercise = Exercise(
    id="clinic_rel_shift",
    chapter="12_bug_clinic",
    title=Text(
        en="Mend: every token one step away from itself",
        zh="修错：每个词元都离自己一步",
    ),
    task=Text(
        en=r"""Mend `case_13`, Transformer-XL's shift from columns by distance to columns by
key.

In: `x` of shape `(H, L, L)`; column $c$ holds the score at distance $L-1-c$. Out: `(H, L, L)`;
at row $i$, column $j\le i$ stands the score of query $i$ at distance $i-j$. What stands above
the diagonal does not matter: the causal mask hides it.""",
        zh=r"""修好`case_13`：Transformer-XL的移位，把按距离排的列变成按键排的列。

输入：`x`，形状`(H, L, L)`；第$c$列是距离$L-1-c$处的得分。输出：`(H, L, L)`；第$i$行第$j\le i$列
是查询$i$在距离$i-j$处的得分。对角线上方是什么都行：因果掩码会遮住。""",
    ),
    signature="clinic_rel_shift(x) -> (H, L, L)",
    points=1,
    difficulty=3,
    minutes=6,
    hints=(
        Text(
            en="Feed it the distances themselves: 0 should stand on the diagonal.",
            zh="直接把距离喂给它：对角线上应该是0。",
        ),
        Text(
            en="Row i moves left by L − 1 − i places. On which side does a row need the extra "
            "column?",
            zh="第i行要左移L − 1 − i格。多出来的一列该加在行的哪一端？",
        ),
        Text(
            en="`F.pad(x, (0, 1))` pads behind the last column. After `flatten` the extra number "
            "stands between the wrong two rows: it must stand in front.",
            zh="`F.pad(x, (0, 1))`加在最后一列后面。`flatten`之后，多出的数就夹在了错误的两行之间："
            "它应加在前面。",
        ),
    ),
)


@exercise.truth
def by_key(x: Tensor) -> Tensor:
    """Return the scores by key, as the reference does."""
    return rel_shift(x)


@exercise.counts
def up_to_the_query(result: Tensor, x: Tensor) -> Tensor:
    """Return what the causal mask leaves."""
    return result.tril()


@exercise.check(en="the shape of x", zh="形状与x相同")
def shape(answer: Function, rng: torch.Generator) -> None:
    for heads, length in ((3, 4), (1, 1)):
        expect_shape(answer(torch.zeros(heads, length, length)), (heads, length, length))


@exercise.check(en="distance 0 on the diagonal", zh="对角线上是距离0", weight=2)
def itself(answer: Function, rng: torch.Generator) -> None:
    distances = torch.arange(6.0).flip(0).expand(2, 6, 6) + 1  # distance + 1: 0 is padding
    got = expect_shape(answer(distances), (2, 6, 6))
    expect_close(got.diagonal(0, 1, 2), torch.ones(2, 6))


@exercise.check(
    en="query i at key j has the score of distance i − j",
    zh="查询i在键j处的得分是距离i − j的得分",
    weight=3,
)
def values(answer: Function, rng: torch.Generator) -> None:
    length = int(torch.randint(9, 30, (), generator=rng))
    for heads, size in ((3, 5), (2, length), (1, 2), (1, 1), (2, 130)):
        x = torch.randn(size, heads, size, generator=rng).transpose(0, 1)
        got = expect_shape(answer(x), (heads, size, size))
        expect_close(got.tril(), exercise.true_answer(x).tril())


def _shifted(x: Tensor, front: int, drop: int) -> Tensor:
    length = x.shape[-1]
    padded = torch.nn.functional.pad(x, (front, 1 - front))
    return padded.flatten(-2)[..., drop : drop + length * length].unflatten(-1, (length, length))


@exercise.misconception(
    en="Still the broken version: the extra column stands behind, so the token itself gets the "
    "padding's 0 and every other key the score of one step nearer.",
    zh="还是有错的那个版本：多的一列加在了后面，于是词元自身拿到填充的0，"
    "其余的键都拿到近一步的得分。",
)
def unchanged(x: Tensor) -> Tensor:
    return _shifted(x, 0, x.shape[-1])


@exercise.misconception(
    en="Not shifted at all: column j still holds distance L − 1 − j in every row.",
    zh="根本没有移位：每一行的第j列仍是距离L − 1 − j。",
)
def unmoved(x: Tensor) -> Tensor:
    return x.clone()


@exercise.misconception(
    en="You padded in front, and then dropped the end instead of the beginning: every row shows "
    "the wrong query's scores.",
    zh="你在前面加了一列，却丢掉了末尾而不是开头：每一行都成了别的查询的得分。",
)
def dropped_end(x: Tensor) -> Tensor:
    return _shifted(x, 1, 0)


@exercise.misconception(
    en="Each row is one step too far: the diagonal holds distance 1, and distance 0 stands behind "
    "it, where the mask hides it.",
    zh="每一行都多移了一格：对角线上是距离1，距离0跑到了它后面，被掩码遮住。",
)
def one_too_far(x: Tensor) -> Tensor:
    return rel_shift(x.roll(1, -1))


@exercise.misconception(
    en="The columns are reversed: column 0 now holds distance 0 in every row. A row must move by "
    "its own number of places.",
    zh="你把列倒了过来：每一行的第0列都成了距离0。每一行要移动的格数是不同的。",
)
def flipped(x: Tensor) -> Tensor:
    return x.flip(-1)


@exercise.misconception(
    en="Each row moves the other way: row i must move left by L − 1 − i, so that the last one "
    "stays.",
    zh="每一行都往反方向移了：第i行要左移L − 1 − i格，最后一行不动。",
)
def other_way(x: Tensor) -> Tensor:
    rows = [row.roll(x.shape[2] - 1 - i, -1) for i, row in enumerate(x.unbind(1))]
    return torch.stack(rows, 1)


@exercise.misconception(
    en="All rows move alike. The distance of a column depends on the row: row i moves by L − 1 "
    "− i.",
    zh="所有行移得一样多。一列对应的距离取决于行：第i行要移L − 1 − i格。",
)
def all_rows_alike(x: Tensor) -> Tensor:
    return x.roll(-1, -1)


@exercise.misconception(
    en="All rows move right by one column, and nothing else happens: the extra column was cut off "
    "at the end of each row. Rows shift only if the whole is read again, as L + 1 rows of L.",
    zh="所有行都右移了一列，别的什么也没变：多的一列在每行末尾又被切掉了。"
    "只有把矩阵重新读成L + 1行、每行L个，各行才会错开。",
)
def cut_off_in_each_row(x: Tensor) -> Tensor:
    return torch.nn.functional.pad(x, (1, 0))[..., :-1]


@exercise.misconception(
    en="You took column i − j. Distances fall from left to right, so distance i − j stands in "
    "column L − 1 − (i − j).",
    zh="你取的是第i − j列。距离从左到右递减，所以距离i − j在第L − 1 − (i − j)列。",
)
def columns_by_distance(x: Tensor) -> Tensor:
    at = torch.arange(x.shape[-1])
    return x.gather(-1, (at[:, None] - at).clamp(min=0).expand_as(x))


@exercise.misconception(
    en="You took column L − i + j, one too far to the right: distance 0 stands in the last column, "
    "L − 1. On the diagonal a clamp hides it.",
    zh="你取的是第L − i + j列，偏右一列：距离0在最后一列，即第L − 1列。对角线上因为截断看不出来。",
)
def one_column_off(x: Tensor) -> Tensor:
    at, length = torch.arange(x.shape[-1]), x.shape[-1]
    return x.gather(-1, (length - at[:, None] + at).clamp(max=length - 1).expand_as(x))


@exercise.misconception(
    en="Padded and read again as L + 1 rows, which is right; the first of them holds no query's "
    "scores. Drop it: `[:, 1:]`.",
    zh="补一列、再读成L + 1行，都对；但第一行不是任何查询的得分。要去掉它：`[:, 1:]`。",
)
def first_row_left(x: Tensor) -> Tensor:
    heads, length, _ = x.shape
    return torch.nn.functional.pad(x, (1, 0)).reshape(heads, length + 1, length)
