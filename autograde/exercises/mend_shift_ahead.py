"""Exercise mend_shift_ahead: the causal rel-shift in a model that sees both directions."""

import torch
from torch import Tensor
from torch.nn.functional import pad

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_shape
from autograde.kit.expect_values import expect_agreement
from bilingual import Text

exercise = Exercise(
    id="mend_shift_ahead",
    chapter="04_relative",
    title=Text(en="Fix: garbage ahead of the diagonal", zh="改错：对角线右边的垃圾"),
    task=Text(
        en=r"""Fix `shifted_both_ways` so that it is right for keys ahead too.

In: `x` of shape `(L, 2L-1)`, $L\ge2$; column $c$ holds the score for query minus key $=L-1-c$,
from $L-1$ down to $-(L-1)$. Out: shape `(L, L)`, one column per key: at $(i,j)$ is the
score of query $i$ for query minus key $=i-j$.""",
        zh=r"""修好`shifted_both_ways`，让查询之后的键也对。

输入：`x`形状为`(L, 2L-1)`，$L\ge2$；第$c$列是“查询减键”$=L-1-c$时的得分，从$L-1$一直到$-(L-1)$。
输出：形状为`(L, L)`，按键排列：$(i,j)$处是查询$i$在“查询减键”$=i-j$时的得分。""",
    ),
    signature="mend_shift_ahead(x) -> (L, L)",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        Text(
            en="The broken version throws away the columns of the keys ahead before it shifts.",
            zh="有错的版本在移动之前，就把查询之后的键所在的列扔掉了。",
        ),
        Text(
            en="Which column holds query minus key = i − j? Solve L − 1 − c = i − j for c.",
            zh="“查询减键”= i − j在哪一列？从L − 1 − c = i − j解出c。",
        ),
        Text(
            en="So row i reads L consecutive columns, from c = L − 1 − i on. `x.gather(1, column)` "
            "takes them by their numbers; so does dropping the first L − 1 "
            "numbers and the last one, reading the rest in rows of 2L − 2 and keeping L of each.",
            zh="所以第i行读的是从c = L − 1 − i起的连续L列。可以用`x.gather(1, column)`按列号取，"
            "也可以丢掉开头的L − 1个数和末尾的1个数，按每行2L − 2个重新读，每行留前L个。",
        ),
    ),
)


@exercise.truth
def by_row(x: Tensor) -> Tensor:
    length = len(x)
    return torch.stack([x[i, length - 1 - i : 2 * length - 1 - i] for i in range(length)])


def _scores(rng: torch.Generator, length: int) -> Tensor:
    return torch.randn(2 * length - 1, length, generator=rng).T  # not contiguous


@exercise.check(en="as many keys as queries", zh="键和查询一样多")
def shape(answer: Function, rng: torch.Generator) -> None:
    for length in (2, 4, 6):
        expect_shape(answer(_scores(rng, length)), (length, length))


@exercise.check(
    en="(i, j) holds the distance i − j, in both directions",
    zh="(i, j)处是距离i − j，两个方向都是",
    weight=2,
)
def distances(answer: Function, rng: torch.Generator) -> None:
    length = int(torch.randint(4, 9, (), generator=rng))
    row = torch.arange(length - 1.0, -length, -1)
    expect_agreement(answer, exercise.true_answer, row.repeat(length, 1))


@exercise.check(
    en="every score is that of its own query", zh="每个得分都属于自己那个查询", weight=3
)
def values(answer: Function, rng: torch.Generator) -> None:
    for length in (2, 4, int(torch.randint(5, 12, (), generator=rng)), 110):
        expect_agreement(answer, exercise.true_answer, _scores(rng, length))


@exercise.misconception(
    en="Still the broken version: right of the diagonal there are zeros and scores of the *next* "
    "query.",
    zh="还是有错的那个版本：对角线右边是0和*下一个*查询的得分。",
)
def unchanged(x: Tensor) -> Tensor:
    length = len(x)
    return pad(x[:, :length], (1, 0)).flatten()[length:].view(length, length)


@exercise.misconception(
    en="You set the keys ahead to zero. That hides the symptom: an encoder needs those scores.",
    zh="你把查询之后的键都设成了0。这只是盖住了症状：编码器需要这些得分。",
)
def zeroed(x: Tensor) -> Tensor:
    return by_row(x).tril()


@exercise.misconception(
    en="Row i begins at column i. It has to begin at L − 1 − i: with each row one further *left*.",
    zh="第i行从第i列开始取了。应从第L − 1 − i列开始，每往下一行就往*左*移一列。",
)
def slid_right(x: Tensor) -> Tensor:
    length = len(x)
    return torch.stack([row[i : i + length] for i, row in enumerate(x)])


@exercise.misconception(
    en="Row i begins at column L − 1 + i and wraps round at the end: it was rolled the wrong way. "
    "It has to begin at L − 1 − i, so roll by +i.",
    zh="第i行从第L − 1 + i列开始，到末尾又绕回开头：滚动的方向反了。"
    "应从第L − 1 − i列开始，所以要滚动+i。",
)
def rolled_backwards(x: Tensor) -> Tensor:
    length = len(x)
    return torch.stack([row.roll(-i)[length - 1 :] for i, row in enumerate(x)])


@exercise.misconception(
    en="The rows slide the wrong way: at (i, j) is the score for j − i, the mirror image.",
    zh="滑动的方向反了：(i, j)处成了j − i的得分，前后对调。",
)
def mirrored(x: Tensor) -> Tensor:
    return by_row(x.flip(1))


@exercise.misconception(
    en="You cut out the first L columns without sliding: column j is still a distance.",
    zh="你只是截取了前L列，没有滑动：第j列仍然是距离。",
)
def unmoved(x: Tensor) -> Tensor:
    return x[:, : len(x)].clone()


@exercise.misconception(
    en="You cut L numbers, as for XLNet's 2L columns: every score is one step off. Here the "
    "columns begin at L − 1, not at L; cut L − 1 numbers.",
    zh="你照XLNet的2L列丢掉了L个数：每个得分都错了一步。这里的列从L − 1开始，不是L；"
    "应丢掉L − 1个数。",
)
def cut_as_xlnet(x: Tensor) -> Tensor:
    length = len(x)
    narrow = x.flatten()[length:][: length * (2 * length - 2)].view(length, 2 * length - 2)
    return narrow[:, :length]


@exercise.misconception(
    en="Every score is one step off: at (i, j) is the one for i − j + 1. The columns begin at "
    "query minus key = L − 1, so c = L − 1 − (i − j).",
    zh="每个得分都差了一步：(i, j)处成了i − j + 1的得分。各列从“查询减键”= L − 1开始，"
    "所以c = L − 1 − (i − j)。",
)
def one_column_early(x: Tensor) -> Tensor:
    return by_row(pad(x, (1, 0))[:, :-1])


@exercise.misconception(
    en="Every score is one step off: at (i, j) is the one for i − j − 1. That happens when the "
    "column is added on the right, or L numbers are dropped instead of L − 1.",
    zh="每个得分都差了一步：(i, j)处成了i − j − 1的得分。把那一列补在了右边，"
    "或者丢掉了L个数而不是L − 1个，就会这样。",
)
def one_column_late(x: Tensor) -> Tensor:
    return by_row(pad(x, (0, 1))[:, 1:])


@exercise.misconception(
    en="You mirrored the scores of the keys behind onto the keys ahead, which have scores of their "
    "own, in the columns L … 2L − 2.",
    zh="你把查询之前各键的得分照搬到了查询之后：之后的键有自己的得分，就在第L到2L − 2列。",
)
def copied_over(x: Tensor) -> Tensor:
    behind = by_row(x).tril()
    return behind + behind.tril(-1).T


@exercise.misconception(
    en="You masked the keys ahead with −∞, as a decoder does. An encoder reads both directions: "
    "the scores of the keys ahead are in the columns L … 2L − 2.",
    zh="你把查询之后的键用−∞遮住了，那是解码器的做法。编码器两个方向都看，"
    "这些键的得分就在第L到2L − 2列。",
)
def masked(x: Tensor) -> Tensor:
    return by_row(x).masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), -torch.inf)


@exercise.misconception(
    en="Every row reads the same columns, from L − 1 on: only row 0 is right. Row i must begin i "
    "columns further left.",
    zh="每一行读的都是同样的列，从第L − 1列起：只有第0行对。第i行要再往左i列开始。",
)
def unmoved_middle(x: Tensor) -> Tensor:
    return x[:, len(x) - 1 :]


@exercise.misconception(
    en="You read the column of |i − j|: keys ahead got the score of the key equally far behind. "
    "The sign matters, for both directions have scores of their own.",
    zh="你按|i − j|取列：之后的键拿到了之前同样远的键的得分。正负号不能丢，两个方向各有各的得分。",
)
def without_sign(x: Tensor) -> Tensor:
    place = torch.arange(len(x))
    return x.gather(1, len(x) - 1 - (place[:, None] - place).abs())


@exercise.misconception(
    en="Every row begins one column too late, and the last column is clamped: distance 0 is in "
    "column L − 1, so key j is at L − 1 − i + j.",
    zh="每一行都晚了一列开始，超出的又截到了最后一列：距离0在第L − 1列，键j就在第L − 1 − i + j列。",
)
def clamped_too_far(x: Tensor) -> Tensor:
    place = torch.arange(len(x))
    return x.gather(1, (len(x) - place[:, None] + place).clamp(max=2 * len(x) - 2))


@exercise.misconception(
    en="The shift is right, but you kept its last L columns. After it column j belongs to key j: "
    "keep the first L. Further right are keys that the text does not have.",
    zh="移动是对的，但你留下的是后L列。移动之后第j列就是键j：要留前L列。再往右的键，文本里并没有。",
)
def last_columns(x: Tensor) -> Tensor:
    length = len(x)
    shifted = pad(x, (1, 0)).flatten()[length:].view(length, 2 * length - 1)
    return shifted[:, length - 1 :]


@exercise.misconception(
    en="The shift is right, but the result still has all 2L − 1 columns. After it column j belongs "
    "to key j: keep the first L.",
    zh="移动是对的，但结果还是2L − 1列。移动之后第j列就是键j：要留前L列。",
)
def not_cut(x: Tensor) -> Tensor:
    return pad(x, (1, 0)).flatten()[len(x) :].view(len(x), -1)


@exercise.misconception(
    en="The numbers were read in rows of L, as in the broken version, which had thrown the other "
    "columns away. With them a row has 2L − 1 numbers: read rows of 2L − 1, then keep the first L "
    "columns.",
    zh="你还按每行L个数来读，有错的版本先扔掉了其余的列，才可以这样。现在一行有2L − 1个数："
    "按每行2L − 1个来读，再留前L列。",
)
def rows_of_length(x: Tensor) -> Tensor:
    length = len(x)
    return pad(x, (1, 0)).flatten()[length : length + length**2].view(length, length)
