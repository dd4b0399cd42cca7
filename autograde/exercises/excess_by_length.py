"""Exercise excess_by_length: what length costs, every byte compared with itself."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect, expect_shape
from autograde.kit.expect_values import expect_close
from bilingual import Text

exercise = Exercise(
    id="excess_by_length",
    chapter="09_extrapolation",
    title=Text(en="Excess loss at every length", zh="各个长度上的超额损失"),
    task=Text(
        en=r"""A text was read twice, and the loss of every byte was stored. `long`: windows of
length $T$, one after the other, so that window $w$ begins at byte $wT$. `short`: fresh windows of
the trained length $L$, beginning at bytes $0, L/2, L, 3L/2, \dots$, at least as far as the long
ones reach. In both tables column $p$ of a window that begins at byte $b$ counts as byte $b+p$. The
control of a byte is its loss in the fresh window in whose *second half* it stands.

For a causal model whose encoding does not depend on the length, the first $l$ losses of a long
window are those of a window of length $l$. Return, for each $l$ in `lengths`, the excess loss: the
mean, over all windows and over the positions from $l/2$ to $l-1$, of the loss in the long window
minus the control of the same byte. Bytes without a control do not count.

In: `long` `(n, T)`, `short` `(m, L)`, nats; `lengths`, a list in any order; $T$, $L$ and all
lengths are even, no length exceeds $T$, and for each some byte counts. Out: shape
`(len(lengths),)`.""",
        zh=r"""同一段文本读了两遍，每个字节的损失都存了下来。`long`：长度为$T$的窗口，首尾相接，
第$w$个窗口从第$wT$个字节开始。`short`：训练长度$L$的新窗口，
依次从第$0, L/2, L, 3L/2, \dots$个字节开始，至少覆盖到长窗口的末尾。
两张表里，从第$b$个字节开始的窗口，第$p$列都算作第$b+p$个字节。
新窗口互相重叠，多数字节出现在两个新窗口里；其中一个窗口把它放在*后一半*，
它在这个窗口里的损失，就是它的对照。

因果模型的编码若与长度无关，长窗口的前$l$个损失就是长度为$l$的窗口的损失。对`lengths`中的每个$l$，
返回超额损失：在所有窗口、从$l/2$到$l-1$的位置上，长窗口中的损失减去同一个字节的对照，取平均。
没有对照的字节不计入。

输入：`long`，形状`(n, T)`；`short`，形状`(m, L)`，单位奈特；`lengths`，列表，顺序任意；
$T$、$L$和各个长度都是偶数，各个长度不超过$T$，每个长度都有字节可以计入。输出：形状为`(len(lengths),)`。""",
    ),
    signature="excess_by_length(long, short, lengths) -> (len(lengths),)",
    points=4,
    difficulty=4,
    minutes=20,
    hints=(
        Text(
            en="Take L = 4 and write down, for bytes 0 to 9, which fresh window holds each in its "
            "second half. Which bytes have none?",
            zh="取L = 4，对字节0到9逐个写出：它在哪个新窗口的后一半里？哪些字节一个也没有？",
        ),
        Text(
            en="The second halves, one after the other, are the text again, but from which byte "
            "on? Put something that does not count in front, and it has the order of `long`.",
            zh="把各个后一半首尾相接，又是这段文本，可它从哪个字节开始？"
            "前面补上一些不计入的东西，次序就和`long`一样了。",
        ),
        Text(
            en="L/2 NaN, then `short[:, L // 2 :].flatten()`, cut off at `long.numel()` and viewed "
            "as `long`: the control of every byte. Then means that leave NaN out.",
            zh="L/2个NaN，接上`short[:, L // 2 :].flatten()`，截到`long.numel()`个，"
            "再变成`long`的形状：这就是每个字节的对照。然后取跳过NaN的平均。",
        ),
    ),
)


@exercise.truth
def byte_by_byte(long: Tensor, short: Tensor, lengths: list[int]) -> Tensor:
    """Return the mean excess for each length, every byte looked up by its number in the text."""
    window_length, half = long.shape[1], short.shape[1] // 2
    losses, fresh, means = long.tolist(), short.tolist(), []
    for length in lengths:
        excess = []
        for window, row in enumerate(losses):
            for position in range(length // 2, length):
                half_windows, within = divmod(window * window_length + position, half)
                if half_windows >= 1:
                    excess.append(row[position] - fresh[half_windows - 1][half + within])
        means.append(sum(excess) / len(excess))
    return torch.tensor(means)


def _case(rng: torch.Generator, windows: int, long: int, trained: int) -> tuple[Tensor, Tensor]:
    """Return losses of a text whose bytes are more or less hard to guess, in either window."""
    half = trained // 2
    count = -(-windows * long // half)  # reaches half a window beyond the long ones
    difficulty = 5 * torch.rand((count + 1) * half, generator=rng)
    fresh = difficulty.unfold(0, trained, half) + torch.rand(count, trained, generator=rng)
    cost = torch.linspace(0, 2, long) + torch.rand(windows, long, generator=rng)
    return difficulty[: windows * long].view(windows, long) + cost, fresh


@exercise.check(en="one number for each length", zh="每个长度一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(*_case(rng, 3, 16, 4), [4, 8, 16]), (3,))
    expect_shape(answer(*_case(rng, 1, 4, 4), [4]), (1,))


@exercise.check(
    en="late bytes are compared with themselves, at the length of the windows",
    zh="在窗口自己的长度上，靠后的字节与自己比",
    weight=2,
)
def longest(answer: Function, rng: torch.Generator) -> None:
    windows, quarters = torch.randint(2, 6, (2,), generator=rng).tolist()
    for sizes in ((windows, 8 * quarters, 4), (windows, 18, 4), (1, 12, 6), (2, 250, 100)):
        long, short = _case(rng, *sizes)
        expect_close(answer(long, short, [sizes[1]]), exercise.true_answer(long, short, [sizes[1]]))


@exercise.check(
    en="all lengths in any order, including those where some bytes have no control",
    zh="各种长度、任意顺序；有的字节没有对照时也对",
    weight=3,
)
def sweep(answer: Function, rng: torch.Generator) -> None:
    (windows,) = torch.randint(2, 6, (1,), generator=rng).tolist()
    for sizes, lengths in (
        ((windows, 32, 8), [32, 4, 16, 6, 10]),
        ((windows + 1, 30, 4), [6, 2, 30]),
        ((2, 220, 12), [8, 220, 2]),
    ):
        long, short = _case(rng, *sizes)
        expect_close(answer(long, short, lengths), exercise.true_answer(long, short, lengths))


@exercise.check(
    en="is what the position costs, 0 or 1, when bytes get harder",
    zh="字节越来越难猜时，等于位置带来的损失（0或1）",
    weight=2,
)
def hard_bytes(answer: Function, rng: torch.Generator) -> None:
    # bytes that the fresh windows reach beyond the long ones; what each costs more in those
    for more, cost in ((4, 0), (0, 0), (4, 1)):
        difficulty = torch.linspace(1, 3, 96 + more) + torch.rand(96 + more, generator=rng)
        long, short = difficulty[:96].view(3, 32) + cost, difficulty.unfold(0, 8, 4)
        got = expect_shape(answer(long, short, [32, 16, 4]), (3,)).detach()
        expect(
            bool(((got - cost).abs() < 1e-5).all()),
            f"the excess is {[round(x, 4) for x in got.tolist()]}, although every byte costs "
            f"{cost} more in the long windows: is each compared with itself?",
            f"每个字节在长窗口里的损失都只多{cost}，"
            f"超额损失却是{[round(x, 4) for x in got.tolist()]}：每个字节比的是它自己吗？",
        )


def _aligned(long: Tensor, fresh: Tensor, missing: int) -> Tensor:
    """Return the excess of every byte; the first `missing` have no control."""
    padded = torch.cat((torch.full((missing,), math.nan), fresh.flatten()))
    padded = torch.cat((padded, torch.full((long.numel(),), math.nan)))
    return long - padded[: long.numel()].view_as(long)


class Excess(NamedTuple):
    """The inputs, and the excess of every byte, NaN where it has no control."""

    long: Tensor
    short: Tensor
    lengths: list[int]
    excess: Tensor


def look(long: Tensor, short: Tensor, lengths: list[int]) -> Excess:
    half = short.shape[1] // 2
    return Excess(long, short, lengths, _aligned(long, short[:, half:], half))


def _means(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, n // 2 : n].nanmean() for n in lengths])


@exercise.misconception(
    en="You joined the second halves as if they began at byte 0. They begin at byte L/2: every "
    "byte is compared with one half a window further on.",
    zh="你拼接各个后一半时，当它们是从第0个字节开始的。它们从第L/2个字节开始："
    "现在每个字节比的是后面隔半个窗口的另一个字节。",
    look=look,
)
def as_if_from_zero(seen: Excess) -> Tensor:
    return _means(_aligned(seen.long, seen.short[:, seen.short.shape[1] // 2 :], 0), seen.lengths)


@exercise.misconception(
    en="You took the *first* halves of the fresh windows, where bytes have little context: their "
    "loss is higher, and length looks better than it is.",
    zh="你取的是新窗口的*前*一半，那里的字节缺少上下文：损失偏高，长度的代价就显得小了。",
    look=look,
)
def first_halves(seen: Excess) -> Tensor:
    return _means(_aligned(seen.long, seen.short[:, : seen.short.shape[1] // 2], 0), seen.lengths)


@exercise.misconception(
    en="You took the *first* halves of the fresh windows, where bytes have little context: their "
    "loss is higher, and length looks better than it is. They also end half a window before the "
    "second halves do: too few, and `view` fails.",
    zh="你取的是新窗口的*前*一半，那里的字节缺少上下文：损失偏高，长度的代价就显得小了。"
    "它们也比后一半早半个窗口结束：数不够时，`view`就报错。",
)
def first_halves_viewed(long: Tensor, short: Tensor, lengths: list[int]) -> Tensor:
    fresh = short[:, : short.shape[1] // 2].flatten()[: long.numel()]
    return _means(long - fresh.view(long.shape), lengths)


@exercise.misconception(
    en="You took the whole fresh windows, one after the other. They overlap by half, so most "
    "bytes stand there twice, and bytes and controls no longer match.",
    zh="你把整个新窗口首尾相接。相邻的新窗口重叠一半，多数字节在里面出现两次，"
    "字节和对照就对不上了。",
    look=look,
)
def whole_fresh_windows(seen: Excess) -> Tensor:
    return _means(_aligned(seen.long, seen.short, 0), seen.lengths)


@exercise.misconception(
    en="Bytes without a control were counted: their excess is NaN, and so is every mean that "
    "holds one. Leave them out of the mean.",
    zh="没有对照的字节也算了进去：它们的超额损失是NaN，平均里只要有一个，结果就是NaN。要把它们跳过。",
    look=look,
)
def counts_the_missing(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n // 2 : n].mean() for n in seen.lengths])


@exercise.misconception(
    en="Bytes without a control got the excess 0 and were counted: they pull the mean of the short "
    "lengths towards 0. Leave them out of the mean.",
    zh="没有对照的字节，超额损失当作0算了进去：短的长度上，平均被拉向0。要把它们跳过。",
    look=look,
)
def missing_as_zero(seen: Excess) -> Tensor:
    excess = seen.excess.nan_to_num(0)
    return torch.stack([excess[:, n // 2 : n].mean() for n in seen.lengths])


@exercise.misconception(
    en="You subtracted one mean from the other, and the bytes without a control are in the first "
    "alone: not the same bytes. Subtract byte by byte, then take the mean.",
    zh="你拿两个平均相减，而没有对照的字节只出现在前一个里：比的不是同一批字节。"
    "应逐个字节相减，再取平均。",
    look=look,
)
def mean_minus_mean(seen: Excess) -> Tensor:
    fresh = seen.long - seen.excess
    late = [slice(n // 2, n) for n in seen.lengths]
    return torch.stack([seen.long[:, s].mean() - fresh[:, s].nanmean() for s in late])


@exercise.misconception(
    en="The whole first window was dropped because its first bytes have no control. Only L/2 "
    "*bytes* have none; all others count.",
    zh="第一个窗口开头的字节没有对照，你就把整个窗口丢了。没有对照的只有L/2个*字节*，"
    "其余的都要算。",
    look=look,
)
def without_first_window(seen: Excess) -> Tensor:
    return _means(seen.excess[1:], seen.lengths)


@exercise.misconception(
    en="You subtracted the wrong way round: a model that breaks would have a negative excess.",
    zh="减反了：失效的模型反而会得到负的超额损失。",
    look=look,
)
def control_minus_long(seen: Excess) -> Tensor:
    return -_means(seen.excess, seen.lengths)


@exercise.misconception(
    en="You returned the loss itself. It tells how good the model is overall, not what length "
    "costs "
    "it.",
    zh="你返回的是损失本身。它说明模型总体好不好，不说明长度让它付出了多少。",
    look=look,
)
def loss_itself(seen: Excess) -> Tensor:
    return _means(seen.long, seen.lengths)


@exercise.misconception(
    en="You averaged from 0 to l: early bytes, where the excess is about 0, dilute it.",
    zh="你从0平均到l：靠前的字节，超额损失本来就在0附近，把它冲淡了。",
    look=look,
)
def from_the_start(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, :n].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="You averaged from l/2 to the end of the window: every length then sees what only the "
    "longest may see.",
    zh="你从l/2一直平均到窗口末尾：每个长度都看到了只有最长窗口才有的位置。",
    look=look,
)
def to_the_end(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n // 2 :].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="You began at T/2 for every length. It is l/2, half of each length itself: with l up to T/2 "
    "nothing was left to average, hence the NaN.",
    zh="每个长度你都从T/2开始取。应当从l/2，即各个长度自己的一半开始：l不超过T/2时，"
    "没有东西可平均，所以是NaN。",
    look=look,
)
def half_of_the_window(seen: Excess) -> Tensor:
    return torch.stack(
        [seen.excess[:, seen.long.shape[1] // 2 : n].nanmean() for n in seen.lengths]
    )


@exercise.misconception(
    en="Position l − 1 is missing: the end of a slice is not in it, so `: l` already stops at "
    "l − 1.",
    zh="少了位置l − 1：切片不含末端，所以`: l`已经停在l − 1。",
    look=look,
)
def one_too_few(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n // 2 : n - 1].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="The differences were added up. A longer window would have a larger excess for that alone: "
    "take the mean.",
    zh="你把差加了起来。那样窗口越长，超额损失就越大：应当取平均。",
    look=look,
)
def summed(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n // 2 : n].nansum() for n in seen.lengths])


@exercise.misconception(
    en="Bytes without a control were compared with 0: their whole loss counts as excess. Leave "
    "them out of the mean.",
    zh="没有对照的字节和0比了：它们的整个损失都算成了超额损失。要把它们跳过。",
    look=look,
)
def missing_control_as_zero(seen: Excess) -> Tensor:
    fresh = (seen.long - seen.excess).nan_to_num(0)
    return _means(seen.long - fresh, seen.lengths)


@exercise.misconception(
    en="The *first* halves of the fresh windows stand where the second ones belong: every byte is "
    "compared with the byte half a window before it.",
    zh="在该放后一半的地方，你放了新窗口的*前*一半：每个字节比的是它前面隔半个窗口的另一个字节。",
    look=look,
)
def first_halves_for_second(seen: Excess) -> Tensor:
    half = seen.short.shape[1] // 2
    return _means(_aligned(seen.long, seen.short[:, :half], half), seen.lengths)


@exercise.misconception(
    en="You took the mean of each position over the windows, and then the mean of those. Early "
    "positions lack the first window, so their other bytes count more: take one mean over all.",
    zh="你先对每个位置在窗口间取平均，再对这些平均取平均。靠前的位置少了第一个窗口，"
    "那里其余的字节就占了更大的比重：应对所有字节一次取平均。",
    look=look,
)
def mean_of_means(seen: Excess) -> Tensor:
    by_position = seen.excess.nanmean(0)
    return torch.stack([by_position[n // 2 : n].nanmean() for n in seen.lengths])


BY_WINDOW = Text(
    en="You took the mean of each window, and then the mean of those. The first window lacks the "
    "bytes without a control, so its other bytes count more, and where none is left its mean is "
    "NaN: take one mean over all.",
    zh="你先对每个窗口取平均，再对这些平均取平均。第一个窗口少了没有对照的字节，"
    "其余的字节就占了更大的比重；一个也不剩时，它的平均就是NaN。应对所有字节一次取平均。",
)


@exercise.misconception(en=BY_WINDOW.en, zh=BY_WINDOW.zh, look=look)
def mean_of_windows(seen: Excess) -> Tensor:
    late = [seen.excess[:, n // 2 : n] for n in seen.lengths]
    return torch.stack([excess.nanmean(1).nanmean() for excess in late])


@exercise.misconception(en=BY_WINDOW.en, zh=BY_WINDOW.zh, look=look)
def mean_of_all_windows(seen: Excess) -> Tensor:
    late = [seen.excess[:, n // 2 : n] for n in seen.lengths]
    return torch.stack([excess.nanmean(1).mean() for excess in late])


@exercise.misconception(
    en="You took the absolute value of every difference: noise no longer cancels, and an encoding "
    "that does no harm would still have a positive excess.",
    zh="你对每个差取了绝对值：噪声不再抵消，毫无害处的编码也会有正的超额损失。",
    look=look,
)
def absolute_values(seen: Excess) -> Tensor:
    return _means(seen.excess.abs(), seen.lengths)


@exercise.misconception(
    en="Your slice cuts axis 0, the windows. Positions are axis 1: `[:, l // 2 : l]`.",
    zh="你的切片切的是第0轴，也就是窗口。位置在第1轴：`[:, l // 2 : l]`。",
    look=look,
)
def slices_of_windows(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[n // 2 : n].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="You took position l − 1 alone: one byte of each window, so mostly noise.",
    zh="你只取了位置l − 1：每个窗口一个字节，多半是噪声。",
    look=look,
)
def last_position(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n - 1].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="You averaged from l to 2l − 1: that is the excess at twice each length.",
    zh="你取的是l到2l − 1：那是两倍长度上的超额损失。",
    look=look,
)
def one_octave_up(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n : 2 * n].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="One mean of all controls is subtracted from the mean of the late bytes: these are not the "
    "same bytes, and how hard each is to guess no longer cancels.",
    zh="你从靠后字节的平均里减去了全部对照的平均：比的不是同一批字节，各个字节的难易就抵消不掉。",
    look=look,
)
def mean_of_all_controls(seen: Excess) -> Tensor:
    control = seen.short[:, seen.short.shape[1] // 2 :].mean()
    return torch.stack([seen.long[:, n // 2 : n].mean() - control for n in seen.lengths])


@exercise.misconception(
    en="One position too many: `: l + 1` also takes position l, which a window of length l does "
    "not "
    "have.",
    zh="多取了一个位置：`: l + 1`连位置l也算进去了，而长度为l的窗口里没有它。",
    look=look,
)
def one_too_many(seen: Excess) -> Tensor:
    return torch.stack([seen.excess[:, n // 2 : n + 1].nanmean() for n in seen.lengths])


@exercise.misconception(
    en="Every window got the controls of the first: column p was looked up, not byte wT + p of the "
    "text, w being the number of the window and T its length.",
    zh="每个窗口用的都是第一个窗口的对照：你按列号p去找，而不是按文本里第wT + p个字节"
    "（w是窗口的编号，T是窗口长度）。",
    look=look,
)
def controls_of_the_first_window(seen: Excess) -> Tensor:
    fresh = (seen.long - seen.excess)[0]
    return _means(seen.long - fresh, seen.lengths)


@exercise.misconception(
    en="You looked at the first long window alone. The mean is over all of them.",
    zh="你只看了第一个长窗口。要对所有窗口取平均。",
    look=look,
)
def first_window_alone(seen: Excess) -> Tensor:
    return _means(seen.excess[:1], seen.lengths)
