"""Exercise needle_accuracy: a needle map, depth by length, of trials that came in any order."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="needle_accuracy",
    chapter="14_under_glass",
    title=Text(en="Map of the haystack", zh="大海捞针的热力图"),
    task=Text(
        en=r"""Needles were hidden and asked for many times, at some depth of a text of some length.
Return the map of it: one row for each length that occurs, from the shortest, one column for each
depth that occurs, from the smallest; the entry is the share of right answers among the trials of
this length and this depth, NaN where there was none.

In: `predictions`, `answers`, `lengths`, integers, and `depths`, fractions from 0 to 1; all of shape
`(n,)`, trial by trial, in no particular order, with any number of trials for an entry. Out:
floating point, of shape (different lengths, different depths).""",
        zh=r"""捞过很多次针，每次把针藏在某个长度的文本里的某个深度，再问模型它是什么。
请算出这张热力图各格的值：
出现过的每个长度一行，从短到长；出现过的每个深度一列，从小到大。每一格是这个长度、
这个深度的各次试验里答对的比例，没有试验的格子填NaN。

输入：`predictions`、`answers`、`lengths`为整数，`depths`是0到1之间的分数；形状都是`(n,)`，
每次试验一项，次序随意，每一格的试验次数也不一定相同。
输出：浮点数，形状为（不同长度的个数，不同深度的个数）。""",
    ),
    signature="needle_accuracy(predictions, answers, depths, lengths) -> (rows, columns)",
    points=3,
    difficulty=3,
    minutes=12,
    hints=(
        Text(
            en="`lengths.unique()` is sorted. For one length and one depth, which trials belong "
            "to the entry, and which of them are right?",
            zh="`lengths.unique()`已经排好序。固定一个长度、一个深度：哪些试验属于这一格？"
            "其中哪些答对了？",
        ),
        Text(
            en="Count twice: the trials of each entry, and the right ones. The share is the "
            "quotient, and 0/0 is NaN by itself.",
            zh="数两遍：每格的试验数，和其中答对的数。两者之商就是比例，而0/0自己就是NaN。",
        ),
        Text(
            en="Two loops over `lengths.unique()` and `depths.unique()` do, with "
            "`here = (lengths == length) & (depths == depth)` and the mean of "
            "`(predictions == answers)[here].float()`.",
            zh="对`lengths.unique()`和`depths.unique()`写两重循环就行："
            "`here = (lengths == length) & (depths == depth)`，"
            "再取`(predictions == answers)[here].float()`的平均。",
        ),
    ),
)


def _map(hits: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    """Return the mean of `hits` in each entry."""
    rows, row = lengths.unique(return_inverse=True)
    columns, column = depths.unique(return_inverse=True)
    entry, entries = row * len(columns) + column, len(rows) * len(columns)
    sums = torch.bincount(entry, hits.double(), entries)
    return (sums / torch.bincount(entry, minlength=entries)).view(len(rows), -1)


@exercise.truth
def entry_by_entry(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    """Return the share of right answers in each entry, NaN where there is no trial."""
    return _map(predictions == answers, depths, lengths)


Trials = tuple[Tensor, Tensor, Tensor, Tensor]


def _trials(rng: torch.Generator, rows: int, columns: int, most: int, fewest: int = 1) -> Trials:
    """Return up to `most` trials for each entry, shuffled; lengths and depths in no even steps."""
    lengths = 2048 + torch.randint(1, 4, (rows,), generator=rng).cumsum(0)
    depths = 4000 - 2 * columns + torch.randperm(2 * columns, generator=rng)[:columns]
    depths -= 3000 * (torch.arange(columns) % 2)  # some near 1/4, some near 1
    depths = depths.sort().values / 4000  # 16 bits cannot tell all apart, nor the lengths
    counts = torch.randint(fewest, most + 1, (rows * columns,), generator=rng)
    entry = torch.arange(rows * columns).repeat_interleave(counts)
    entry = entry[torch.randperm(len(entry), generator=rng)]
    answers = torch.randint(50_000, (len(entry),), generator=rng)
    wrong = torch.rand(len(entry), generator=rng) < torch.rand(rows * columns, generator=rng)[entry]
    return answers + wrong.long(), answers, depths[entry % columns], lengths[entry // columns]


def _expect_map(answer: Function, trials: Trials) -> None:
    """Compare with the true map: NaN in the right places first, then the shares."""
    want = exercise.true_answer(*trials)
    got = expect_shape(answer(*trials), tuple(want.shape))
    missing = int((got.isnan() != want.isnan()).sum())
    expect(
        missing == 0,
        f"{int(want.isnan().sum())} entries have no trial and should be NaN; in yours "
        f"{int(got.isnan().sum())} are, and {missing} differ in this",
        f"没有试验、应为NaN的格子有{int(want.isnan().sum())}个；你的结果里有"
        f"{int(got.isnan().sum())}个，不一致的有{missing}个",
    )
    expect_close(got.nan_to_num(-1.0), want.nan_to_num(-1.0))


@exercise.check(en="one row per length, one column per depth", zh="每个长度一行，每个深度一列")
def shape(answer: Function, rng: torch.Generator) -> None:
    for rows, columns in ((2, 5), (4, 3), (1, 1)):
        expect_shape(answer(*_trials(rng, rows, columns, most=3)), (rows, columns))


@exercise.check(en="equally many trials in each entry", zh="每格的试验次数相同", weight=2)
def even(answer: Function, rng: torch.Generator) -> None:
    for rows, columns, each in ((3, 4, 5), (5, 2, 3), (1, 6, 8), (4, 4, 4)):
        _expect_map(answer, _trials(rng, rows, columns, most=each, fewest=each))


@exercise.check(en="entries with more trials and with fewer", zh="各格的试验有多有少", weight=2)
def uneven(answer: Function, rng: torch.Generator) -> None:
    rows, columns = torch.randint(2, 7, (2,), generator=rng).tolist()
    for sizes in ((rows, columns, 9), (5, 1, 6), (3, 7, 30)):
        _expect_map(answer, _trials(rng, *sizes))


@exercise.check(
    en="NaN where there was no trial, 0 where all were wrong",
    zh="没有试验的格子是NaN，全答错的是0",
    weight=2,
)
def empty(answer: Function, rng: torch.Generator) -> None:
    for rows, columns in ((4, 5), (6, 3), (7, 7)):
        predictions, answers, depths, lengths = _trials(rng, rows, columns, most=2, fewest=0)
        hopeless = lengths == lengths.max()
        predictions = predictions.where(~hopeless, answers + 1)
        _expect_map(answer, (predictions, answers, depths, lengths))


@exercise.misconception(
    en="Entries without a trial are 0 in your map: the model looks as if it had failed there. "
    "Nobody asked it; NaN says so.",
    zh="没有试验的格子，你填了0，看上去像是模型答错了。其实没有人问过它，要用NaN表示。",
)
def empty_as_zero(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return entry_by_entry(predictions, answers, depths, lengths).nan_to_num(0.0)


@exercise.misconception(
    en="The map is transposed: rows should be lengths, columns depths.",
    zh="热力图转置了：行应是长度，列应是深度。",
)
def transposed(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return entry_by_entry(predictions, answers, depths, lengths).T


@exercise.misconception(
    en="Depths and lengths are exchanged in the comparison: you looked for lengths among the "
    "depths, and found no trial. Depths come third in the arguments, lengths last.",
    zh="比较时深度和长度弄反了：拿长度去和深度比，一次试验也找不到。参数里第三个是深度，"
    "最后一个是长度。",
)
def exchanged_in_the_test(
    predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor
) -> Tensor:
    rows, columns = lengths.unique(), depths.unique()
    hits = (predictions == answers).double()
    table = [[hits[(depths == r) & (lengths == c)].mean() for c in columns] for r in rows]
    return torch.tensor(table)


@exercise.misconception(
    en="You counted the right answers of each entry. What is asked is the share of right answers "
    "among its trials.",
    zh="你数的是每格答对的次数。要的是占这一格试验数的比例。",
)
def counts(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    hits = (predictions == answers).double()
    return (_map(hits, depths, lengths) * _number(depths, lengths)).nan_to_num(0.0)


def _number(depths: Tensor, lengths: Tensor) -> Tensor:
    """Return the number of trials in each entry."""
    table = [
        [((lengths == r) & (depths == c)).sum() for c in depths.unique()] for r in lengths.unique()
    ]
    return torch.tensor(table).double()


@exercise.misconception(
    en="You divided by the number of all trials. Each entry is divided by its own.",
    zh="你除以了全部试验的次数。每一格应除以它自己的次数。",
)
def of_all_trials(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    hits = counts(predictions, answers, depths, lengths)
    return hits / len(lengths)


@exercise.misconception(
    en="You divided by the same number everywhere, the number of trials over that of entries. "
    "That is right only where every entry was tried equally often.",
    zh="你处处除以同一个数：试验总数除以格子数。只有每格试验次数都相同时才对。",
)
def evenly_divided(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    hits = counts(predictions, answers, depths, lengths)
    return hits * hits.numel() / len(lengths)


@exercise.misconception(
    en="You divided by the trials of the whole row, of this length at any depth.",
    zh="你除以的是整行的试验数，也就是这个长度在所有深度上的次数。",
)
def of_the_row(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    hits = counts(predictions, answers, depths, lengths)
    return hits / _number(depths, lengths).sum(1, keepdim=True)


@exercise.misconception(
    en="Only the last trial of each entry is left: every trial overwrote the one before. All of "
    "them count.",
    zh="每格只剩下最后一次试验：后一次覆盖了前一次。所有的试验都要算。",
)
def last_trial(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    hits = (predictions == answers).double()
    trial = _entry_of(depths, lengths, last=True)
    return hits[trial.clamp(min=0)].masked_fill(trial < 0, torch.nan)


@exercise.misconception(
    en="Several trials of one entry counted as one: `map[row, column] += right` adds once for "
    "each entry, however often it is listed. `index_put_(…, accumulate=True)` or a loop adds all.",
    zh="同一格的几次试验只算了一次：`map[row, column] += right`对重复的下标只加一次。"
    "要用`index_put_(…, accumulate=True)`，或者写循环。",
)
def added_once(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return last_trial(predictions, answers, depths, lengths).nan_to_num(0.0) / _number(
        depths, lengths
    )


def _entry_of(depths: Tensor, lengths: Tensor, *, last: bool) -> Tensor:
    """Return the number of one trial for each entry, −1 where there is none."""
    rows, columns = lengths.unique(), depths.unique()
    table = torch.full((len(rows), len(columns)), -1)
    for trial in range(len(lengths)):
        at = int((rows == lengths[trial]).nonzero()), int((columns == depths[trial]).nonzero())
        table[at] = trial if last or table[at] < 0 else table[at]
    return table


@exercise.misconception(
    en="Rows and columns stand in the order in which their lengths and depths first came up. They "
    "should go from the smallest to the largest.",
    zh="行和列是按长度、深度第一次出现的先后排的。应当从小到大排。",
)
def in_order_of_appearance(
    predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor
) -> Tensor:
    table = entry_by_entry(predictions, answers, depths, lengths)
    return table[_first_seen(lengths)][:, _first_seen(depths)]


def _first_seen(values: Tensor) -> Tensor:
    seen = list(dict.fromkeys(values.tolist()))
    return torch.tensor(seen).argsort().argsort()


@exercise.misconception(
    en="The map stands on its head: the shortest length should come first.",
    zh="热力图上下颠倒了：最短的长度应在最前面。",
)
def longest_first(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return entry_by_entry(predictions, answers, depths, lengths).flip(0)


@exercise.misconception(en="You have the share of wrong answers.", zh="你算的是答错的比例。")
def share_of_wrong(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return _map(predictions != answers, depths, lengths)


@exercise.misconception(
    en="Different depths fell together: one column of yours stands for several. Did you round "
    "them, or cut them to whole numbers? Use the fractions as they are.",
    zh="不同的深度并到了一起：你的一列代表了好几个深度。是不是做了四舍五入，或者截成了整数？"
    "请直接用原来的小数。",
)
def depths_rounded(predictions: Tensor, answers: Tensor, depths: Tensor, lengths: Tensor) -> Tensor:
    return entry_by_entry(predictions, answers, depths.round(decimals=2), lengths)
