"""Exercise length_sweep: the excess at many lengths, read off one long pass."""

import torch
from torch import Tensor

from autograde.kit.exercise import Exercise, Function
from autograde.kit.expect import expect_close, expect_shape
from bilingual import Text

exercise = Exercise(
    id="length_sweep",
    chapter="09_extrapolation",
    title=Text(en="A sweep of lengths from one pass", zh="一次前向，扫过所有长度"),
    task=Text(
        en=r"""A causal model whose encoding does not depend on the length sees nothing of what
comes later: the first $l$ losses of a long window *are* those of a window of length $l$. Return,
for each $l$ in `lengths`, the mean over windows and over the positions from $l/2$ to $l-1$.

In: `excess` of shape `(n, T)`, the excess of every byte; `lengths`, a list of even whole numbers up
to $T$, in any order. Out: shape `(len(lengths),)`.""",
        zh=r"""因果模型看不见后面的内容；只要编码与长度无关，长窗口的前$l$个损失*就是*长度为$l$的
窗口的损失。对`lengths`中的每个$l$，返回在所有窗口、从$l/2$到$l-1$的位置上的平均。

输入：`excess`，形状`(n, T)`，每个字节的超额损失；`lengths`，由不超过$T$的偶数组成的列表，顺序任意。
输出：形状为`(len(lengths),)`。""",
    ),
    signature="length_sweep(excess, lengths) -> (len(lengths),)",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        Text(
            en="For one l: which columns are the second half of the first l?",
            zh="先看一个l：前l列的后一半是哪些列？",
        ),
        Text(
            en="Columns l/2 to l − 1, so the slice `[:, l // 2 : l]`.",
            zh="第l/2到l − 1列，即切片`[:, l // 2 : l]`。",
        ),
        Text(
            en="`torch.stack([excess[:, n // 2 : n].mean() for n in lengths])`",
            zh="`torch.stack([excess[:, n // 2 : n].mean() for n in lengths])`",
        ),
    ),
)


def _want(excess: Tensor, lengths: list[int]) -> Tensor:
    column = excess.double().mean(0)
    return torch.stack([column[n // 2 : n].mean() for n in lengths])


@exercise.check(en="one number for each length", zh="每个长度一个数")
def shape(answer: Function, rng: torch.Generator) -> None:
    expect_shape(answer(torch.rand(3, 16, generator=rng), [4, 8, 16]), (3,))


@exercise.check(en="is the mean from l/2 to l − 1", zh="等于l/2到l − 1上的平均", weight=3)
def values(answer: Function, rng: torch.Generator) -> None:
    for lengths in ([4, 8, 16, 32], [32, 2], [6], [10, 30]):
        excess = torch.randn(5, 32, generator=rng)
        expect_close(answer(excess, lengths), _want(excess, lengths))


@exercise.check(
    en="a failure from 64 on is not seen at length 64",
    zh="从64处开始的失效，在长度64上看不到",
    weight=2,
)
def breaks_at(answer: Function, rng: torch.Generator) -> None:
    excess = torch.zeros(2, 256)
    excess[:, 64:] = 1
    expect_close(answer(excess, [64, 128, 256]), torch.tensor([0.0, 1.0, 1.0]))


@exercise.misconception(
    en="You averaged from 0 to l: the positions within the trained length, where the excess is 0, "
    "dilute it.",
    zh="你从0平均到l：训练长度之内超额为0的位置把它冲淡了。",
)
def from_the_start(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, :n].mean() for n in lengths])


@exercise.misconception(
    en="You averaged from l to 2l − 1: that is the sweep at twice each length.",
    zh="你取的是l到2l − 1：那是两倍长度上的结果。",
)
def one_octave_up(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, n : 2 * n].mean() for n in lengths])


@exercise.misconception(
    en="You averaged from l/2 to the end of the window: every length then sees what only the "
    "longest may see.",
    zh="你从l/2一直平均到窗口末尾：每个长度都看到了只有最长窗口才有的位置。",
)
def to_the_end(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, n // 2 :].mean() for n in lengths])


@exercise.misconception(
    en="You took position l − 1 alone: one byte a window.",
    zh="你只取了位置l − 1：每个窗口一个字节。",
)
def last_only(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, n - 1].mean() for n in lengths])


@exercise.misconception(
    en="Position l − 1 is missing: the end of a slice is not in it, so `: l` already stops at "
    "l − 1.",
    zh="少了位置l − 1：切片不含末端，所以`: l`已经停在l − 1。",
)
def one_too_few(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, n // 2 : n - 1].mean() for n in lengths])


@exercise.misconception(
    en="You began at T/2 for every length. It is l/2, half of each length itself: with l up to T/2 "
    "nothing was left to average, hence the NaN.",
    zh="每个长度你都从T/2开始取。应当从l/2，即各个长度自己的一半开始：l不超过T/2时，"
    "没有东西可平均，所以是NaN。",
)
def half_of_the_window(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[:, excess.shape[1] // 2 : n].mean() for n in lengths])


@exercise.misconception(
    en="Your slice cuts axis 0, the windows. Positions are axis 1: `[:, l // 2 : l]`.",
    zh="你的切片切的是第0轴，也就是窗口。位置在第1轴：`[:, l // 2 : l]`。",
)
def slices_of_windows(excess: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([excess[n // 2 : n].mean() for n in lengths])
